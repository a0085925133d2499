//! Counts and times of the transport, and the text in which Prometheus reads them together with
//! those of the host and its store.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use askwell_host::Stats;
use askwell_store::Metrics as StoreMetrics;

use crate::table;

/// Upper bounds of the buckets of a call's time, in microseconds.
const BOUNDS: [u64; 10] =
    [300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000];

/// What is counted.
#[derive(Debug)]
pub(crate) struct Metrics {
    calls: Vec<Calls>,
    connections: AtomicU64,
    refused: AtomicU64,
}

/// The calls of one operation.
#[derive(Debug)]
struct Calls {
    name: &'static str,
    /// By how long they took; the last, longer than every bound.
    within: [AtomicU64; BOUNDS.len() + 1],
    micros: AtomicU64,
    /// By the class of their status: 2xx, 4xx, 5xx.
    statuses: [AtomicU64; 3],
}

const CLASSES: [&str; 3] = ["2xx", "4xx", "5xx"];

impl Default for Metrics {
    fn default() -> Self {
        let calls = table::operations().into_iter().map(|operation| Calls {
            name: operation.name,
            within: Default::default(),
            micros: AtomicU64::new(0),
            statuses: Default::default(),
        });
        Self { calls: calls.collect(), connections: AtomicU64::new(0), refused: AtomicU64::new(0) }
    }
}

impl Metrics {
    /// Counts a call of the operation at this place in the table.
    pub fn called(&self, operation: usize, status: u16) {
        if let Some(calls) = self.calls.get(operation) {
            let class = match status {
                500.. => 2,
                400.. => 1,
                _ => 0,
            };
            calls.statuses[class].fetch_add(1, Relaxed);
        }
    }

    /// Counts how long a call took. (Waits and streams take as long as they shall.)
    pub fn took(&self, operation: usize, time: Duration) {
        if let Some(calls) = self.calls.get(operation) {
            let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
            let bucket = BOUNDS.iter().position(|bound| micros <= *bound).unwrap_or(BOUNDS.len());
            calls.within[bucket].fetch_add(1, Relaxed);
            calls.micros.fetch_add(micros, Relaxed);
        }
    }

    /// Counts a connection for as long as the guard lives.
    pub fn connected(&self) -> Connected<'_> {
        self.connections.fetch_add(1, Relaxed);
        Connected(&self.connections)
    }

    /// How many connections are open.
    pub fn connections(&self) -> u64 {
        self.connections.load(Relaxed)
    }

    /// Counts a connection that was one too many.
    pub fn refused(&self) {
        self.refused.fetch_add(1, Relaxed);
    }

    /// Everything in the Prometheus text format.
    pub fn expose(&self, stats: &Stats) -> String {
        let mut text = Text::default();
        let store = &stats.store;
        text.gauge("askwell_pending", "Requests that wait for a person.", stats.pending);
        text.gauge("askwell_away", "Those of them whose asker is away.", stats.away);
        text.gauge("askwell_watching", "Open event streams of answerers.", stats.watching.into());
        text.family("askwell_settled_total", "counter", "Requests that ended, by outcome.");
        for (state, count) in stats.settled {
            text.sample("askwell_settled_total", &[("outcome", state.as_str())], count);
        }
        text.gauge("askwell_connections", "Open connections.", self.connections());
        let help = "Connections that were one too many.";
        text.counter("askwell_connections_refused_total", help, self.refused.load(Relaxed));
        self.calls(&mut text);
        text.counter("askwell_store_writes_total", "Writes that were committed.", store.writes);
        let help = "Transactions that failed.";
        text.counter("askwell_store_failures_total", help, store.failures);
        text.family("askwell_store_commit_seconds", "histogram", "How long a commit took.");
        text.histogram(
            "askwell_store_commit_seconds",
            None,
            &StoreMetrics::BOUNDS,
            store.commits_within.iter().copied(),
            store.commit_time,
        );
        text.0
    }

    fn calls(&self, text: &mut Text) {
        text.family("askwell_http_responses_total", "counter", "Responses, by call and status.");
        for calls in &self.calls {
            for (class, count) in CLASSES.iter().zip(&calls.statuses) {
                let labels = [("call", calls.name), ("status", class)];
                text.sample("askwell_http_responses_total", &labels, count.load(Relaxed));
            }
        }
        let help = "How long a call took; waits and streams are not counted.";
        text.family("askwell_http_seconds", "histogram", help);
        for calls in &self.calls {
            text.histogram(
                "askwell_http_seconds",
                Some(("call", calls.name)),
                &BOUNDS,
                calls.within.iter().map(|count| count.load(Relaxed)),
                Duration::from_micros(calls.micros.load(Relaxed)),
            );
        }
    }
}

/// An open connection, counted.
pub(crate) struct Connected<'m>(&'m AtomicU64);

impl Drop for Connected<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// The text format. Names, labels and helps are our own words, which need no escaping.
#[derive(Default)]
struct Text(String);

impl Text {
    fn family(&mut self, name: &str, kind: &str, help: &str) {
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn gauge(&mut self, name: &str, help: &str, value: u64) {
        self.family(name, "gauge", help);
        self.sample(name, &[], value);
    }

    fn counter(&mut self, name: &str, help: &str, value: u64) {
        self.family(name, "counter", help);
        self.sample(name, &[], value);
    }

    fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: impl std::fmt::Display) {
        let labels: Vec<String> =
            labels.iter().map(|(name, value)| format!("{name}=\"{value}\"")).collect();
        let _ = match labels.is_empty() {
            true => writeln!(self.0, "{name} {value}"),
            false => writeln!(self.0, "{name}{{{}}} {value}", labels.join(",")),
        };
    }

    fn histogram(
        &mut self,
        name: &str,
        label: Option<(&str, &str)>,
        bounds: &[u64],
        within: impl Iterator<Item = u64>,
        sum: Duration,
    ) {
        let mut so_far = 0;
        let bounds = bounds.iter().map(|micros| Some(*micros)).chain([None]);
        for (bound, count) in bounds.zip(within) {
            so_far += count;
            let bound = match bound {
                Some(micros) => Duration::from_micros(micros).as_secs_f64().to_string(),
                None => "+Inf".to_owned(),
            };
            let labels: Vec<_> = label.into_iter().chain([("le", bound.as_str())]).collect();
            self.sample(&format!("{name}_bucket"), &labels, so_far);
        }
        let labels: Vec<_> = label.into_iter().collect();
        self.sample(&format!("{name}_sum"), &labels, sum.as_secs_f64());
        self.sample(&format!("{name}_count"), &labels, so_far);
    }
}
