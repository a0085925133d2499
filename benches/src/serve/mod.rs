//! The host as it is released, over loopback HTTP, beside what it is compared with.

mod crowd;
mod cycle;
mod disk;
pub mod exchange;
pub mod fill;
mod growth;
pub mod http;
mod inbox;
mod pending;
pub mod program;
mod start;
mod subscribers;

pub use cycle::measure as cycle;
pub use growth::measure as growth;
pub use inbox::measure as inbox;
pub use pending::measure as pending;
pub use start::measure as start;
pub use subscribers::measure as subscribers;

use anyhow::Result;
use tokio::runtime::{Builder, Runtime};

/// One thread for the client: the host needs the others.
pub fn runtime() -> Result<Runtime> {
    Ok(Builder::new_current_thread().enable_all().build()?)
}
