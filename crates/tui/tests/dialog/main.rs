//! The dialog as a person meets it, without a terminal: keys in, pictures and answers out.

mod answering;
mod leaving;
mod pictures;
mod scenario;
