//! The form of a card as a browser without scripts has it: its fields with what stands in them, and
//! what pressing one of its buttons posts.

use super::{Browser, Reply};

/// The form of a card.
#[derive(Debug, Clone)]
pub struct Form {
    pub action: String,
    fields: Vec<Field>,
    /// The values of its buttons named `do`.
    pub buttons: Vec<String>,
}

#[derive(Debug, Clone)]
struct Field {
    name: String,
    kind: String,
    value: String,
    checked: bool,
}

impl Form {
    /// Reads the card of a page.
    #[track_caller]
    pub fn of(reply: &Reply) -> Self {
        Self::find(&reply.text).unwrap_or_else(|| panic!("no card: {}", reply.words()))
    }

    fn find(page: &str) -> Option<Self> {
        let start = page.find("<form class=\"card\" id=\"card\"")?;
        let html = &page[start..][..page[start..].find("</form>")?];
        let mut form = Self { action: String::new(), fields: Vec::new(), buttons: Vec::new() };
        let mut rest = html;
        while let Some(start) = rest.find('<') {
            let end = start + rest[start..].find('>')?;
            let (tag, after) = (&rest[start + 1..end], &rest[end + 1..]);
            rest = after;
            let attribute = |name: &str| attribute(tag, name);
            let name = attribute("name").unwrap_or_default();
            match tag.split([' ', '/']).next().unwrap_or_default() {
                "form" => form.action = attribute("action")?,
                "button" if name == "do" => form.buttons.extend(attribute("value")),
                "input" => form.fields.push(Field {
                    name,
                    kind: attribute("type")?,
                    value: attribute("value").unwrap_or_else(|| "on".to_owned()),
                    checked: tag.split(' ').any(|part| part == "checked"),
                }),
                "textarea" => {
                    let end = after.find("</textarea>")?;
                    let text = unescaped(&after[..end]);
                    let value = text.strip_prefix('\n').unwrap_or(&text).to_owned();
                    let kind = match tag.contains(" readonly") {
                        true => "readonly".to_owned(),
                        false => "textarea".to_owned(),
                    };
                    form.fields.push(Field { name, kind, value, checked: true });
                }
                _ => {}
            }
        }
        // Some of its buttons stand elsewhere in the page.
        for tag in page.split('<').filter(|tag| tag.starts_with("button ")) {
            if tag.contains(" form=\"card\"") {
                form.buttons.extend(attribute(tag, "value"));
            }
        }
        Some(form)
    }

    /// Ticks a checkbox, or chooses a radio.
    #[track_caller]
    pub fn choose(mut self, question: usize, value: &str) -> Self {
        let name = format!("q{question}.chosen");
        let mut found = false;
        for field in self.fields.iter_mut().filter(|field| field.name == name) {
            if field.value == value {
                field.checked = field.kind == "radio" || !field.checked;
                found = true;
            } else if field.kind == "radio" {
                field.checked = false;
            }
        }
        assert!(found, "no {name} {value}: {:?}", self.fields);
        self
    }

    /// Chooses the option at this place.
    #[track_caller]
    pub fn option(self, question: usize, place: usize) -> Self {
        self.choose(question, &place.to_string())
    }

    /// Writes into the field of a question.
    #[track_caller]
    pub fn write(self, question: usize, text: &str) -> Self {
        self.fill(&format!("q{question}.text"), text)
    }

    /// Writes into a field.
    #[track_caller]
    pub fn fill(mut self, name: &str, text: &str) -> Self {
        let field = self.fields.iter_mut().find(|field| field.name == name);
        let field = field.unwrap_or_else(|| panic!("no field {name}"));
        // A browser posts line ends its own way.
        field.value = text.replace("\r\n", "\n").replace('\n', "\r\n");
        self
    }

    /// Ticks "skip", or takes that back.
    #[track_caller]
    pub fn skip(mut self, question: usize) -> Self {
        let name = format!("q{question}.skip");
        let field = self.fields.iter_mut().find(|field| field.name == name).unwrap();
        field.checked = !field.checked;
        self
    }

    pub fn has(&self, name: &str) -> bool {
        self.fields.iter().any(|field| field.name == name)
    }

    /// What stands in a field.
    #[track_caller]
    pub fn text(&self, name: &str) -> &str {
        let field = self.fields.iter().find(|field| field.name == name);
        &field.unwrap_or_else(|| panic!("no field {name}")).value
    }

    /// The values of a question that are chosen.
    pub fn chosen(&self, question: usize) -> Vec<&str> {
        let name = format!("q{question}.chosen");
        let chosen = self.fields.iter().filter(|field| field.name == name && field.is_posted());
        chosen.map(|field| field.value.as_str()).collect()
    }

    pub fn is_skipped(&self, question: usize) -> bool {
        let name = format!("q{question}.skip");
        self.fields.iter().any(|field| field.name == name && field.is_posted())
    }

    /// What pressing this button posts.
    #[track_caller]
    pub fn posted(&self, button: &str) -> Vec<(String, String)> {
        assert!(self.buttons.iter().any(|own| own == button), "no {button}: {:?}", self.buttons);
        let fields = self.fields.iter().filter(|field| field.is_posted());
        let fields = fields.map(|field| (field.name.clone(), field.value.clone()));
        fields.chain([("do".to_owned(), button.to_owned())]).collect()
    }
}

impl Field {
    fn is_posted(&self) -> bool {
        match self.kind.as_str() {
            "radio" | "checkbox" => self.checked,
            "readonly" => false,
            _ => true,
        }
    }
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    Some(unescaped(rest.split('"').next()?))
}

/// The text of markup without tags.
pub fn unescaped(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    text.replace("&amp;", "&")
}

impl Browser {
    /// Opens the page of a request, and its card.
    #[track_caller]
    pub fn card(&mut self, id: &str) -> impl Future<Output = Form> {
        let page = format!("/r/{id}");
        async move { Form::of(&self.get(&page).await) }
    }

    /// Presses a button of a card.
    #[track_caller]
    pub fn press(&mut self, form: &Form, button: &str) -> impl Future<Output = Reply> {
        let (action, fields) = (form.action.clone(), form.posted(button));
        async move { self.post(&action, &fields).await }
    }
}

impl Reply {
    /// The words of the page's main part, one element a line.
    pub fn words(&self) -> String {
        let start = self.text.find("<main").unwrap_or(0);
        let end = self.text.find("</main>").unwrap_or(self.text.len());
        let mut words = String::new();
        let mut in_tag = false;
        for character in self.text[start..end].chars() {
            match character {
                '<' => in_tag = true,
                '>' => {
                    in_tag = false;
                    words.push('\n');
                }
                character if !in_tag => words.push(character),
                _ => {}
            }
        }
        let lines = words.lines().map(str::trim).filter(|line| !line.is_empty());
        unescaped(&lines.collect::<Vec<_>>().join("\n"))
    }

    /// Where the page leads on.
    #[track_caller]
    pub fn leads_to(&self) -> &str {
        assert_eq!(self.status, 303, "{}", self.words());
        self.header("location")
    }
}
