//! The server as the SDK calls it: what it says of itself, and which tool a call means.

use std::collections::HashSet;
use std::panic::AssertUnwindSafe;
#[cfg(feature = "http")]
use std::sync::OnceLock;
use std::sync::{Arc, Mutex, PoisonError};

use askwell_core::wire::{LOCAL, RequestId};
use askwell_core::{ErrorCode, texts, tool};
use futures_util::FutureExt as _;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CancelledNotificationParam, CustomRequest,
    CustomResult, ErrorData, Implementation, ListToolsResult, PaginatedRequestParams,
    ProtocolVersion, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{RoleServer, ServerHandler};
use tokio_util::sync::CancellationToken;

use crate::call::Call;
use crate::cut::Calls;
use crate::delivery::{Deliveries, Delivery, Taken};
use crate::form::Shows;
use crate::form::state::Seal;
use crate::progress::Progress;
use crate::told::Told;
use crate::{Options, Seat, params, reply};

/// How long, in milliseconds, the list of tools stays the same at least.
const LISTED: u64 = 3_600_000;

/// What a client is called that does not say.
const UNNAMED: &str = "an MCP client";

/// What all sessions share.
pub(crate) struct Shared {
    pub options: Options,
    pub told: Told,
    /// The requests that a client shows right now.
    pub shown: Once,
    pub seal: Seal,
    pub deliveries: Deliveries,
    tools: Vec<Tool>,
}

impl Shared {
    pub fn new(options: Options) -> Arc<Self> {
        let tools = tool::list().into_iter();
        // They are of that form: a test of the list says so.
        let tools = tools.filter_map(|tool| serde_json::from_value(tool).ok()).collect();
        let seal = Seal::new(options.key.clone());
        let (told, shown) = (Told::default(), Once::default());
        let deliveries = Deliveries::default();
        Arc::new(Self { options, told, shown, seal, deliveries, tools })
    }
}

/// The server of one session.
pub(crate) struct Server {
    shared: Arc<Shared>,
    place: Place,
    calls: Calls,
}

/// Where the server runs.
pub(crate) enum Place {
    /// In a process of its own, for one client.
    #[cfg_attr(not(feature = "stdio"), allow(dead_code, reason = "only `stdio` makes one"))]
    Process {
        seat: Seat,
        /// The client has closed the input.
        closed: CancellationToken,
        /// What is written to it.
        taken: Taken,
    },
    /// In a host, where each call says who makes it.
    #[cfg(feature = "http")]
    Host {
        /// Of a client that has a session. Drawn when it is first needed.
        session: OnceLock<String>,
    },
}

impl Server {
    pub fn new(shared: Arc<Shared>, place: Place) -> Self {
        Self { shared, place, calls: Calls::default() }
    }

    /// A call that comes in this context.
    ///
    /// # Errors
    /// Nobody knows who calls.
    pub fn call(&self, context: &RequestContext<RoleServer>) -> Result<Call, ErrorData> {
        let client = context.client_info().map(|client| client.name);
        let client = client.filter(|name| !name.trim().is_empty());
        let client = client.unwrap_or_else(|| UNNAMED.to_owned());
        let modern = is_modern(context);
        let (seat, gone, over_http, principal, taken) = match &self.place {
            Place::Process { seat, closed, taken } => {
                (seat.clone(), closed.clone(), false, LOCAL.to_owned(), taken.clone())
            }
            #[cfg(feature = "http")]
            Place::Host { session } => {
                let it = crate::http::visitor(&context.extensions)?;
                let session = match modern {
                    // No client of this revision has one: what it calls itself is all there is.
                    true => format!("mcp:{client}"),
                    false => session.get_or_init(crate::http::new_session).clone(),
                };
                let (desk, person) = (it.desk, it.person);
                let seat = Seat { desk, person, rule: None, session, cwd: None };
                (seat, it.gone, true, it.owner.to_string(), it.taken)
            }
        };
        let cancelled = context.ct.clone();
        let delivery = Delivery::new(&self.shared, &seat, &principal, context, taken);
        Ok(Call {
            shared: Arc::clone(&self.shared),
            seat,
            client,
            over_http,
            principal,
            shows: Shows::of(context.client_capabilities().as_ref()),
            version: context.protocol_version().unwrap_or_default(),
            modern,
            peer: context.peer.clone(),
            resumable: over_http && !modern,
            under_way: self.calls.begin(context.id.clone(), cancelled, vec![gone]),
            progress: Progress::new(&context.peer, context.meta.get_progress_token()),
            delivery,
        })
    }
}

/// Whether a call is of a revision without sessions.
fn is_modern(context: &RequestContext<RoleServer>) -> bool {
    let version = context.protocol_version();
    version.is_some_and(|it| it.as_str() >= ProtocolVersion::V_2026_07_28.as_str())
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let mut about = Implementation::new("askwell", env!("CARGO_PKG_VERSION"));
        about.title = Some("askwell".to_owned());
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(about)
            .with_instructions(texts::INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut list = ListToolsResult::with_all_items(self.shared.tools.clone());
        if is_modern(&context) {
            list.ttl_ms = Some(LISTED);
            list.cache_scope = Some(CacheScope::Private);
        }
        Ok(list)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.shared.tools.iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let call = self.call(&context)?;
        let delivery = call.delivery.clone();
        let rounds = request.request_state.is_some();
        let called = async {
            match &*request.name {
                tool::ASK_USER_QUESTION if rounds => call.next_round(request).await,
                tool::ASK_USER_QUESTION => {
                    Ok(call.ask(request.arguments.unwrap_or_default()).await)
                }
                tool::GET_ANSWERS => {
                    Ok(call.get_answers(request.arguments.unwrap_or_default()).await.into())
                }
                tool::CANCEL_QUESTION => {
                    Ok(call.cancel_question(request.arguments.unwrap_or_default()).await.into())
                }
                name => Err(ErrorData::invalid_params(texts::unknown_tool(name), None)),
            }
        };
        let response = whole(called).await;
        delivery.begin();
        response
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(params::refuse(request))
    }

    async fn on_cancelled(
        &self,
        cancelled: CancelledNotificationParam,
        _: NotificationContext<RoleServer>,
    ) {
        if let Some(id) = &cancelled.request_id {
            self.calls.cancel(id, cancelled.reason);
        }
    }
}

/// A response in any case: a call that panics is answered too.
async fn whole(
    call: impl Future<Output = Result<CallToolResponse, ErrorData>>,
) -> Result<CallToolResponse, ErrorData> {
    AssertUnwindSafe(call).catch_unwind().await.unwrap_or_else(|_| {
        tracing::error!("a call panicked");
        let message = "askwell has a fault: this call failed. What was asked is kept.";
        Ok(reply::failed(ErrorCode::Internal.as_str(), message.to_owned()).into())
    })
}

/// What is done once at a time for each request.
#[derive(Debug, Default)]
pub(crate) struct Once(Mutex<HashSet<RequestId>>);

impl Once {
    /// Begins it, unless it is done already.
    pub fn begin(&self, id: RequestId) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(id)
    }

    /// It is done.
    pub fn end(&self, id: RequestId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_tool_of_the_list_is_shown_as_it_is() {
        let shared = Shared::new(Options::default());

        assert_eq!(json!(shared.tools), json!(tool::list()));
    }
}
