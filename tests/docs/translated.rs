//! A translation says the same in other words: it has the blocks of its original, but for their
//! comments, and as many headings of each depth.

use askwell_testkit::TestEnvironment;
use pretty_assertions::assert_eq;

use super::documents;
use super::page::{self, Page};

/// The page that this one is a translation of.
pub fn original(name: &str) -> Option<String> {
    match name {
        "README.zh.md" => Some("README.md".to_owned()),
        _ => name.strip_prefix("docs/zh/").map(|name| format!("docs/{name}")),
    }
}

#[test]
fn a_translation_has_the_blocks_of_its_original() {
    let askwell = TestEnvironment::new(env!("CARGO_BIN_EXE_askwell"));
    for name in page::all() {
        let Some(original) = original(&name) else { continue };
        let (page, original) = (Page::read(&name), Page::read(&original));
        assert_eq!(outline(&page), outline(&original), "{name}");
        let untried = page.blocks.iter().zip(&original.blocks).filter(|(_, original)| {
            original.language == "json" && !original.follows && original.note("not run").is_none()
        });
        for (block, _) in untried {
            for document in documents::parse(&block.text).unwrap() {
                assert_eq!(documents::fault(&askwell, &document), None, "{name}:{}", block.line);
            }
        }
    }
}

/// The blocks without their comments and what stands in quotes, and how deep each heading is.
fn outline(page: &Page) -> (Vec<String>, Vec<usize>) {
    let code = |line: &str| -> String {
        let code = line.split(" #").next().unwrap_or_default().trim_end();
        code.split('"').step_by(2).collect::<Vec<_>>().join("\"\"")
    };
    let blocks = page.blocks.iter().map(|block| match block.language.as_str() {
        "json" => "json".to_owned(),
        language => {
            let lines: Vec<String> = block.text.lines().map(code).collect();
            format!("{language}\n{}", lines.join("\n"))
        }
    });
    let headings = page.prose.iter().map(|(_, line)| line);
    let depth = |line: &String| line.chars().take_while(|it| *it == '#').count();
    (blocks.collect(), headings.map(depth).filter(|depth| *depth > 0).collect())
}
