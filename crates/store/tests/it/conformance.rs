//! The story that every backend must pass.

use askwell_store::{SqliteStore, conformance};

#[test]
fn sqlite_passes_the_story() {
    let folder = tempfile::tempdir().unwrap();

    conformance::story(&|name| {
        let path = folder.path().join(format!("{name}.db"));
        Box::new(SqliteStore::open(&path).unwrap())
    });
}
