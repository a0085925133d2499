//! A request as the fields of a form: for each question, by its place, a choice `q01` and a text
//! `q01_custom` beside it. Ids and labels of the asker are never names of fields.

use std::collections::BTreeMap;

use askwell_core::draft::DraftState;
use askwell_core::messages::Messages;
use askwell_core::text::{next_cluster, sanitize, sanitize_line};
use askwell_core::{Question, QuestionOption, ValidRequest, limits};
use rmcp::model::{
    BooleanSchema, ConstTitle, ElicitRequestParams, ElicitationSchema, EnumSchema,
    LegacyEnumSchema, MultiSelectEnumSchema, PrimitiveSchemaDefinition, ProtocolVersion,
    SingleSelectEnumSchema, StringSchema, TitledItems, TitledMultiSelectEnumSchema,
    TitledSingleSelectEnumSchema,
};

/// The longest text of an asker that is shown around the fields, in bytes.
const SHOWN: usize = 2_000;

/// The longest description of an option beside its label, in bytes.
const BESIDE: usize = 120;

/// So many options of a question are a switch each, where the revision has no lists of choices.
const SWITCHES: usize = 20;

/// The name of the field of a question's choice, or of its text where it has none.
pub(crate) fn choice(question: usize) -> String {
    format!("q{:02}", question + 1)
}

/// The name of the field of a question's text beside its choice.
pub(crate) fn custom(question: usize) -> String {
    format!("q{:02}_custom", question + 1)
}

/// The name of the switch of an option.
pub(crate) fn switch(question: usize, option: usize) -> String {
    format!("q{:02}_{:02}", question + 1, option + 1)
}

/// Whether clients of a revision can show every question. Those of the first one that has forms know
/// no lists of choices.
pub(crate) fn can_be_shown(request: &ValidRequest, version: &ProtocolVersion) -> bool {
    let fits = |question: &Question| {
        !question.is_multi_select() || question.options.len() <= SWITCHES || has_lists(version)
    };
    *version >= ProtocolVersion::V_2025_06_18 && request.questions.iter().all(fits)
}

fn has_lists(version: &ProtocolVersion) -> bool {
    *version >= ProtocolVersion::V_2025_11_25
}

/// The form of a request, with this said before everything else, and the texts in it that were entered
/// before.
pub(crate) fn form(
    request: &ValidRequest,
    version: &ProtocolVersion,
    messages: &Messages,
    said: Option<&str>,
    entered: &[DraftState],
) -> ElicitRequestParams {
    let mut fields = Fields { in_order: Vec::new(), all: BTreeMap::new(), entered };
    for (index, question) in request.questions.iter().enumerate() {
        fields.add_question(index, question, version, messages);
    }
    let mut schema = ElicitationSchema::new(fields.all);
    schema.property_order = Some(fields.in_order);
    let context = request.context.as_deref().map(|context| shown(context, SHOWN));
    let hint = messages.get("form-hint");
    let parts = [said.map(str::to_owned), context, Some(hint)];
    let message = parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n");
    ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema: schema }
}

struct Fields<'a> {
    entered: &'a [DraftState],
    in_order: Vec<String>,
    all: BTreeMap<String, PrimitiveSchemaDefinition>,
}

impl Fields<'_> {
    fn add(&mut self, name: String, field: PrimitiveSchemaDefinition) {
        self.in_order.push(name.clone());
        self.all.insert(name, field);
    }

    fn add_question(
        &mut self,
        index: usize,
        question: &Question,
        version: &ProtocolVersion,
        messages: &Messages,
    ) {
        let title = sanitize_line(&question.question).into_owned();
        let about = about(question);
        if question.is_free_text() {
            let field = self.text(question, title, about);
            return self.add(choice(index), field);
        }
        let field = match (question.is_multi_select(), has_lists(version)) {
            (true, false) => return self.add_switches(index, question, &title, about, messages),
            (true, true) => multi(question, title, about),
            (false, true) => single(question, title, about),
            (false, false) => named(question, title, about),
        };
        self.add(choice(index), PrimitiveSchemaDefinition::Enum(field));
        self.add_custom(index, question, messages);
    }

    /// A switch for each option. The question stands at the first of them.
    fn add_switches(
        &mut self,
        index: usize,
        question: &Question,
        title: &str,
        about: Option<String>,
        messages: &Messages,
    ) {
        for (place, option) in question.options.iter().enumerate() {
            let mut field = BooleanSchema::new();
            field.title = Some(option_title(option).into());
            let above = (place == 0).then(|| match &about {
                Some(about) => format!("{title}\n{about}"),
                None => title.to_owned(),
            });
            field.description = Some(above.unwrap_or_else(|| title.to_owned()).into());
            self.add(switch(index, place), PrimitiveSchemaDefinition::Boolean(field));
        }
        self.add_custom(index, question, messages);
    }

    fn add_custom(&mut self, index: usize, question: &Question, messages: &Messages) {
        if !question.allow_custom {
            return;
        }
        let about = match question.is_multi_select() {
            true => "form-custom-beside",
            false => "form-custom-instead",
        };
        let field = self.text(question, messages.get("form-custom"), Some(messages.get(about)));
        self.add(custom(index), field);
    }

    /// A field for a text, with what was entered there before.
    fn text(
        &self,
        question: &Question,
        title: String,
        about: Option<String>,
    ) -> PrimitiveSchemaDefinition {
        let before = self.entered.iter().find(|state| state.id == question.id);
        let before = before.map(|state| state.custom.clone()).filter(|text| !text.is_empty());
        let mut field = StringSchema::new();
        field.title = Some(title.into());
        field.description = about.map(Into::into);
        field.max_length = Some(limits::CUSTOM as u32);
        field.default = before;
        PrimitiveSchemaDefinition::String(field)
    }
}

fn single(question: &Question, title: String, about: Option<String>) -> EnumSchema {
    let mut field = TitledSingleSelectEnumSchema::new(titled(question));
    field.title = Some(title.into());
    field.description = about.map(Into::into);
    EnumSchema::Single(SingleSelectEnumSchema::Titled(field))
}

fn multi(question: &Question, title: String, about: Option<String>) -> EnumSchema {
    let mut field = TitledMultiSelectEnumSchema::new(TitledItems::new(titled(question)));
    field.title = Some(title.into());
    field.description = about.map(Into::into);
    EnumSchema::Multi(MultiSelectEnumSchema::Titled(field))
}

/// A single choice as the first revision with forms has it.
fn named(question: &Question, title: String, about: Option<String>) -> EnumSchema {
    let labels = question.options.iter().map(|option| option.label.clone());
    let mut field = LegacyEnumSchema::new(labels.collect());
    field.enum_names = Some(question.options.iter().map(option_title).collect());
    field.title = Some(title.into());
    field.description = about.map(Into::into);
    EnumSchema::Legacy(field)
}

fn titled(question: &Question) -> Vec<ConstTitle> {
    let titled = |option: &QuestionOption| ConstTitle::new(&option.label, option_title(option));
    question.options.iter().map(titled).collect()
}

/// A label with what it means, in a few words: a form has no other place for that.
fn option_title(option: &QuestionOption) -> String {
    let label = sanitize_line(&option.label);
    match option.description.as_deref().map(sanitize_line) {
        Some(about) if !about.trim().is_empty() => format!("{label} – {}", cut(&about, BESIDE)),
        _ => label.into_owned(),
    }
}

/// What stands below a question: its topic, and what else is said.
fn about(question: &Question) -> Option<String> {
    let header = question.header.as_deref().map(|header| sanitize_line(header).into_owned());
    let detail = question.detail.as_deref().map(|detail| shown(detail, SHOWN));
    let parts: Vec<String> = header.into_iter().chain(detail).collect();
    (!parts.is_empty()).then(|| parts.join("\n"))
}

fn shown(text: &str, most: usize) -> String {
    cut(&sanitize(text), most)
}

/// As many whole characters as fit.
fn cut(text: &str, most: usize) -> String {
    let mut end = 0;
    while let Some(cluster) = next_cluster(text, end)
        && end + cluster.len() <= most
    {
        end += cluster.len();
    }
    match end == text.len() {
        true => text.to_owned(),
        false => format!("{}…", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use askwell_core::Request;
    use askwell_core::messages::Lang;
    use pretty_assertions::assert_eq;
    use serde_json::{Value, json};

    use super::*;

    fn form_of(request: &ValidRequest, version: ProtocolVersion) -> Value {
        json!(form(request, &version, &Messages::new(Lang::En), None, &[]))
    }

    fn request() -> ValidRequest {
        let mut db = Question::new("db", "Which database should the service use?");
        db.header = Some("DB".to_owned());
        db = db.option("Postgres").option("SQLite");
        db.options[0].description = Some("server".to_owned());
        let mut features = Question::new("db_custom", "Which features?").multi_select();
        features = features.option("Auth").option("Search");
        features.allow_custom = false;
        let mut request = Request::new([db, features, Question::new("db.custom", "More?")]);
        request.context = Some("A new \u{1b}[31mservice.".to_owned());
        request.validate().unwrap()
    }

    #[test]
    fn b138_b144_a_form_has_the_questions_in_order_by_their_places() {
        let form = form_of(&request(), ProtocolVersion::V_2025_11_25);

        let own = json!({"type": "string", "title": "In your own words",
            "description": "Sent in place of a choice", "maxLength": 262_144});
        assert_eq!(
            form,
            json!({
                "mode": "form",
                "message": "A new ␛[31mservice.\n\nA field left empty skips its question.",
                "requestedSchema": {"type": "object", "properties": {
                    "q01": {"type": "string", "title": "Which database should the service use?",
                        "description": "DB", "oneOf": [
                            {"const": "Postgres", "title": "Postgres – server"},
                            {"const": "SQLite", "title": "SQLite"}]},
                    "q01_custom": own,
                    "q02": {"type": "array", "title": "Which features?", "items": {"anyOf": [
                        {"const": "Auth", "title": "Auth"}, {"const": "Search", "title": "Search"}]}},
                    "q03": {"type": "string", "title": "More?", "maxLength": 262_144},
                }},
            })
        );
        let names = form["requestedSchema"]["properties"].as_object().unwrap().keys();
        assert_eq!(names.collect::<Vec<_>>(), ["q01", "q01_custom", "q02", "q03"]);
    }

    #[test]
    fn b138_the_first_revision_with_forms_gets_names_and_switches() {
        let form = form_of(&request(), ProtocolVersion::V_2025_06_18);

        let fields = form["requestedSchema"]["properties"].as_object().unwrap();
        let names: Vec<&String> = fields.keys().collect();
        assert_eq!(names, ["q01", "q01_custom", "q02_01", "q02_02", "q03"]);
        let choice = json!({"type": "string", "title": "Which database should the service use?",
            "description": "DB", "enum": ["Postgres", "SQLite"],
            "enumNames": ["Postgres – server", "SQLite"]});
        assert_eq!(fields["q01"], choice);
        let switch =
            json!({"type": "boolean", "title": "Search", "description": "Which features?"});
        assert_eq!(fields["q02_02"], switch);
    }

    #[test]
    fn what_a_revision_can_t_show_is_left_to_the_inbox() {
        let many = (0..21).fold(Question::new("q", "?").multi_select(), |question, at| {
            question.option(at.to_string())
        });
        let request = Request::new([many]).validate().unwrap();

        assert!(can_be_shown(&request, &ProtocolVersion::V_2025_11_25));
        assert!(!can_be_shown(&request, &ProtocolVersion::V_2025_06_18));
        assert!(!can_be_shown(&super::tests::request(), &ProtocolVersion::V_2025_03_26));
    }
}
