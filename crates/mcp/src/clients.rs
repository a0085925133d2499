//! How long a tool call of each client may wait for a person: as long as that client is known to let
//! it, and no longer than is safe with any other.

use std::str::FromStr;
use std::time::Duration;

/// What every client lets a call take. Most give up after 60 seconds.
const ANY: Duration = Duration::from_secs(45);

/// A client whose limits are known.
struct Known {
    /// How its name begins, folded.
    name: &'static str,
    /// What it lets a call take that tells nothing.
    silent: Duration,
    /// What it lets a call take that tells its progress.
    telling: Duration,
}

/// What was measured or is documented; `docs/mcp.md` tells it to people.
const KNOWN: [Known; 3] = [
    // Half an hour without a sign of life over stdio; with one as long as a day.
    Known {
        name: "claudecode",
        silent: Duration::from_secs(20 * 60),
        telling: Duration::from_secs(12 * 3_600),
    },
    // Ten minutes, whatever is told.
    Known {
        name: "geminicli",
        silent: Duration::from_secs(9 * 60),
        telling: Duration::from_secs(9 * 60),
    },
    // No limit of its own, but known to hang after five minutes.
    Known {
        name: "visualstudiocode",
        silent: Duration::from_secs(4 * 60),
        telling: Duration::from_secs(4 * 60),
    },
];

/// How long a call waits, by client.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Clients {
    /// For every client.
    every: Option<Duration>,
    /// For those of these names.
    named: Vec<(String, Duration)>,
}

impl Clients {
    /// The same, with this for every client that is not named.
    #[must_use]
    pub fn with_every(mut self, wait: Option<Duration>) -> Self {
        self.every = wait;
        self
    }

    /// The longest wait of a call. `tells`: whether the client asked to be told the progress.
    /// `first_byte`: whether nothing reaches it before the first message, as over HTTP.
    pub(crate) fn longest(&self, client: &str, tells: bool, first_byte: bool) -> Duration {
        let name = fold(client);
        let named = self.named.iter().find(|(named, _)| name.starts_with(named.as_str()));
        let chosen = named.map(|(_, wait)| *wait).or(self.every);
        let known = || {
            let known = KNOWN.iter().find(|known| name.starts_with(known.name));
            known.map(|known| if tells { known.telling } else { known.silent })
        };
        let longest = chosen.or_else(known).unwrap_or(ANY);
        // A connection on which nothing comes is cut after a minute.
        if first_byte && !tells { longest.min(ANY) } else { longest }
    }
}

/// A list of clients and waits that can't be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadWait;

impl FromStr for Clients {
    type Err = BadWait;

    /// Reads `codex-mcp-client=10m, claude-code=90`; a number alone is seconds.
    fn from_str(text: &str) -> Result<Self, BadWait> {
        let entries = text.split(',').map(str::trim).filter(|entry| !entry.is_empty());
        let named = entries.map(|entry| {
            let (name, wait) = entry.split_once('=').ok_or(BadWait)?;
            let name = fold(name);
            match name.is_empty() {
                true => Err(BadWait),
                false => Ok((name, length(wait.trim()).ok_or(BadWait)?)),
            }
        });
        Ok(Self { every: None, named: named.collect::<Result<_, _>>()? })
    }
}

fn length(text: &str) -> Option<Duration> {
    let (number, unit) = match text.char_indices().next_back()? {
        (at, 's') => (&text[..at], 1),
        (at, 'm') => (&text[..at], 60),
        (at, 'h') => (&text[..at], 3_600),
        _ => (text, 1),
    };
    let seconds = number.parse::<u32>().ok()?;
    Some(Duration::from_secs(u64::from(seconds) * unit))
}

/// A name by its letters and digits alone.
fn fold(name: &str) -> String {
    let letters = name.chars().filter(|character| character.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("anything", true, false, 45)]
    #[case("claude-code", true, false, 43_200)]
    #[case("claude-code", false, false, 1_200)]
    #[case("claude-code", true, true, 43_200)]
    #[case("claude-code", false, true, 45)]
    #[case("gemini-cli-mcp-client-askwell", false, false, 540)]
    #[case("Visual Studio Code", true, true, 240)]
    #[case("codex-mcp-client", true, false, 45)]
    fn a_call_waits_as_long_as_its_client_lets_it(
        #[case] client: &str,
        #[case] tells: bool,
        #[case] http: bool,
        #[case] seconds: u64,
    ) {
        let longest = Clients::default().longest(client, tells, http);

        assert_eq!(longest, Duration::from_secs(seconds));
    }

    #[test]
    fn what_a_person_sets_goes_before_what_is_known() {
        let clients: Clients = "Codex-MCP-client = 10m, claude-code=90".parse().unwrap();
        let clients = clients.with_every(Some(Duration::from_secs(7)));
        let longest = |client, tells, http| clients.longest(client, tells, http).as_secs();

        assert_eq!(longest("codex_mcp_client", false, false), 600);
        assert_eq!(longest("codex-mcp-client", false, true), 45);
        assert_eq!(longest("claude-code", true, false), 90);
        assert_eq!(longest("gemini-cli", true, false), 7);
    }

    #[rstest]
    #[case("claude-code")]
    #[case("claude-code=soon")]
    #[case("=10m")]
    #[case("a=-1")]
    fn what_is_no_list_is_refused(#[case] text: &str) {
        assert_eq!(text.parse::<Clients>(), Err(BadWait));
    }
}
