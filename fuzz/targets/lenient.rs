//! A request as models send it. What was mended is one that the strict reader takes, and the same
//! again to the lenient one.

#![no_main]

use askwell_core::{lenient, request};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    match lenient::request_from_slice(bytes) {
        Ok(mended) => {
            let written = serde_json::to_string(&*mended).unwrap();
            assert_eq!(request::from_json(&written).as_ref(), Ok(&mended), "{written}");
            assert_eq!(lenient::request_from_json(&written).as_ref(), Ok(&mended), "{written}");
        }
        Err(bad) => assert!(!bad.faults().is_empty()),
    }
});
