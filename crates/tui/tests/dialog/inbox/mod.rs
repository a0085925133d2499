//! The inbox: keys and events in, pictures and what is to be done out.

mod answering;
mod lines;
mod listing;
mod pictures;
mod scenario;
