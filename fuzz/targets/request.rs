//! A request as strict readers take it. What was accepted is read again as the same request; what
//! was refused says why, in words that a terminal can show.

#![no_main]

use askwell_core::request;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match request::from_json(text) {
        Ok(accepted) => {
            let written = serde_json::to_string(&*accepted).unwrap();
            assert_eq!(request::from_json(&written).as_ref(), Ok(&accepted), "{written}");
        }
        Err(bad) => {
            assert!(!bad.faults().is_empty());
            assert!(bad.faults().iter().all(|fault| !fault.to_string().trim().is_empty()));
        }
    }
});
