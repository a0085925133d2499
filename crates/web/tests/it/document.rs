//! The OpenAPI document against the routes: everything it tells of is there, nothing else is, and what
//! calls bring back is what it says (see [`check`], through which every in-process call goes).

use std::collections::BTreeSet;
use std::sync::LazyLock;

use axum::body::Body;
use axum::http::Method;
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use crate::support::{Reply, TestHost};

static DOCUMENT: LazyLock<Value> = LazyLock::new(askwell_web::openapi_document);

/// Every documented call, as method and path.
pub fn calls() -> Vec<(Method, String)> {
    let paths = DOCUMENT["paths"].as_object().unwrap();
    paths
        .iter()
        .flat_map(|(path, calls)| {
            calls
                .as_object()
                .unwrap()
                .keys()
                .map(|method| (method.to_ascii_uppercase().parse().unwrap(), path.clone()))
        })
        .collect()
}

/// The roles that the document allows a call to.
pub fn roles(method: &Method, path: &str) -> Vec<String> {
    let call = &DOCUMENT["paths"][path][method.as_str().to_ascii_lowercase()];
    let text = call["description"].as_str().unwrap_or_default();
    let roles = text.trim_start_matches("Roles: ").trim_end_matches('.');
    roles.split(", ").map(str::to_owned).collect()
}

/// A path with an id of the right form in it.
pub fn with_some_id(path: &str) -> String {
    path.replace("{id}", "01a0c450-6c00-7bab-abab-abababababab")
}

/// Holds a reply against the document.
#[track_caller]
pub fn check(method: &Method, path: &str, reply: &Reply, told: &str) {
    let Some(call) = documented(method, path) else { return };
    let status = reply.status.as_u16().to_string();
    let response = call["responses"]
        .get(&status)
        .unwrap_or_else(|| panic!("{told}: the document knows no {status}: {}", reply.text));
    let response = resolve(response);
    let media_type = reply.header("content-type");
    let content = response["content"].as_object().unwrap();
    let shape = content.get(media_type).unwrap_or_else(|| panic!("{told}: {media_type}"));
    if media_type.ends_with("json") {
        let problems = mismatches(&shape["schema"], &reply.json(), "$");
        assert_eq!(problems, Vec::<String>::new(), "{told}");
    }
}

fn documented(method: &Method, path: &str) -> Option<&'static Value> {
    let method = if method == Method::HEAD { "get" } else { &*method.as_str().to_lowercase() };
    let paths = DOCUMENT["paths"].as_object().unwrap();
    let parts = |path: &str| path.split('/').map(str::to_owned).collect::<Vec<_>>();
    let asked = parts(path);
    paths.iter().find_map(|(known, calls)| {
        let known = parts(known);
        let same = known.len() == asked.len()
            && known.iter().zip(&asked).all(|(known, asked)| known == "{id}" || known == asked);
        if same { calls.get(method) } else { None }
    })
}

fn resolve(value: &'static Value) -> &'static Value {
    match value["$ref"].as_str() {
        Some(place) => {
            let pointer = place.strip_prefix('#').unwrap();
            resolve(DOCUMENT.pointer(pointer).unwrap_or_else(|| panic!("{place} leads nowhere")))
        }
        None => value,
    }
}

/// What of a document is not as its schema says: types, required members, enumerations, constants.
/// Also that a member which the schema does not know is there.
fn mismatches(schema: &'static Value, value: &Value, path: &str) -> Vec<String> {
    let schema = resolve(schema);
    let mut found = Vec::new();
    if schema.is_boolean() {
        return found;
    }
    for several in ["oneOf", "anyOf"] {
        if let Some(choices) = schema[several].as_array() {
            let fits = choices.iter().any(|choice| mismatches(choice, value, path).is_empty());
            if !fits {
                found.push(format!("{path}: fits none of {several}: {value}"));
            }
        }
    }
    if schema["enum"].as_array().is_some_and(|all| !all.contains(value))
        || schema.get("const").is_some_and(|only| only != value)
        || !has_type(&schema["type"], value)
    {
        found.push(format!("{path}: {value} is not {schema}"));
    }
    if let Some(members) = value.as_object() {
        for required in schema["required"].as_array().into_iter().flatten() {
            if !members.contains_key(required.as_str().unwrap()) {
                found.push(format!("{path}: {required} is missing"));
            }
        }
        if let Some(known) = schema["properties"].as_object() {
            for (name, member) in members {
                match known.get(name) {
                    Some(schema) => {
                        found.extend(mismatches(schema, member, &format!("{path}.{name}")))
                    }
                    None => found.push(format!("{path}: the schema knows no {name}")),
                }
            }
        }
    }
    if schema.get("items").is_some() {
        for (place, item) in value.as_array().into_iter().flatten().enumerate() {
            found.extend(mismatches(&schema["items"], item, &format!("{path}[{place}]")));
        }
    }
    found
}

fn has_type(kind: &Value, value: &Value) -> bool {
    let is = |kind: &str| match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        other => panic!("no type {other}"),
    };
    match kind {
        Value::Null => true,
        Value::String(kind) => is(kind),
        Value::Array(kinds) => kinds.iter().any(|kind| is(kind.as_str().unwrap())),
        other => panic!("no type {other}"),
    }
}

#[tokio::test]
async fn the_document_is_served_and_is_of_openapi_3_1() {
    let host = TestHost::new().await;

    let served = host.asker.get("/api/v1/openapi.json").await.ok();

    assert_eq!(served, *DOCUMENT);
    assert_eq!(served["openapi"], "3.1.0");
}

#[tokio::test]
async fn every_documented_call_is_routed_and_no_other_is() {
    let host = TestHost::new().await;
    let calls = calls();
    assert!(calls.len() > 15, "{calls:?}");
    let paths: BTreeSet<&String> = calls.iter().map(|(_, path)| path).collect();
    for path in paths {
        for method in ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"] {
            let method: Method = method.parse().unwrap();
            let there = calls.contains(&(method.clone(), path.clone()));
            let request = host.nobody.request(method.clone(), &with_some_id(path));
            let reply = host.nobody.send(request.body(Body::empty()).unwrap()).await;

            let expected = match (there, path.as_str()) {
                (true, "/healthz") => 200,
                (true, _) => 401,
                (false, _) => 405,
            };
            assert_eq!(reply.status.as_u16(), expected, "{method} {path}");
            if !there {
                assert_eq!(reply.problem(), (405, "BAD_REQUEST".to_owned()));
                assert!(!reply.header("allow").is_empty(), "{method} {path}");
            }
        }
    }
}

#[test]
fn every_reference_leads_somewhere_and_every_schema_is_used() {
    let text = DOCUMENT.to_string();
    let places: BTreeSet<&str> =
        text.split("\"$ref\":\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    for place in &places {
        assert!(DOCUMENT.pointer(place.strip_prefix('#').unwrap()).is_some(), "{place}");
    }
    for name in DOCUMENT["components"]["schemas"].as_object().unwrap().keys() {
        assert!(places.contains(&*format!("#/components/schemas/{name}")), "{name} is not used");
    }
}

#[test]
fn a_call_says_what_it_reads() {
    let list = &DOCUMENT["paths"]["/api/v1/requests"]["get"]["parameters"];
    let names: Vec<&str> =
        list.as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["state", "session", "after", "limit"]);
    let words: Vec<&Value> =
        list[0]["schema"]["oneOf"].as_array().unwrap().iter().map(|it| &it["const"]).collect();
    assert_eq!(words, ["pending", "open"]);
    assert_eq!(list[3]["schema"]["type"], "integer");

    let ask = &DOCUMENT["paths"]["/api/v1/requests"]["post"];
    let body = &ask["requestBody"]["content"]["application/json"]["schema"];
    assert_eq!(*body, json!({"$ref": "#/components/schemas/Request"}));
    let names: Vec<&str> = ask["parameters"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["attach", "Idempotency-Key", "Askwell-Derived-Key"]);
}

#[test]
fn the_check_itself_finds_what_is_wrong() {
    let schema = &DOCUMENT["components"]["schemas"]["Asked"];
    let right = json!({"id": "x", "state": "pending", "watching": 0, "joined": false});
    assert_eq!(mismatches(schema, &right, "$"), Vec::<String>::new());

    for (name, wrong) in [
        ("state", json!("open")),
        ("watching", json!("0")),
        ("joined", json!(null)),
        ("unknown", json!(1)),
    ] {
        let mut value = right.clone();
        value[name] = wrong;
        assert_eq!(mismatches(schema, &value, "$").len(), 1, "{name}");
    }
}

#[test]
fn nothing_in_the_document_is_null_but_values() {
    fn nulls(value: &Value, at: &str, found: &mut Vec<String>) {
        match value {
            Value::Null => found.push(at.to_owned()),
            Value::Array(all) => all.iter().for_each(|it| nulls(it, &format!("{at}[]"), found)),
            Value::Object(all) => {
                let parts = all.iter().filter(|(name, _)| *name != "default" && *name != "const");
                parts.for_each(|(name, part)| nulls(part, &format!("{at}.{name}"), found));
            }
            _ => {}
        }
    }
    let mut found = Vec::new();

    nulls(&DOCUMENT, "$", &mut found);

    assert_eq!(found, Vec::<String>::new());
}
