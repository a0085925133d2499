//! The picture of the README: one request, open in a terminal and on a page at once, with one draft. Made
//! from the real thing by `cargo xtask picture`.

use std::fs;
use std::path::Path;

use askwell_testkit::Media;

use super::{Browser, Web};

/// The frame around both. Two windows on one ground, so that a reader sees one thing on two screens.
const FRAME: &str = r#"<!doctype html><meta charset="utf-8"><style>
body { margin: 0; padding: 16px; background: #d8dee6; display: flex; gap: 16px; align-items: stretch;
  font: 13px/1 system-ui, sans-serif; color: #57606a }
figure { margin: 0; background: #fff; border-radius: 8px; overflow: hidden; box-shadow: 0 1px 4px #0004 }
figcaption { background: #eef1f4; padding: 8px 12px; border-bottom: 1px solid #d0d7de }
pre { margin: 0; padding: 8px 12px; font: 13px/17px "DejaVu Sans Mono", "Noto Sans Mono", monospace; color: #24292f }
img { display: block; width: 560px }
</style>"#;

#[test]
#[ignore = "a program: cargo xtask picture runs it"]
fn picture_of_the_readme() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/release.json");
    let web = Web::with(&Browser::builder().size(640, 630));
    let id = web.posts(&fs::read_to_string(example).unwrap());
    let terminal = web.host.askwell.terminal(["answer", &id]).size(76, 32).spawn();
    terminal.wait_ready(crate::terminal::takes_keys);
    terminal.keys("2<enter>").wait_for("Where should it be announced?");
    terminal.quiet(std::time::Duration::from_millis(400)).keys("1c").types("The status page");
    web.wait_saved(&id, 1, "The status page");
    terminal.wait_for("draft saved");

    let tab = &web.browser;
    tab.prefers(&[Media::Light]);
    web.opens(&id);
    web.card().act("previous").clicks();
    web.card().option("Changelog").wait_shown();
    let page = tab.screenshot("readme-page");
    let frame = format!(
        "{FRAME}<figure><figcaption>Terminal</figcaption><pre>{}</pre></figure>\
         <figure><figcaption>Browser</figcaption><img src=\"{}\"></figure>",
        terminal.markup(),
        page.file_name().unwrap().to_str().unwrap()
    );
    let framed = page.with_file_name("readme.html");
    fs::write(&framed, frame).unwrap();
    let studio = Browser::builder().size(1256, 620).start();
    studio.open(format!("file://{}", framed.display()));
    studio.wait_true("loaded", "return document.images[0].complete");
    let size = studio.run("return [document.body.scrollWidth, document.body.scrollHeight]");
    let pixels = |index: usize| u32::try_from(size[index].as_u64().unwrap()).unwrap();
    studio.resizes(pixels(0), pixels(1));
    let picture = studio.screenshot("readme");
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/images/askwell.png");
    fs::create_dir_all(kept.parent().unwrap()).unwrap();
    fs::copy(picture, kept).unwrap();
}
