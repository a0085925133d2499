//! Changes of a JSON file, with or without comments: what is there stays, byte for byte, but for the
//! members and items that are ours.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};
use serde_json::{Map, Value};

use super::Refused;

/// What a file shall hold.
#[derive(Debug, Clone)]
pub(super) enum Change {
    /// This value, at this path of names.
    Member { path: Vec<&'static str>, value: Value },
    /// These items in the list at this path, and no others of ours.
    Items { path: Vec<&'static str>, items: Vec<Value>, ours: fn(&Value) -> bool },
    /// These members, last in the object at this path. A plain value there is what holds for
    /// everything (`"*"`).
    Rules { path: Vec<&'static str>, rules: Vec<(String, Value)>, ours: fn(&str) -> bool },
}

/// What a file holds.
pub(super) fn read(text: &str) -> Result<Value, Refused> {
    let root = parse(text)?;
    match root.value() {
        None => Ok(Value::Object(Map::new())),
        Some(value) => Ok(value.to_serde_value().unwrap_or_default()),
    }
}

fn parse(text: &str) -> Result<CstRootNode, Refused> {
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    CstRootNode::parse(text, &options)
        .map_err(|error| Refused::because(format!("it is not valid JSON: {error}")))
}

/// The text with these changes.
pub(super) fn with(text: &str, changes: &[Change]) -> Result<String, Refused> {
    edited(text, |object| changes.iter().try_for_each(|change| change.make(object)))
}

/// The text without what these changes bring.
pub(super) fn without(text: &str, changes: &[Change]) -> Result<String, Refused> {
    edited(text, |object| {
        changes.iter().for_each(|change| change.undo(object));
        Ok(())
    })
}

fn edited(
    text: &str,
    edit: impl FnOnce(&CstObject) -> Result<(), Refused>,
) -> Result<String, Refused> {
    let root = parse(text)?;
    let object = match root.value() {
        None => root.object_value_or_set(),
        Some(value) => value.as_object().ok_or_else(|| Refused::because("it is no JSON object"))?,
    };
    edit(&object)?;
    let mut edited = root.to_string();
    if text.trim().is_empty() {
        edited = format!("{}\n", edited.trim());
    }
    let mark = if text.starts_with('\u{feff}') { "\u{feff}" } else { "" };
    Ok(format!("{mark}{edited}"))
}

impl Change {
    fn path(&self) -> &[&'static str] {
        match self {
            Self::Member { path, .. } | Self::Items { path, .. } | Self::Rules { path, .. } => path,
        }
    }

    fn make(&self, root: &CstObject) -> Result<(), Refused> {
        if matches!(self, Self::Items { items, .. } if items.is_empty()) {
            self.undo(root);
            return Ok(());
        }
        let Some((last, above)) = self.path().split_last() else { return Ok(()) };
        let mut object = root.clone();
        for name in above {
            object = self.object_in(&object, name)?;
        }
        self.expect_once(&object, last)?;
        match self {
            Self::Member { value, .. } => set(&object, last, value),
            Self::Items { items, ours, .. } => {
                let list = match value_in(&object, last) {
                    None => object.array_value_or_set(last),
                    Some(value) => value.as_array().ok_or_else(|| self.refused(last, "list"))?,
                };
                make_items(&list, items, *ours);
            }
            Self::Rules { rules, ours, .. } => {
                make_rules(&self.object_in(&object, last)?, rules, *ours);
            }
        }
        Ok(())
    }

    /// The object of this name, made where there is none.
    fn object_in(&self, object: &CstObject, name: &str) -> Result<CstObject, Refused> {
        self.expect_once(object, name)?;
        let Some(value) = value_in(object, name) else {
            return Ok(object.object_value_or_set(name));
        };
        match (value.as_object(), value.as_string_lit()) {
            (Some(there), _) => Ok(there),
            // A plain rule becomes the one for everything.
            (None, Some(_)) if matches!(self, Self::Rules { .. }) => {
                let rule = value.to_serde_value().unwrap_or_default();
                let all = CstInputValue::Object(vec![("*".to_owned(), input(&rule))]);
                if let Some(member) = object.get(name) {
                    member.set_value(all);
                }
                Ok(object.object_value_or_set(name))
            }
            _ => Err(self.refused(name, "object")),
        }
    }

    /// Of two members with one name, who reads the file takes one: who knows which.
    fn expect_once(&self, object: &CstObject, name: &str) -> Result<(), Refused> {
        let members = object.properties();
        let same = members.iter().filter(|member| member.decoded_name().as_deref() == Some(name));
        match same.count() {
            0 | 1 => Ok(()),
            _ => Err(Refused::because(format!("{} stands there twice", self.up_to(name)))),
        }
    }

    fn refused(&self, name: &str, expected: &str) -> Refused {
        Refused::because(format!("{} is no {expected}", self.up_to(name)))
    }

    /// The path up to a name.
    fn up_to(&self, name: &str) -> String {
        let path = self.path();
        let depth = path.iter().position(|part| *part == name).unwrap_or_default();
        path[..=depth].join(".")
    }

    /// Takes ours out, and what held nothing else.
    fn undo(&self, root: &CstObject) {
        let path = self.path();
        let Some((last, above)) = path.split_last() else { return };
        let Some(member) = object_at(root, above).and_then(|object| object.get(last)) else {
            return;
        };
        let is_empty = match self {
            Self::Member { .. } => true,
            Self::Items { ours, .. } => {
                let Some(list) = member.array_value() else { return };
                let mine = |item: &CstNode| item.to_serde_value().is_some_and(|it| ours(&it));
                let (ours, others): (Vec<_>, Vec<_>) = list.elements().into_iter().partition(mine);
                let had_ours = !ours.is_empty();
                ours.into_iter().for_each(CstNode::remove);
                had_ours && others.is_empty()
            }
            Self::Rules { ours, .. } => {
                let Some(all) = member.object_value() else { return };
                let before = all.properties().len();
                remove_rules(&all, *ours);
                before > 0 && all.properties().is_empty()
            }
        };
        if !is_empty {
            return;
        }
        member.remove();
        for depth in (0..above.len()).rev() {
            let member = object_at(root, &above[..depth]).and_then(|it| it.get(above[depth]));
            let Some(member) = member else { return };
            match member.object_value() {
                Some(held) if held.properties().is_empty() => member.remove(),
                _ => return,
            }
        }
    }
}

fn value_in(object: &CstObject, name: &str) -> Option<CstNode> {
    object.get(name).and_then(|member| member.value())
}

fn object_at(root: &CstObject, path: &[&str]) -> Option<CstObject> {
    path.iter().try_fold(root.clone(), |object, name| object.object_value(name))
}

fn set(object: &CstObject, name: &str, value: &Value) {
    match object.get(name) {
        None => drop(object.append(name, input(value))),
        Some(member) => {
            let there = member.value().and_then(|there| there.to_serde_value());
            if there.as_ref() != Some(value) {
                member.set_value(input(value));
            }
        }
    }
}

/// Those of ours that are wished stay where they are; the others go, and what is missing comes last.
fn make_items(list: &CstArray, items: &[Value], ours: fn(&Value) -> bool) {
    let mut there: Vec<Value> = Vec::new();
    for item in list.elements() {
        let Some(value) = item.to_serde_value() else { continue };
        if items.contains(&value) && !there.contains(&value) {
            there.push(value);
        } else if ours(&value) {
            item.remove();
        }
    }
    let missing: Vec<&Value> = items.iter().filter(|item| !there.contains(item)).collect();
    if !missing.is_empty() {
        list.ensure_multiline();
    }
    missing.into_iter().for_each(|item| drop(list.append(input(item))));
}

/// The last rule that fits counts, so ours are last.
fn make_rules(all: &CstObject, rules: &[(String, Value)], ours: fn(&str) -> bool) {
    let name =
        |member: &jsonc_parser::cst::CstObjectProp| member.decoded_name().unwrap_or_default();
    let members = all.properties();
    let last = members.len().saturating_sub(rules.len());
    let is_there = members.len() >= rules.len()
        && members[last..].iter().zip(rules).all(|(member, (rule, value))| {
            let there = member.value().and_then(|there| there.to_serde_value());
            name(member) == *rule && there.as_ref() == Some(value)
        })
        && !members[..last].iter().any(|member| ours(&name(member)));
    if is_there {
        return;
    }
    remove_rules(all, ours);
    all.ensure_multiline();
    for (rule, value) in rules {
        set(all, rule, value);
    }
}

fn remove_rules(all: &CstObject, ours: fn(&str) -> bool) {
    for member in all.properties() {
        if member.decoded_name().is_some_and(|name| ours(&name)) {
            member.remove();
        }
    }
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(members) => CstInputValue::Object(
            members.iter().map(|(name, value)| (name.clone(), input(value))).collect(),
        ),
    }
}
