//! The official SDK's own client: it understands what is sent as it was meant.

use askwell::inbox::wire::RequestId;
use pretty_assertions::assert_eq;
use rmcp::model::{CallToolRequestParams, ClientConfig, Implementation};
use rmcp::{ServiceExt as _, service::RunningService};
use serde_json::{Value, json};
use tokio::process::{Child, Command};

use super::{Host, r2};

async fn connect(host: &Host) -> (Child, RunningService<rmcp::RoleClient, ClientConfig>) {
    let mut command = Command::new(host.askwell.program());
    command.arg("mcp").env_clear().envs(host.askwell.variables()).env("CI", "true");
    command.current_dir(host.askwell.work()).kill_on_drop(true);
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    let pipes = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
    let mut config = ClientConfig::default();
    config.client_info = Implementation::new("rmcp-client", "1.0");
    (child, config.serve(pipes).await.unwrap())
}

#[tokio::test]
async fn the_client_of_the_sdk_gets_the_tools_and_the_whole_answer() {
    let host = Host::start();
    let (_child, client) = connect(&host).await;

    let about = client.peer_info().unwrap();
    assert_eq!(json!(about)["serverInfo"]["name"], "askwell");
    let tools = client.list_all_tools().await.unwrap();
    assert_eq!(json!(tools), json!(askwell::tool::list()));

    let arguments = r2().as_object().unwrap().clone();
    let call = CallToolRequestParams::new("ask_user_question").with_arguments(arguments);
    let answering = tokio::task::spawn_blocking({
        let answer = ["--select", "Auth", "--custom", "also SSO"];
        move || {
            let id: RequestId = host.next_waiting().parse().unwrap();
            let id = id.to_string();
            host.run(["answer", id.as_str()].into_iter().chain(answer)).code()
        }
    });
    let result = client.call_tool(call).await.unwrap();

    assert_eq!(answering.await.unwrap(), 0);
    let answer = json!({"id": "feat", "selected": ["Auth"], "custom": "also SSO"});
    let structured: Option<Value> = result.structured_content;
    assert_eq!(structured, Some(json!({"answers": [answer]})));
    assert_eq!(result.is_error, None);
}
