//! The OpenAPI document, made from the table that the routes are made from.

use std::collections::BTreeSet;

use axum::http::Method;
use schemars::generate::SchemaSettings;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use askwell_core::ErrorCode;
use askwell_core::fault::RequestCode;
use askwell_core::wire::Problem;

use crate::failure::PROBLEM_JSON;
use crate::operation::{Description, Operation};
use crate::table;

/// The OpenAPI document of the API, as it is served at `/api/v1/openapi.json`.
pub fn openapi_document() -> Value {
    of(&table::operations())
}

fn of(operations: &[Operation]) -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.definitions_path = "/components/schemas".into();
    settings.meta_schema = None;
    let mut generator = settings.into_generator();
    let problem = generator.subschema_for::<Problem>();
    let mut paths = Map::new();
    for operation in operations {
        let path = paths.entry(operation.path).or_insert_with(|| json!({}));
        let method = operation.method.as_str().to_ascii_lowercase();
        path[method] = describe(operation, &mut generator);
    }
    paths.insert("/healthz".to_owned(), healthz());
    let schemas = generator.take_definitions(true);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "askwell",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Structured user questions: a program asks, a person answers, the \
                program gets the whole answer. Errors are problem documents with a stable `code`.",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{"bearer": []}, {"page": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "page": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "askwell_LABEL",
                    "description": "The host's own pages. LABEL is the one of the host's name, \
                        LABEL.localhost; a change has to send its Origin too.",
                },
            },
            "schemas": schemas,
            "responses": {"Problem": {
                "description": "What went wrong, with its stable code.",
                "content": {PROBLEM_JSON: {"schema": problem}},
            }},
        },
    })
}

fn healthz() -> Value {
    let schema = json!({
        "type": "object",
        "required": ["service", "status", "version", "instance"],
        "properties": {
            "service": {"const": "askwell"},
            "status": {"const": "ok"},
            "version": {"type": "string"},
            "instance": {"type": "string", "description": "Tells this run of a host from others."},
        },
    });
    json!({"get": {
        "operationId": "healthz",
        "summary": "Whether the host runs. Needs no credential.",
        "security": [],
        "responses": {
            "200": {"description": "It runs.", "content": {"application/json": {"schema": schema}}},
            "403": {"$ref": "#/components/responses/Problem"},
            "default": {"$ref": "#/components/responses/Problem"},
        },
    }})
}

fn describe(operation: &Operation, generator: &mut SchemaGenerator) -> Value {
    let Description { id, query, body, reply } = (operation.describe)(generator);
    let roles: Vec<&str> = operation.roles.iter().map(|role| role.as_str()).collect();
    let mut parameters = Vec::new();
    if let Some(schema) = id {
        parameters.push(json!({"name": "id", "in": "path", "required": true, "schema": schema}));
    }
    parameters.extend(query_parameters(query));
    for (name, purpose) in operation.headers {
        parameters.push(json!({
            "name": name, "in": "header", "description": purpose, "schema": {"type": "string"},
        }));
    }
    let mut described = json!({
        "operationId": operation.name,
        "summary": operation.summary,
        "description": format!("Roles: {}.", roles.join(", ")),
        "parameters": parameters,
    });
    if operation.method != Method::GET {
        // A change has to say that it is JSON, also where nothing needs to be said; and no document
        // can tell that of a body that is left out.
        let schema = body.unwrap_or_else(|| schemars::json_schema!({"type": "object"}));
        described["requestBody"] =
            json!({"required": true, "content": {"application/json": {"schema": schema}}});
    }
    let mut responses = Map::new();
    for (status, meaning) in reply.statuses {
        let content = json!({reply.media_type: {"schema": reply.schema}});
        responses.insert(status.to_string(), json!({"description": meaning, "content": content}));
    }
    for status in error_statuses(operation) {
        let problem = json!({"$ref": "#/components/responses/Problem"});
        responses.insert(status.to_string(), problem);
    }
    responses.insert("default".to_owned(), json!({"$ref": "#/components/responses/Problem"}));
    described["responses"] = responses.into();
    described["x-error-codes"] = error_codes(operation).into();
    described
}

/// One parameter for each property of the type that reads the query.
fn query_parameters(query: Schema) -> Vec<Value> {
    let mut query = query.to_value();
    let required: Vec<String> = query["required"]
        .as_array()
        .map(|names| names.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect())
        .unwrap_or_default();
    let Some(properties) = query["properties"].as_object_mut() else { return Vec::new() };
    let properties = std::mem::take(properties);
    properties
        .into_iter()
        .map(|(name, mut schema)| {
            let description = schema.as_object_mut().and_then(|it| it.remove("description"));
            let required = required.contains(&name);
            json!({
                "name": name, "in": "query", "required": required,
                "description": description, "schema": without_null(schema),
            })
        })
        .collect()
}

/// A query can leave a value out, but can't say null.
fn without_null(mut schema: Value) -> Value {
    if let Some(kind) = schema.get_mut("type")
        && let Some(types) = kind.as_array_mut()
    {
        types.retain(|kind| kind != "null");
        if let [only] = types.as_slice() {
            *kind = only.clone();
        }
    }
    let some =
        schema["anyOf"].as_array().and_then(|all| all.iter().find(|it| it["type"] != "null"));
    some.cloned().unwrap_or(schema)
}

/// The errors of every call, those of every change, and its own.
fn all_errors(operation: &Operation) -> Vec<ErrorCode> {
    let mut all = vec![
        ErrorCode::Unauthorized,
        ErrorCode::Forbidden,
        ErrorCode::RateLimited,
        ErrorCode::StoreUnavailable,
        ErrorCode::Internal,
    ];
    let of_a_change = [RequestCode::BadRequest, RequestCode::LimitExceeded].map(ErrorCode::Request);
    let is_change = operation.method != Method::GET;
    for code in of_a_change.iter().filter(|_| is_change).chain(operation.errors) {
        if !all.contains(code) {
            all.push(*code);
        }
    }
    all
}

fn error_codes(operation: &Operation) -> Vec<&'static str> {
    all_errors(operation).into_iter().map(ErrorCode::as_str).collect()
}

fn error_statuses(operation: &Operation) -> BTreeSet<u16> {
    let mut statuses: BTreeSet<u16> =
        all_errors(operation).into_iter().filter_map(ErrorCode::http_status).collect();
    if operation.method != Method::GET {
        // Of the transport: not JSON, too slow, too large, not sent as JSON.
        statuses.extend([400, 408, 413, 415]);
    }
    statuses
}
