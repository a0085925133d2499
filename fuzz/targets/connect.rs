//! The configuration of an agent as a person may have it. What is changed once is not changed again, and
//! what was put in is found, and taken out.

#![no_main]

use std::path::PathBuf;

use askwell_agents::connect::{Agent, Places, Scope, Target, Wish};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let home = PathBuf::from("/home/kim");
    let places = Places {
        config: home.join(".config"),
        project: home.join("shop"),
        claude: None,
        codex: None,
        opencode_comments: false,
        is_mac: false,
        home,
    };
    let wish = Wish {
        program: "askwell".to_owned(),
        state: PathBuf::from("/home/kim/.local/state/askwell"),
        mcp: false,
        always: false,
        forms: true,
    };
    for agent in Agent::ALL {
        for target in agent.targets(&wish, Scope::User, &places).iter().filter(|it| it.tells()) {
            check(agent, target, text);
        }
    }
});

fn check(agent: Agent, target: &Target, text: &str) {
    let Ok(once) = target.with(Some(text)) else { return };
    assert_eq!(target.with(Some(&once)).as_deref(), Ok(once.as_str()), "{once}");
    assert!(!agent.found(&once).unwrap().is_empty(), "{once}");
    let without = target.without(&once).unwrap().unwrap();
    assert_eq!(target.without(&without).unwrap().as_deref(), Some(without.as_str()), "{without}");
    // A text is only cut or added to: what an agent reads of the rest is the same.
    assert!(target.with(Some(&without)).is_ok(), "{without}");
}
