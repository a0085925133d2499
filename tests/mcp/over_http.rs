//! `/mcp` of a host: who may call it, from where, and what the protocol says of headers.

use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use super::stream::{Answered, credential, exchange, port, post};
use super::{Host, MODERN};

/// The headers of a modern call of `tools/list`, with these in the place of, or beside, its own.
fn headers(host: &Host, others: &[(&str, &str)]) -> Vec<(String, String)> {
    let bearer = format!("Bearer {}", credential(host, "asker"));
    let own = [
        ("authorization", bearer.as_str()),
        ("accept", "application/json, text/event-stream"),
        ("content-type", "application/json"),
        ("mcp-protocol-version", MODERN),
        ("mcp-method", "tools/list"),
    ];
    let kept = own.iter().filter(|(name, _)| others.iter().all(|(other, _)| name != other));
    let set = others.iter().filter(|(_, value)| !value.is_empty());
    kept.chain(set).map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn list() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {}}}})
}

fn send(host: &Host, others: &[(&str, &str)]) -> Answered {
    post(port(host), &headers(host, others), &list().to_string())
}

#[test]
fn b122_b123_only_an_asker_s_token_opens_it_and_no_foreign_page() {
    let host = Host::start();
    assert_eq!(send(&host, &[]).status, 200);

    let none = send(&host, &[("authorization", "")]);
    assert_eq!((none.status, none.header("www-authenticate")), (401, Some("Bearer")));
    let problem: Value = serde_json::from_str(&none.text()).unwrap();
    assert_eq!(problem["code"], "UNAUTHORIZED");
    assert_eq!(send(&host, &[("authorization", "Bearer askwell_no")]).status, 401);
    let answerer = format!("Bearer {}", credential(&host, "answerer"));
    assert_eq!(send(&host, &[("authorization", &answerer)]).status, 403);

    let own = format!("http://127.0.0.1:{}", port(&host));
    assert_eq!(send(&host, &[("origin", &own)]).status, 200);
    for origin in ["https://evil.example", "null", "http://127.0.0.1:1"] {
        let refused = send(&host, &[("origin", origin)]);
        assert_eq!(refused.status, 403, "{origin}");
        assert!(!refused.text().contains("tools"));
    }
    assert_eq!(send(&host, &[("host", "evil.example")]).status, 403);
    // As a page does whose name was made to mean this machine.
    let rebound = [("host", "evil.example"), ("origin", "http://evil.example")];
    assert_eq!(send(&host, &rebound).status, 403);
    // An origin of a page in the same browser opens nothing without the token.
    assert_eq!(send(&host, &[("origin", &own), ("authorization", "")]).status, 401);
}

#[test]
fn what_an_era_has_no_use_for_is_refused_as_its_revision_says() {
    let host = Host::start();
    let port = port(&host);
    for method in ["GET", "DELETE", "PUT"] {
        let answered = exchange(port, method, &headers(&host, &[]), "");
        assert_eq!(answered.status, 405, "{method}");
    }
    let code = |answered: Answered| {
        let status = answered.status;
        let body: Value = serde_json::from_str(&answered.text()).unwrap();
        (status, body["error"]["code"].as_i64().unwrap())
    };
    assert_eq!(code(send(&host, &[("mcp-method", "tools/call")])), (400, -32020));
    assert_eq!(code(send(&host, &[("mcp-method", "")])), (400, -32020));
    assert_eq!(code(send(&host, &[("mcp-protocol-version", "2025-11-25")])), (400, -32020));
    let mut call = list();
    call["method"] = json!("tools/call");
    call["params"]["name"] = json!("get_answers");
    for name in ["", "cancel_question"] {
        let headers = headers(&host, &[("mcp-method", "tools/call"), ("mcp-name", name)]);
        assert_eq!(code(post(port, &headers, &call.to_string())), (400, -32020), "{name}");
    }
    let mut unheard = list();
    unheard["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2099-01-01");
    let future = headers(&host, &[("mcp-protocol-version", "2099-01-01")]);
    assert_eq!(code(post(port, &future, &unheard.to_string())), (400, -32022));
    for (name, wrong, status) in [("content-type", "text/plain", 415), ("accept", "text/html", 406)]
    {
        assert_eq!(send(&host, &[(name, wrong)]).status, status, "{name}");
    }
    let text = list().to_string();
    for (body, refusal) in
        [("hello", -32700), (&text[..text.len() - 1], -32700), (&format!("[{text}]"), -32600)]
    {
        assert_eq!(code(post(port, &headers(&host, &[]), body)), (400, refusal), "{body}");
    }
    let unknown = json!({"jsonrpc": "2.0", "id": 1, "method": "no/such", "params": {"_meta":
        list()["params"]["_meta"]}});
    let headers = headers(&host, &[("mcp-method", "no/such")]);
    assert_eq!(code(post(port, &headers, &unknown.to_string())), (404, -32601));
}

#[test]
fn b130_a_session_is_of_the_credential_that_began_it() {
    let host = Host::start();
    let port = port(&host);
    let other =
        host.json(["token", "create", "--role", "asker", "--name", "other", "--format", "json"]);
    let other = format!("Bearer {}", other["token"].as_str().unwrap());
    let legacy = |others: &[(&str, &str)]| {
        let no = [("mcp-protocol-version", ""), ("mcp-method", "")];
        headers(&host, &[&no[..], others].concat())
    };
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "a", "version": "1"}}});
    let welcome = post(port, &legacy(&[]), &hello.to_string());
    let session = welcome.header("mcp-session-id").unwrap().to_owned();
    let ping = json!({"jsonrpc": "2.0", "id": 2, "method": "ping"}).to_string();
    let with = |who: &str| {
        let others = [("mcp-session-id", session.as_str()), ("authorization", who)];
        legacy(if who.is_empty() { &others[..1] } else { &others })
    };

    assert_eq!(post(port, &with(&other), &ping).status, 404);
    assert_eq!(exchange(port, "DELETE", &with(&other), "").status, 202);
    assert_eq!(post(port, &with(""), &ping).status, 200);
    assert_eq!(exchange(port, "DELETE", &with(""), "").status, 202);
    assert_eq!(post(port, &with(""), &ping).status, 404);
}
