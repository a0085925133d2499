//! The page as a screen reader gets it: roles, names and states, as an indented text. What stands
//! only for layout is left out, and so is text that is its parent's name.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::Tab;

/// Roles that say nothing to anybody.
const SILENT: [&str; 14] = [
    "paragraph",
    "code",
    "strong",
    "emphasis",
    "none",
    "generic",
    "InlineTextBox",
    "LabelText",
    "RootWebArea",
    "ListMarker",
    "LayoutTable",
    "GenericContainer",
    "LineBreak",
    "Legend",
];

impl Tab {
    /// The tree below the first element that matches.
    #[track_caller]
    pub fn accessibility_tree(&self, selector: &str) -> String {
        let expression = format!("document.querySelector({})", json!(selector));
        let element = self.devtools("Runtime.evaluate", &json!({"expression": expression}));
        let object = &element["result"]["objectId"];
        let node = self.devtools("DOM.describeNode", &json!({"objectId": object}));
        let root = &node["node"]["backendNodeId"];
        let nodes = self.devtools("Accessibility.getFullAXTree", &json!({}));
        let nodes: &[Value] = nodes["nodes"].as_array().unwrap();
        let tree = Tree {
            nodes: nodes.iter().filter_map(|it| Some((it["nodeId"].as_str()?, it))).collect(),
        };
        let start = nodes.iter().find(|it| it["backendDOMNodeId"] == *root);
        let start = start.unwrap_or_else(|| panic!("{selector} is not in the tree"));
        let mut lines = Vec::new();
        tree.collect(start, &[], 0, &mut lines);
        let lines = lines.into_iter().map(|line| match line {
            Line::Node(depth, text) => format!("{}{text}\n", "  ".repeat(depth)),
            Line::Text(depth, text) => format!("{}text {text:?}\n", "  ".repeat(depth)),
        });
        lines.collect()
    }
}

struct Tree<'a> {
    nodes: HashMap<&'a str, &'a Value>,
}

/// A line of the tree, and how deep it stands. Texts beside each other become one.
enum Line {
    Node(usize, String),
    Text(usize, String),
}

impl Tree<'_> {
    /// `named`: what the elements around have told as their names and descriptions.
    fn collect(&self, node: &Value, named: &[&str], depth: usize, lines: &mut Vec<Line>) {
        let (role, name) = (string(&node["role"]), string(&node["name"]));
        if matches!(role, "StaticText" | "time") {
            // A time is another with every run.
            let name = if role == "time" { "(time)" } else { name.trim() };
            if name.is_empty() || named.iter().any(|told| told.contains(name)) {
                return;
            }
            match lines.last_mut() {
                Some(Line::Text(at, text)) if *at == depth => {
                    text.push(' ');
                    text.push_str(name);
                }
                _ => lines.push(Line::Text(depth, name.to_owned())),
            }
            return;
        }
        let children = || {
            let ids = node["childIds"].as_array().into_iter().flatten();
            ids.filter_map(|id| self.nodes.get(id.as_str()?).copied())
        };
        let silent = node["ignored"] == true || SILENT.contains(&role);
        // A label's text is told with its control.
        let of_controls: Vec<&str> = match role {
            "LabelText" => {
                children().flat_map(|it| [&it["name"], &it["description"]]).map(string).collect()
            }
            _ => Vec::new(),
        };
        let mut named = [named, &of_controls].concat();
        let mut depth = depth;
        if !silent {
            lines.push(Line::Node(depth, line(node, role, name)));
            named.push(name);
            depth += 1;
        }
        // A field's value is told with the field, what stands in a button by its name.
        if !matches!(role, "textbox" | "button") {
            for child in children() {
                self.collect(child, &named, depth, lines);
            }
        }
    }
}

fn line(node: &Value, role: &str, name: &str) -> String {
    let mut line = match name {
        "" => role.to_owned(),
        name => format!("{role} {name:?}"),
    };
    for (what, value) in [("value", &node["value"]), ("description", &node["description"])] {
        let value = string(value);
        if !value.is_empty() && value != name {
            line.push_str(&format!(" {what}={value:?}"));
        }
    }
    for property in node["properties"].as_array().into_iter().flatten() {
        line.push_str(&state(property));
    }
    line
}

/// A state that a person is told; nothing for all others.
fn state(property: &Value) -> String {
    let value = &property["value"]["value"];
    match property["name"].as_str().unwrap_or_default() {
        name @ ("checked" | "pressed") => match value.as_str() {
            Some("true") => format!(" {name}"),
            Some("mixed") => format!(" {name}=mixed"),
            _ => String::new(),
        },
        "expanded" if *value == true => " expanded".to_owned(),
        "expanded" => " collapsed".to_owned(),
        name @ ("disabled" | "focused" | "readonly" | "required" | "selected" | "busy")
            if *value == true =>
        {
            format!(" {name}")
        }
        "invalid" if value == "true" => " invalid".to_owned(),
        "level" => format!(" level={value}"),
        "live" => value.as_str().map(|it| format!(" live={it}")).unwrap_or_default(),
        _ => String::new(),
    }
}

fn string(value: &Value) -> &str {
    value["value"].as_str().unwrap_or_default()
}
