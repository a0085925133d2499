//! What the dialog looks like, at the sizes that people have.

use crate::scenario::Scenario;

const RELEASE: &str = r##"{"questions":[{"id":"targets","header":"Scope","question":"Where should this ship?","detail":"The change touches `core::draft` and its vectors. Everything ticked is released **together**.","multiSelect":true,"options":[{"label":"Code","description":"Tag and publish the crates."},{"label":"Docs (Recommended)","description":"Rebuild the site in both languages, so that the command line page shows the new flags and the old links keep working."},{"label":"Container"}]},{"id":"when","question":"When?","options":[{"label":"Now"},{"label":"Tonight"}]}],"context":"# So far\n\nAll tests pass.\n","asker":{"name":"claude-code","cwd":"~/src/askwell"}}"##;

fn picture(columns: u16, rows: u16) -> String {
    let mut it = Scenario::at(RELEASE, columns, rows);
    it.keys("<space>c").types("Release notes, but only after Mara has read them");
    it.wait(std::time::Duration::from_secs(1));
    it.screen()
}

#[test]
fn tmp() {
    for (c, r) in [(80, 24), (40, 12), (30, 8), (120, 40)] {
        println!("{}\n=================", picture(c, r));
    }
    let mut it = Scenario::at(RELEASE, 80, 24);
    it.keys("<space>c").types("Release notes").keys("<esc><space>");
    println!("{}\n=================", it.screen());
    it.keys("<tab>1<tab>");
    println!("{}\n=================", it.screen());
    it.keys("<enter>");
    println!("{}\n=================", it.screen());
    it.keys("b?");
    println!("{}\n=================", it.screen());
    it.keys("<esc><esc>o");
    println!("{}\n=================", it.screen());
    it.keys("<esc>x");
    println!("{}\n=================", it.screen());
    let mut it = Scenario::chinese(RELEASE);
    println!("{}\n=================", it.keys("2").screen());
}
