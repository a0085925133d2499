//! What a host promises when it is killed, raced for or let down by its disk: the real program,
//! driven over HTTP by clients that note what they send and what they are told.
//!
//! A few minutes' worth in all. `cargo xtask soak` runs the same with the release program
//! (`ASKWELL_SOAK_PROGRAM`) for longer (`ASKWELL_SOAK_ROUNDS`, `ASKWELL_SOAK_CLAIMS`); a failure
//! tells its seed (`ASKWELL_SOAK_SEED`).

mod check;
mod disk;
pub mod http;
mod ledger;
mod life;
mod parts;
mod race;
mod random;
mod rounds;
mod watch;
mod workers;
