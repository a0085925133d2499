//! The one table. Budgets stand where they are measured, as the largest value that is allowed.

use std::fmt;
use std::time::Duration;

/// A number with its unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Amount {
    Time(Duration),
    Bytes(u64),
    Memory(u64),
    Count(u64),
    Ratio(f64),
    PerSecond(f64),
}

impl Amount {
    fn value(self) -> f64 {
        match self {
            Self::Time(time) => time.as_secs_f64(),
            Self::Bytes(count) | Self::Memory(count) | Self::Count(count) => count as f64,
            Self::Ratio(ratio) | Self::PerSecond(ratio) => ratio,
        }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Time(time) if time.as_millis() >= 100 => format!("{} ms", time.as_millis()),
            Self::Time(time) if time.as_micros() < 100 => {
                format!("{:.1} µs", time.as_secs_f64() * 1e6)
            }
            Self::Time(time) => format!("{:.2} ms", time.as_secs_f64() * 1e3),
            Self::Bytes(bytes) => format!("{bytes} B"),
            Self::Memory(bytes) => format!("{:.2} MiB", *bytes as f64 / f64::from(1 << 20)),
            Self::Count(count) => count.to_string(),
            Self::Ratio(ratio) => format!("{ratio:.2} ×"),
            Self::PerSecond(count) => format!("{count:.0} /s"),
        };
        formatter.pad(&text)
    }
}

/// What was measured so far.
#[derive(Default)]
pub struct Report {
    rows: Vec<[String; 4]>,
    complete_but_for: Vec<String>,
    notes: Vec<String>,
}

impl Report {
    /// A value without a budget, for scale.
    pub fn value(&mut self, what: impl Into<String>, measured: Amount) {
        self.rows.push([what.into(), measured.to_string(), String::new(), String::new()]);
    }

    /// A value that a budget was set for.
    pub fn budgeted(&mut self, what: impl Into<String>, measured: Amount, budget: Amount) {
        let met = measured.value() <= budget.value();
        self.row(what.into(), measured, format!("≤ {budget}"), met);
    }

    /// A value that is to be as large as this.
    pub fn at_least(&mut self, what: impl Into<String>, measured: Amount, budget: Amount) {
        let met = measured.value() >= budget.value();
        self.row(what.into(), measured, format!("≥ {budget}"), met);
    }

    fn row(&mut self, what: String, measured: Amount, budget: String, met: bool) {
        let verdict = if met { "pass" } else { "MISS" };
        self.rows.push([what, measured.to_string(), budget, verdict.to_owned()]);
    }

    /// What has to be known of the run to read the table.
    pub fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Says why a part has no values.
    pub fn not_measured(&mut self, what: &str, reason: &anyhow::Error) {
        self.complete_but_for.push(format!("{what} not measured: {reason:#}"));
    }

    /// Whether everything could be measured.
    pub fn is_complete(&self) -> bool {
        self.complete_but_for.is_empty()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = ["measure (medians)", "measured", "budget", ""].map(String::from);
        let all = || std::iter::once(&head).chain(&self.rows);
        let width =
            |column: usize| all().map(|row| row[column].chars().count()).max().unwrap_or_default();
        let (what, measured, budget) = (width(0), width(1), width(2));
        writeln!(formatter)?;
        for row in all() {
            let line =
                format!("{:what$}  {:>measured$}  {:>budget$}  {}", row[0], row[1], row[2], row[3]);
            writeln!(formatter, "{}", line.trim_end())?;
        }
        for line in self.complete_but_for.iter().chain(&self.notes) {
            writeln!(formatter, "{line}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_says_what_missed() {
        let mut report = Report::default();
        report.value("start", Amount::Time(Duration::from_micros(9_876)));
        report.budgeted("ratio", Amount::Ratio(1.5), Amount::Ratio(1.2));
        report.budgeted("memory", Amount::Memory(3 << 20), Amount::Memory(3 << 20));
        report.at_least("rate", Amount::PerSecond(99.0), Amount::PerSecond(100.0));
        report.note("2 processors".to_owned());

        let expected = "
measure (medians)  measured      budget
start               9.88 ms
ratio                1.50 ×    ≤ 1.20 ×  MISS
memory             3.00 MiB  ≤ 3.00 MiB  pass
rate                  99 /s    ≥ 100 /s  MISS
2 processors
";
        assert_eq!(report.to_string(), expected);
    }
}
