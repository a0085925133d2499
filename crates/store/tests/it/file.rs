//! What is particular to a file: its mode, its version, and what may happen to it.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;

use askwell_core::State;
use askwell_store::NewRequest;
use askwell_store::conformance::Fixture;
use askwell_store::conformance::fixture::{answer, credential, id, new};
use askwell_store::{Filed, Settled, SqliteStore, Store, StoreError, wait_for};
use rstest::rstest;
use tempfile::TempDir;

struct Home {
    folder: TempDir,
}

impl Home {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("state/askwell/askwell.db")
    }

    fn open(&self) -> SqliteStore {
        SqliteStore::open(&self.path()).unwrap()
    }

    /// The store with two askers.
    fn fixture(&self) -> Fixture {
        let path = self.path();
        Fixture::new(&|_| Box::new(SqliteStore::open(&path).unwrap()), "one")
    }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn file(store: &dyn Store, n: u8) -> Result<Filed, StoreError> {
    wait_for(|done| store.file(new(n), done))
}

fn message(error: &StoreError) -> String {
    match error {
        StoreError::Unavailable { message, hint } => format!("{message} ({hint})"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn b085_only_the_owner_can_read_it() {
    let home = Home::new();
    let story = home.fixture();
    story.ask(1);

    assert_eq!(mode(home.path().parent().unwrap()), 0o700);
    for suffix in ["", "-wal", "-shm"] {
        let mut path = home.path().into_os_string();
        path.push(suffix);
        assert_eq!(mode(Path::new(&path)), 0o600, "{path:?}");
    }
}

#[test]
fn a_file_that_others_could_read_is_closed_to_them_and_its_folder_left_alone() {
    let home = Home::new();
    drop(home.open());
    let folder = home.path().parent().unwrap().to_owned();
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o644)).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();

    drop(home.open());

    assert_eq!((mode(&home.path()), mode(&folder)), (0o600, 0o755));
}

#[test]
fn a_newer_store_is_refused_and_left_as_it_is() {
    let home = Home::new();
    let store = home.open();
    store.execute_for_test("PRAGMA user_version = 99").unwrap();
    drop(store);

    let error = SqliteStore::open(&home.path()).err().unwrap();

    assert_eq!(error, StoreError::Newer { found: 99, known: 3 });
    assert_eq!(SqliteStore::open(&home.path()).err().unwrap(), error);
}

#[test]
fn an_older_store_is_brought_up_to_date_with_everything_in_it() {
    let home = Home::new();
    let store = home.open();
    let label = store.label().to_owned();
    store
        .execute_for_test("DROP TABLE bookmark; DROP TABLE elsewhere; PRAGMA user_version = 1")
        .unwrap();
    drop(store);

    let store = home.open();

    assert_eq!(store.label(), label);
    assert_eq!(store.bookmark("any").unwrap(), None);
}

#[rstest]
#[case::text(b"dear diary, this is no database at all, and it is long enough to be looked at".to_vec())]
#[case::other_database(other_database())]
fn another_programs_file_is_refused_and_left_as_it_is(#[case] content: Vec<u8>) {
    let home = Home::new();
    fs::create_dir_all(home.path().parent().unwrap()).unwrap();
    fs::write(home.path(), &content).unwrap();

    let error = SqliteStore::open(&home.path()).err().unwrap();

    assert!(matches!(error, StoreError::Foreign { .. }), "{error:?}");
}

fn other_database() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.db");
    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute_batch("CREATE TABLE recipe (name TEXT)").unwrap();
    drop(other);
    fs::read(path).unwrap()
}

#[test]
fn an_epoch_tells_two_stores_apart() {
    let (one, other) = (Home::new(), Home::new());
    let epoch = one.open().epoch();

    assert_ne!(epoch, other.open().epoch());
    assert_eq!(epoch, one.open().epoch());
}

#[test]
fn a_store_behind_a_link_is_the_same_store() {
    let home = Home::new();
    let story = home.fixture();
    story.ask(1);
    drop(story);
    let link = home.folder.path().join("link");
    symlink(home.path().parent().unwrap(), &link).unwrap();

    let store = SqliteStore::open(&link.join("askwell.db")).unwrap();

    assert!(store.request(id(1)).unwrap().is_some());
}

#[test]
fn b083_a_folder_that_was_moved_away_is_told_and_works_again_when_it_is_back() {
    let home = Home::new();
    let story = home.fixture();
    story.ask(1);
    let (state, away) = (home.folder.path().join("state"), home.folder.path().join("away"));

    fs::rename(&state, &away).unwrap();
    let error = file(&*story.store, 2).unwrap_err();
    assert!(message(&error).contains("askwell.db"), "{error:?}");
    assert!(message(&error).contains("Put the store back"), "{error:?}");
    let settle = askwell_store::conformance::fixture::settlement(State::Answered, answer("x"));
    assert!(wait_for(|done| story.store.settle(settle, done)).is_err());
    fs::rename(&away, &state).unwrap();

    assert_eq!(story.store.ended(id(1)).unwrap(), None);
    assert!(matches!(story.settle(1, State::Answered, answer("x")), Settled::Won { .. }));
    assert_eq!(file(&*story.store, 2), Ok(Filed::New { event: 3 }));
}

#[rstest]
#[case::store("askwell.db")]
#[case::log("askwell.db-wal")]
fn a_file_that_was_replaced_is_not_written(#[case] name: &str) {
    let home = Home::new();
    let story = home.fixture();
    story.ask(1);
    let path = home.path().with_file_name(name);
    let (former, copy) = (path.with_extension("former"), fs::read(&path).unwrap());

    fs::rename(&path, &former).unwrap();
    fs::write(&path, copy).unwrap();
    let error = file(&*story.store, 2).unwrap_err();
    fs::rename(&former, &path).unwrap();

    assert!(message(&error).contains("was replaced while it was in use"), "{error:?}");
    assert_eq!(file(&*story.store, 3), Ok(Filed::New { event: 2 }));
    assert_eq!(story.store.request(id(2)).unwrap(), None);
    drop(story);
    assert!(home.open().request(id(3)).unwrap().is_some());
}

#[rstest]
#[case::full("PRAGMA max_page_count = 1", "PRAGMA max_page_count = 1073741823", "full")]
#[case::read_only("PRAGMA query_only = 1", "PRAGMA query_only = 0", "readonly")]
fn a_disk_that_refuses_is_told_and_nothing_is_lost(
    #[case] breaks: &'static str,
    #[case] mends: &'static str,
    #[case] says: &str,
) {
    let home = Home::new();
    let path = home.path();
    let credentials = home.fixture();
    drop(credentials);
    let store = SqliteStore::open(&path).unwrap();
    file(&store, 1).unwrap();

    store.execute_for_test(breaks).unwrap();
    let large = NewRequest { text: vec![b'x'; 100_000], ..new(2) };
    let error = wait_for(|done| store.file(large, done)).unwrap_err();
    store.execute_for_test(mends).unwrap();

    assert!(message(&error).contains(says), "{error:?}");
    assert!(store.request(id(1)).unwrap().is_some());
    assert_eq!(store.request(id(2)).unwrap(), None);
    assert_eq!(file(&store, 3), Ok(Filed::New { event: 2 }));
    assert_eq!(store.metrics().failures, 1);
}

#[test]
fn one_write_that_fails_takes_no_other_with_it() {
    let home = Home::new();
    let story = home.fixture();
    let (told, heard) = channel();

    for n in 1..=60 {
        let credential = if n % 3 == 0 { credential(9) } else { credential(1) };
        let told = told.clone();
        let done = Box::new(move |result: Result<_, _>| told.send((n, result.is_ok())).unwrap());
        story.store.file(NewRequest { credential, ..new(n) }, done);
    }
    drop(told);

    let expected: Vec<_> = (1..=60).map(|n| (n, n % 3 != 0)).collect();
    // In the order in which they were written, too.
    assert_eq!(heard.iter().collect::<Vec<_>>(), expected);
    assert_eq!(story.store.last_event().unwrap(), 40);
}

#[test]
fn many_writes_share_one_commit() {
    let home = Home::new();
    let story = home.fixture();
    let before = story.store.metrics();
    let (told, heard) = channel();

    for n in 1..=200 {
        let told = told.clone();
        let done = Box::new(move |result: Result<_, _>| told.send(result.is_ok()).unwrap());
        story.store.file(new(n), done);
    }
    drop(told);
    assert_eq!(heard.iter().filter(|ok| *ok).count(), 200);

    let after = story.store.metrics();
    assert_eq!(after.writes - before.writes, 200);
    assert!(after.commits - before.commits < 100, "{after:?}");
    assert_eq!(after.commits_within.iter().sum::<u64>(), after.commits);
}
