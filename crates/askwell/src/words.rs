//! How requests are told to people on the command line: lines of text, in one place.

use askwell::inbox::wire::{
    Answering, DraftEntry, DraftView, ProviderName, Receipt, RequestSummary, RequestView,
    UnixMillis,
};
use askwell::messages::{Lang, Messages};
use askwell::{Asker, Draft, Question, State, facts, texts};
use serde_json::Value;

/// A length of time between two points, in its largest unit.
pub fn time_between(from: UnixMillis, to: UnixMillis) -> String {
    let seconds = u64::try_from(to.saturating_sub(from) / 1_000).unwrap_or(0);
    let text = texts::duration(seconds);
    text.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

/// A request in a list: two lines.
pub fn summary(request: &RequestSummary, now: UnixMillis) -> [String; 2] {
    let mut parts = vec![asker(request.asker.as_ref(), &request.credential)];
    parts.push(format!("{} ago", time_between(request.created_at, now)));
    if request.questions > 1 {
        parts.push(format!("{} questions", request.questions));
    }
    match &request.receipt {
        Some(receipt) => parts.push(ended(request.state, receipt, now)),
        None => {
            if request.draft_edited_at.is_some() {
                parts.push("draft begun".to_owned());
            }
            parts.extend(answering(&request.answering, now));
            if let Some(deadline) = request.deadline_at {
                parts.push(format!("expires in {}", time_between(now, deadline)));
            }
            if let Some(since) = request.away_since {
                parts.push(format!("asker away for {}", time_between(since, now)));
            }
        }
    }
    let header = request.header.as_ref().map(|header| format!("{header}: ")).unwrap_or_default();
    [format!("{}  {header}{}", request.id, request.question), format!("  {}", parts.join(" · "))]
}

/// Who else is answering.
fn answering(others: &[Answering], now: UnixMillis) -> Option<String> {
    let names = facts::persons(&Messages::new(Lang::En), Answering::names(others, now))?;
    Some(format!("being answered by {names}"))
}

/// Who asks: what it says of itself, and the name of its credential.
pub fn asker(asker: Option<&Asker>, credential: &str) -> String {
    let name = asker.and_then(|asker| asker.name.as_deref()).filter(|name| !name.trim().is_empty());
    let chain = asker.map(|asker| asker.chain.join(" > ")).filter(|chain| !chain.is_empty());
    let name = match name {
        Some(name) => format!("{name} ({credential})"),
        None => credential.to_owned(),
    };
    match chain {
        Some(chain) => format!("{name} > {chain}"),
        None => name,
    }
}

/// How and when a request ended.
pub fn ended(state: State, receipt: &Receipt, now: UnixMillis) -> String {
    let mut text = format!("{} {} ago", state.as_str(), time_between(receipt.at, now));
    if let Some(by) = &receipt.by {
        text.push_str(&format!(" by {by}"));
    }
    if let Some(provider) = receipt.provider {
        text.push_str(&format!(" ({})", provider_words(provider)));
    }
    let waited_for = matches!(state, State::Answered | State::Cancelled);
    if waited_for {
        text.push_str(match receipt.picked_up_at {
            None => ", not picked up yet",
            Some(_) => ", picked up",
        });
    }
    text
}

fn provider_words(provider: ProviderName) -> &'static str {
    match provider {
        ProviderName::Terminal => "in a terminal",
        ProviderName::Web => "in a browser",
        ProviderName::Elicitation => "in an MCP client",
        ProviderName::Rule => "by a rule",
        ProviderName::Api => "by a program",
    }
}

/// A whole request, its draft and its outcome.
pub fn request(view: &RequestView, draft: Option<&DraftView>, now: UnixMillis) -> Vec<String> {
    let mut lines = vec![format!("{}: {}", view.id, view.state.as_str())];
    let asker = asker(view.request.asker.as_ref(), &view.credential);
    lines.push(format!("asked by {asker} {} ago", time_between(view.created_at, now)));
    if let Some(asker) = &view.request.asker {
        let said = [("session", &asker.session), ("folder", &asker.cwd)];
        let said = said.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
        lines.extend(said.map(|(name, value)| format!("{name}: {value}")));
    }
    if view.state == State::Pending {
        if let Some(deadline) = view.deadline_at {
            lines.push(format!("expires in {}", time_between(now, deadline)));
        }
        match view.away_since {
            Some(since) => {
                lines.push(format!("its asker is away for {}", time_between(since, now)))
            }
            None if view.attached => lines.push("its asker is waiting".to_owned()),
            None => lines.push("its asker comes back for the answer".to_owned()),
        }
        lines.extend(answering(&view.answering, now));
    }
    lines.extend(view.url.iter().map(|url| format!("page: {url}")));
    lines.extend(block("context", view.request.context.as_deref()));
    for (index, question) in view.request.questions.iter().enumerate() {
        lines.push(String::new());
        lines.extend(question_lines(index, question));
        let entry = draft.and_then(|draft| draft.questions.get(index));
        lines.extend(entry.into_iter().flat_map(|entry| draft_lines(question, entry)));
    }
    if let Some(offered) = draft.and_then(|draft| draft.offered.as_ref()) {
        lines.push(String::new());
        lines.push(format!("an earlier draft of the same questions is offered ({})", offered.from));
    }
    if let Some(receipt) = &view.receipt {
        lines.push(String::new());
        lines.push(ended(view.state, receipt, now));
        lines.extend(view.outcome.iter().flat_map(outcome_lines));
    }
    for late in &view.late {
        lines.push(String::new());
        let ago = time_between(late.at, now);
        let by = format!("{} ({})", late.by, provider_words(late.provider));
        lines.push(format!("too late, {ago} ago, by {by}:"));
        lines.extend(outcome_lines(&late.response));
    }
    lines
}

fn question_lines(index: usize, question: &Question) -> Vec<String> {
    let header = question.header.as_ref().map(|header| format!("{header}: ")).unwrap_or_default();
    let kind = match (question.is_free_text(), question.is_multi_select()) {
        (true, _) => "text",
        (false, true) => "choose any",
        (false, false) => "choose one",
    };
    let id = &question.id;
    let mut lines = block(&format!("{}. {header}", index + 1), Some(&question.question));
    lines.push(format!("   [{id}] {kind}"));
    lines.extend(block("   detail", question.detail.as_deref()));
    lines.extend(question.options.iter().map(|option| match &option.description {
        Some(description) => format!("   - {}: {description}", option.label),
        None => format!("   - {}", option.label),
    }));
    lines
}

fn draft_lines(question: &Question, entry: &DraftEntry) -> Vec<String> {
    let state = &entry.state;
    let mut lines = Vec::new();
    let text_counts = Draft::from_state(question, state).custom_counts();
    let choice = match (state.skipped, text_counts && !question.is_multi_select()) {
        (true, _) => " (skipped)",
        (false, true) => " (the text counts instead)",
        (false, false) => "",
    };
    if !state.chosen.is_empty() || state.skipped {
        lines.push(format!("   draft{choice}: {}", state.chosen.join(", ")));
    }
    if !state.custom.is_empty() {
        let off = if text_counts { "" } else { " (kept, not sent)" };
        lines.extend(block(&format!("   draft text{off}"), Some(&state.custom)));
    }
    for kept in &entry.kept {
        lines.extend(block("   kept from another screen", Some(&kept.text)));
    }
    lines
}

/// An outcome, or a late response.
fn outcome_lines(document: &Value) -> Vec<String> {
    let text = |name| document.get(name).and_then(Value::as_str);
    let answers = document.get("answers").and_then(Value::as_array);
    let answers = answers.into_iter().flatten().flat_map(|answer| {
        let id = answer.get("id").and_then(Value::as_str).unwrap_or("?");
        let selected = answer.get("selected").and_then(Value::as_array);
        let selected: Vec<&str> =
            selected.into_iter().flatten().filter_map(Value::as_str).collect();
        let custom = answer.get("custom").and_then(Value::as_str);
        let mut lines = match (selected.is_empty(), custom) {
            (true, None) => vec![format!("   {id}: skipped")],
            (true, Some(_)) => Vec::new(),
            (false, _) => vec![format!("   {id}: {}", selected.join(", "))],
        };
        lines.extend(block(&format!("   {id}, own text"), custom));
        lines
    });
    let mut lines: Vec<String> = answers.collect();
    lines.extend(block("   comment", text("comment")));
    lines.extend(block("   reason", text("reason")));
    lines
}

/// A text under its name, which may have several lines.
fn block(name: &str, text: Option<&str>) -> Vec<String> {
    let Some(text) = text else { return Vec::new() };
    let joint = if name.ends_with(". ") || name.ends_with(": ") { "" } else { ": " };
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let mut all = vec![format!("{name}{joint}{first}")];
    all.extend(lines.map(|line| format!("     {line}")));
    all
}

#[cfg(test)]
mod tests {
    use askwell::draft::DraftState;
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn a_draft_says_which_of_choice_and_text_counts() {
        let told = |multi: bool, custom_on: bool| {
            let mut question = Question::new("db", "Which?").option("Postgres");
            question.multi_select = multi;
            let (chosen, custom) = (vec!["Postgres".to_owned()], "mine".to_owned());
            let state = DraftState { id: "db".into(), chosen, custom, custom_on, skipped: false };
            draft_lines(&question, &DraftEntry { state, revision: 1, kept: Vec::new() })
        };

        let [instead, text] =
            ["   draft (the text counts instead): Postgres", "   draft text: mine"];
        assert_eq!(told(false, true), [instead, text]);
        let [choice, kept] = ["   draft: Postgres", "   draft text (kept, not sent): mine"];
        assert_eq!(told(false, false), [choice, kept]);
        assert_eq!(told(true, true), [choice, text]);
    }
}
