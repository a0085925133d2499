//! axe-core on a page: the rules of accessibility that a machine can check.

use std::fmt;
use std::fs;

use serde_json::Value;

use super::{Tab, target};

/// A rule that a page breaks.
#[derive(Clone, PartialEq, Eq)]
pub struct Violation {
    /// Its name: `color-contrast`.
    pub rule: String,
    /// What it asks for.
    pub help: String,
    /// Where it is broken: selector, and what is wrong there.
    pub places: Vec<String>,
}

/// On lines of its own, since it is read in the message of a failed test.
impl fmt::Debug for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.rule, self.help)?;
        self.places.iter().try_for_each(|place| write!(formatter, "\n    {place}"))
    }
}

const RUN: &str = "
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const results = await axe.run(document, {resultTypes: ['violations'], runOnly: tags});
    return results.violations.map(({id, help, nodes}) => [id, help, nodes.map((node) =>
        `${node.target.join(' ')}: ${node.failureSummary.replace(/\\s+/g, ' ')}`)]);";

const AT_REST: &str = "return document.getAnimations().every((it) => it.playState !== 'running')";

impl Tab {
    /// Every rule that the page breaks, as it stands.
    ///
    /// # Panics
    /// When axe-core is not in its place below the target folder.
    #[track_caller]
    pub fn axe(&self) -> Vec<Violation> {
        if self.run("return typeof axe") != "object" {
            let path = target().join("npm/node_modules/axe-core/axe.min.js");
            let source = fs::read_to_string(&path).unwrap_or_else(|error| {
                panic!("{}: {error}; `cargo xtask test` puts it there", path.display())
            });
            // As a function's body its globals would be its own.
            self.run_with("(0, eval)(arguments[0])", &[source.into()]);
        }
        // Colours on their way to others are neither.
        self.wait_true("nothing moving", AT_REST);
        let found = self.run_async(RUN, &[]);
        found.as_array().unwrap().iter().map(read).collect()
    }

    /// Asserts that the page breaks no rule. `what` names its state when it does.
    #[track_caller]
    pub fn assert_accessible(&self, what: &str) -> &Self {
        let violations = self.axe();
        assert!(violations.is_empty(), "{what}: {violations:#?}\n{}", self.report());
        self
    }
}

fn read(violation: &Value) -> Violation {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let places = violation[2].as_array().into_iter().flatten();
    Violation {
        rule: text(&violation[0]),
        help: text(&violation[1]),
        places: places.map(text).collect(),
    }
}
