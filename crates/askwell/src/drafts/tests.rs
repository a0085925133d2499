//! The folder as whole situations: each run is one dialog, dropped as a killed or left one is.

use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicU64, Ordering};

use askwell_core::request::Asker;
use askwell_core::{Question, Request};
use pretty_assertions::assert_eq;
use tempfile::TempDir;

use askwell_core::draft::DraftState;

use super::*;

/// A user with a clock that only the test moves.
struct User {
    home: TempDir,
    start: u64,
    now: Arc<AtomicU64>,
}

const MINUTE: u64 = 60_000;
const DAY: u64 = 24 * 60 * MINUTE;

impl User {
    fn new() -> Self {
        let start = millis(SystemTime::now());
        Self { home: tempfile::tempdir().unwrap(), start, now: Arc::new(AtomicU64::new(start)) }
    }

    fn path(&self) -> PathBuf {
        self.home.path().join("state/askwell/drafts")
    }

    fn folder(&self) -> DraftFolder {
        let now = Arc::clone(&self.now);
        let clock = move || UNIX_EPOCH + Duration::from_millis(now.load(Ordering::Relaxed));
        DraftFolder::new(self.path()).with_clock(clock)
    }

    fn begin(&self, request: &ValidRequest) -> DraftRun {
        self.folder().begin(request, Path::new("/work"))
    }

    /// A run in which this text was entered, and which was then left.
    fn writes(&self, text: &str) {
        self.begin(&database()).saver().save(&entered(text)).unwrap();
    }

    fn is_offered(&self) -> Option<Entered> {
        self.begin(&database()).offered().map(|offered| offered.entered.clone())
    }

    fn passes(&self, millis: u64) {
        self.now.fetch_add(millis, Ordering::Relaxed);
    }

    /// The kinds of the files in the folder, sorted.
    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).into_iter().flatten();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut kinds: Vec<_> =
            names.map(|name| name.rsplit('.').next().unwrap().to_owned()).collect();
        kinds.sort();
        kinds
    }

    fn only_file(&self) -> PathBuf {
        let mut entries = fs::read_dir(self.path()).unwrap();
        let path = entries.next().unwrap().unwrap().path();
        assert!(entries.next().is_none());
        path
    }
}

fn database() -> ValidRequest {
    Request::new([Question::new("db", "Which database?").option("Postgres")]).validate().unwrap()
}

fn entered(text: &str) -> Entered {
    let text = text.to_owned();
    let custom_on = !text.is_empty();
    vec![DraftState { id: "db".into(), custom: text, custom_on, ..DraftState::default() }].into()
}

#[test]
fn b085_what_was_saved_is_offered_to_whoever_asks_the_same() {
    let user = User::new();
    user.writes("keep it in memory");
    user.passes(2 * MINUTE);

    let run = user.begin(&database());

    let age = Duration::from_millis(2 * MINUTE);
    let entered = entered("keep it in memory");
    assert_eq!(run.offered(), Some(&Offered { entered, age }));
    assert_eq!(run.path(), Some(user.path().join(run.path().unwrap().file_name().unwrap())));
}

#[test]
fn b082_a_draft_is_never_mixed_into_another_request() {
    let user = User::new();
    user.writes("mine");

    let mut other_question = database().into_inner();
    other_question.questions[0].detail = Some("for the tests".to_owned());
    let asked_by = |asker: Asker| {
        Request { asker: Some(asker), ..database().into_inner() }.validate().unwrap()
    };
    let named = Asker { name: Some("agent".into()), ..Asker::default() };
    let elsewhere = Asker { cwd: Some("/other".into()), ..Asker::default() };
    let here = Asker { cwd: Some("/work".into()), session: Some("7".into()), ..Asker::default() };

    assert_eq!(user.begin(&other_question.validate().unwrap()).offered(), None);
    assert_eq!(user.begin(&asked_by(named)).offered(), None);
    assert_eq!(user.begin(&asked_by(elsewhere)).offered(), None);
    assert_eq!(user.folder().begin(&database(), Path::new("/other")).offered(), None);
    assert!(user.begin(&asked_by(here)).offered().is_some());
}

#[test]
fn the_newest_draft_is_offered() {
    let user = User::new();
    let slow = user.begin(&database());
    user.passes(1);
    user.writes("second");
    user.passes(1);
    slow.saver().save(&entered("third")).unwrap();
    drop(slow);
    user.passes(1);
    user.writes("");

    assert_eq!(user.is_offered(), Some(entered("third")));
    assert_eq!(user.files(), ["json", "json"]);
}

#[test]
fn a_live_runs_draft_is_not_offered_and_a_dead_ones_lock_is_no_hindrance() {
    let user = User::new();
    let live = user.begin(&database());
    live.saver().save(&entered("still typing")).unwrap();

    assert_eq!(user.is_offered(), None);
    assert_eq!(user.files(), ["json", "lock"]);

    let lock = live.path().unwrap().with_extension("lock");
    drop(live);
    fs::write(lock, "").unwrap();
    assert_eq!(user.is_offered(), Some(entered("still typing")));
    assert_eq!(user.files(), ["json"]);
}

#[test]
fn a_draft_is_offered_to_one_run_at_a_time() {
    let user = User::new();
    user.writes("mine");

    let first = user.begin(&database());
    let second = user.begin(&database());

    assert!(first.offered().is_some());
    assert_eq!(second.offered(), None);
    drop(first);
    assert!(user.is_offered().is_some());
}

#[test]
fn nothing_entered_leaves_nothing_behind() {
    let user = User::new();
    user.begin(&database()).saver().save(&entered("")).unwrap();
    assert!(!user.path().exists());

    let run = user.begin(&database());
    run.saver().save(&entered("typed")).unwrap();
    run.saver().save(&entered("")).unwrap();
    assert_eq!(run.path(), None);
    drop(run);

    assert_eq!(user.files(), [""; 0]);
}

#[test]
fn a_draft_whose_text_was_taken_back_is_not_offered() {
    let user = User::new();
    user.writes("typed");
    // As a run leaves it that is killed after the text was taken back.
    let path = user.only_file();
    let states = entered("");
    file::write(&path, &Document::new(user.start, user.start, states)).unwrap();

    assert_eq!(user.is_offered(), None);
    assert_eq!(user.files(), ["json"]);
}

#[test]
fn b085_drafts_are_the_owners_only() {
    let user = User::new();
    fs::create_dir_all(user.path()).unwrap();
    fs::set_permissions(user.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let run = user.begin(&database());
    run.saver().save(&entered("mine")).unwrap();

    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&user.path()), 0o700);
    for entry in fs::read_dir(user.path()).unwrap() {
        assert_eq!(mode(&entry.unwrap().path()), 0o600);
    }
    assert_eq!(user.files(), ["json", "lock"]);
}

#[test]
fn an_answer_that_was_delivered_takes_its_drafts_along() {
    for (restored, left) in [(true, vec![]), (false, vec!["json"])] {
        let user = User::new();
        user.writes("earlier");
        user.passes(1);
        let run = user.begin(&database());
        run.saver().save(&entered("now")).unwrap();

        run.discard(restored);

        assert_eq!(user.files(), left, "restored: {restored}");
        assert_eq!(user.is_offered().is_some(), !restored);
    }
}

#[test]
fn a_save_that_comes_late_writes_nothing() {
    let user = User::new();
    let run = user.begin(&database());
    let saver = run.saver();
    run.discard(true);

    saver.save(&entered("late")).unwrap();

    assert!(!user.path().exists());
}

#[test]
fn drafts_are_kept_for_seven_days() {
    let user = User::new();
    user.writes("mine");
    let other = Request::new([Question::new("x", "Another?")]).validate().unwrap();

    user.passes(7 * DAY);
    assert!(user.is_offered().is_some());
    user.passes(1);

    drop(user.begin(&other));
    assert_eq!(user.files(), [""; 0]);
}

#[test]
fn what_is_old_is_cleared_away_whatever_was_asked_unless_it_is_in_use() {
    let user = User::new();
    let live = user.begin(&Request::new([Question::new("x", "Another?")]).validate().unwrap());
    live.saver().save(&entered("still open")).unwrap();
    user.writes("old");
    for name in ["notes.txt", "0-0-0.json", &format!("{}-1-x.json", "a".repeat(key::LENGTH))] {
        fs::write(user.path().join(name), "").unwrap();
    }
    for kind in ["lock", "tmp", "unreadable"] {
        fs::write(user.path().join(format!("{}-1-2.{kind}", "a".repeat(key::LENGTH))), "").unwrap();
    }
    let aged = SystemTime::now() - KEPT - Duration::from_mins(1);
    for entry in fs::read_dir(user.path()).unwrap() {
        let file = fs::File::options().write(true).open(entry.unwrap().path()).unwrap();
        file.set_modified(aged).unwrap();
    }

    let folder = DraftFolder::new(user.path());
    drop(
        folder.begin(
            &Request::new([Question::new("y", "Third?")]).validate().unwrap(),
            Path::new("/"),
        ),
    );

    assert_eq!(user.files(), ["json", "json", "json", "lock", "txt", "unreadable"]);
    assert!(live.path().unwrap().exists());
}

#[test]
fn the_old_lock_of_a_killed_run_does_not_take_its_draft_along() {
    let user = User::new();
    user.writes("saved a moment ago");
    let lock = user.only_file().with_extension("lock");
    let lock = fs::File::create(lock).unwrap();
    lock.set_modified(SystemTime::now() - KEPT - Duration::from_mins(1)).unwrap();

    drop(user.folder().begin(&database(), Path::new("/elsewhere")));

    assert_eq!(user.files(), ["json"]);
}

#[test]
fn a_file_that_cannot_be_read_is_set_aside_and_one_of_a_later_version_is_let_be() {
    let user = User::new();
    user.writes("mine");
    let path = user.only_file();
    let text = fs::read_to_string(&path).unwrap();

    fs::write(&path, text.replace("\"version\":1", "\"version\":2")).unwrap();
    assert_eq!(user.is_offered(), None);
    assert_eq!(user.files(), ["json"]);

    fs::write(&path, &text[..text.len() / 2]).unwrap();
    assert_eq!(user.is_offered(), None);
    let aside = user.only_file();
    assert_eq!(aside, path.with_extension("unreadable"));
    assert_eq!(fs::read_to_string(aside).unwrap(), text[..text.len() / 2]);
}

#[test]
fn where_nothing_can_be_written_the_run_goes_on_and_knows_why() {
    let user = User::new();
    fs::write(user.home.path().join("state"), "a file in the way").unwrap();
    let run = user.begin(&database());

    run.saver().save(&entered("mine")).unwrap_err();

    assert!(run.failure().unwrap().contains("state/askwell/drafts"));
    assert_eq!(run.path(), None);

    fs::remove_file(user.home.path().join("state")).unwrap();
    run.saver().save(&entered("mine")).unwrap();
    assert_eq!(run.failure(), None);
    assert_eq!(user.files(), ["json", "lock"]);
}

#[test]
fn the_file_says_what_was_entered_and_when() {
    let user = User::new();
    let run = user.begin(&database());
    user.passes(5);
    run.saver().save(&entered("mine")).unwrap();

    let text = fs::read_to_string(run.path().unwrap()).unwrap();
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&text).unwrap(),
        serde_json::json!({"version": 1, "created": user.start, "saved": user.start + 5, "states": [
            {"id": "db", "chosen": [], "custom": "mine", "customOn": true, "skipped": false},
        ]})
    );
}
