//! A disk that lets the host down while it runs: it says `STORE_UNAVAILABLE`, takes nothing that it
//! can't keep, loses nothing that it took, and goes on when the disk does.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use askwell_testkit::deadline;
use rustix::process::geteuid;
use serde_json::{Value, json};

use super::http::Reply;
use super::life::{Life, Place};
use super::workers::at;

/// Becomes the host without the right of root to write everywhere.
const WITHOUT_RIGHTS: [&str; 2] = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"];

/// What was told to be on disk before anything went wrong.
struct Story {
    place: Place,
    request: String,
}

impl Story {
    fn begin(place: &Place, life: &Life) -> Self {
        let request = ask(life, "before");
        let reply = draft(life, &request, "begun", 0);
        assert_eq!(reply.status, 200, "{reply:?}");
        Self { place: place.clone(), request }
    }

    /// Nothing is taken, and whoever asks is told why.
    #[track_caller]
    fn is_refused(&self, life: &Life) {
        let answer = json!({"answers": [{"id": "q", "selected": [], "custom": "refused"}]});
        for (what, reply) in [
            ("ask", life.post("asker", "/api/v1/requests", &question("refused"))),
            ("draft", draft(life, &self.request, "refused", 1)),
            ("answer", life.post("answerer", &at(&self.request, "/answer"), &answer)),
            ("cancel", life.post("answerer", &at(&self.request, "/cancel"), &json!({}))),
            ("abort", life.post("asker", &at(&self.request, "/abort"), &json!({}))),
        ] {
            assert_eq!(
                (reply.status, reply.code()),
                (503, "STORE_UNAVAILABLE"),
                "{what}: {reply:?}"
            );
            let hint = reply.body["hint"].as_str().unwrap_or_default();
            assert!(!hint.is_empty(), "{what}: nothing to do about it: {reply:?}");
        }
        assert_eq!(life.get("", "/healthz").status, 200);
        let view = life.get("answerer", &at(&self.request, ""));
        let stands = (view.status, view.body["state"].as_str());
        assert!(matches!(stands, (503, _) | (200, Some("pending"))), "{view:?}");
    }

    /// It works, and after kill -9 everything is there that was taken, and nothing else.
    #[track_caller]
    fn goes_on(self, life: Life) {
        let answer = json!({"answers": [{"id": "q", "selected": [], "custom": "after"}]});
        let until = Instant::now() + deadline();
        let answered = loop {
            let reply = life.post("answerer", &at(&self.request, "/answer"), &answer);
            if reply.status != 503 || Instant::now() > until {
                break reply;
            }
            thread::sleep(Duration::from_millis(50));
        };
        assert_eq!(answered.status, 200, "{answered:?}\n{}", self.place.log());
        let second = ask(&life, "after");

        life.kill();
        let life = self.place.start();
        self.is_kept(&life, "after");
        assert_eq!(waiting(&life), [second]);
        life.stop();
    }

    #[track_caller]
    fn is_kept(&self, life: &Life, answer: &str) {
        let view = life.get("answerer", &at(&self.request, "")).body;
        let outcome = json!({"answers": [{"id": "q", "selected": [], "custom": answer}]});
        assert_eq!((&view["state"], &view["outcome"]), (&json!("answered"), &outcome), "{view}");
        assert_eq!(view["late"], Value::Null, "what was refused was kept: {view}");
        let draft = life.get("answerer", &at(&self.request, "/draft")).body;
        let entry = &draft["questions"][0];
        let found = (&entry["custom"], &entry["revision"], &entry["kept"]);
        assert_eq!(found, (&json!("begun"), &json!(1), &Value::Null), "{draft}");
    }
}

fn question(text: &str) -> Value {
    json!({"questions": [{"id": "q", "question": text}]})
}

#[track_caller]
fn ask(life: &Life, text: &str) -> String {
    let reply = life.post("asker", "/api/v1/requests", &question(text));
    assert_eq!(reply.status, 201, "{reply:?}");
    reply.body["id"].as_str().unwrap().to_owned()
}

fn draft(life: &Life, id: &str, text: &str, base: u64) -> Reply {
    let entry = json!({"id": "q", "custom": text, "customOn": true, "base": base});
    let body = json!({"questions": [entry]});
    life.http("answerer").call("PUT", &at(id, "/draft"), &[], Some(&body)).unwrap()
}

fn waiting(life: &Life) -> Vec<String> {
    let list = life.get("answerer", "/api/v1/requests").body;
    let requests = list["requests"].as_array().unwrap().iter();
    requests.map(|request| request["id"].as_str().unwrap().to_owned()).collect()
}

/// How a host is started that may not write where nobody may; nothing where that can't be had.
fn without_rights() -> Option<&'static [&'static str]> {
    if !geteuid().is_root() {
        return Some(&[]);
    }
    let there = Command::new(WITHOUT_RIGHTS[0]).args([WITHOUT_RIGHTS[1], "true"]).status();
    there.is_ok_and(|status| status.success()).then_some(&WITHOUT_RIGHTS)
}

const NO_SETPRIV: &str =
    "skipped: root may write everywhere, and there is no setpriv to change that";

#[test]
fn a_store_that_may_not_be_written_is_told_at_the_start_and_left_as_it_is() {
    let Some(through) = without_rights() else { return println!("{NO_SETPRIV}") };
    let place = Place::new();
    let life = place.start();
    let story = Story::begin(&place, &life);
    life.stop();
    let log = place.askwell.work().join("refused.log");

    for (path, mode) in [(place.folder(), 0o500), (place.store(), 0o400)] {
        let before = fs::metadata(&path).unwrap().permissions();
        place.set_mode(&path, mode);
        let code = place.refused(place.spawn_as(through, &log));
        fs::set_permissions(&path, before).unwrap();

        let told = fs::read_to_string(&log).unwrap();
        assert_eq!(code, Some(1), "{told}");
        assert!(told.contains("STORE_UNAVAILABLE"), "{path:?}: {told}");
        fs::remove_file(&log).unwrap();
    }

    story.goes_on(place.start());
}

#[test]
fn a_folder_that_is_closed_under_the_host_is_told_and_works_again_when_it_is_open() {
    let Some(through) = without_rights() else { return println!("{NO_SETPRIV}") };
    let place = Place::new();
    let log = place.askwell.work().join("hosts.log");
    let life = place.awaited(place.spawn_as(through, &log));
    let story = Story::begin(&place, &life);
    // The tokens are read from there.
    let tokens = ["asker", "answerer"].map(|role| (role, place.token(role)));
    assert!(tokens.iter().all(|(_, token)| !token.is_empty()));

    place.set_mode(&place.folder(), 0o000);
    if geteuid().is_root() {
        story.is_refused(&life);
    } else {
        // We can't read the tokens either.
        let (_, token) = &tokens[0];
        let mut http = super::http::Http::connect(life.port, token).unwrap();
        let reply = http.post("/api/v1/requests", &question("refused")).unwrap();
        assert_eq!((reply.status, reply.code()), (503, "STORE_UNAVAILABLE"), "{reply:?}");
    }
    place.set_mode(&place.folder(), 0o700);

    story.goes_on(life);
}

#[test]
fn what_is_made_read_only_under_the_host_loses_nothing_that_it_takes() {
    let Some(through) = without_rights() else { return println!("{NO_SETPRIV}") };
    let place = Place::new();
    let life = place.awaited(place.spawn_as(through, &place.askwell.work().join("hosts.log")));
    let story = Story::begin(&place, &life);
    let files =
        ["askwell.db", "askwell.db-wal", "askwell.db-shm"].map(|it| place.folder().join(it));

    files.iter().for_each(|file| place.set_mode(file, 0o400));
    place.set_mode(&place.folder(), 0o500);
    // Files that are open may be written as before; or else it says so.
    let reply = life.post("asker", "/api/v1/requests", &question("meanwhile"));
    let meanwhile = match reply.status {
        201 => Some(reply.body["id"].as_str().unwrap().to_owned()),
        _ => None,
    };
    assert!(meanwhile.is_some() || reply.code() == "STORE_UNAVAILABLE", "{reply:?}");
    life.kill();
    place.set_mode(&place.folder(), 0o700);
    files.iter().for_each(|file| place.set_mode(file, 0o600));

    let life = place.start();
    let expected: Vec<String> = [story.request].into_iter().chain(meanwhile).collect();
    assert_eq!(waiting(&life), expected);
    life.stop();
}

#[test]
fn a_store_that_is_deleted_under_the_host_is_told_and_works_again_when_it_is_back() {
    let place = Place::new();
    let life = place.start();
    let story = Story::begin(&place, &life);
    let aside = place.folder().join("aside.db");

    fs::hard_link(place.store(), &aside).unwrap();
    fs::remove_file(place.store()).unwrap();
    story.is_refused(&life);
    fs::rename(&aside, place.store()).unwrap();

    story.goes_on(life);
}

#[test]
fn a_store_that_is_deleted_for_good_takes_nothing_more_and_the_next_host_begins_anew() {
    let place = Place::new();
    let life = place.start();
    let story = Story::begin(&place, &life);

    fs::remove_file(place.store()).unwrap();
    story.is_refused(&life);
    life.stop();

    let life = place.start();
    assert_eq!(waiting(&life), [""; 0]);
    let story = Story::begin(&place, &life);
    story.goes_on(life);
}

#[test]
fn a_store_that_is_replaced_under_the_host_is_told_and_works_again_when_it_is_back() {
    let place = Place::new();
    let life = place.start();
    let story = Story::begin(&place, &life);
    let aside = place.folder().join("aside.db");

    fs::rename(place.store(), &aside).unwrap();
    fs::copy(&aside, place.store()).unwrap();
    story.is_refused(&life);
    fs::rename(&aside, place.store()).unwrap();

    story.goes_on(life);
}

#[test]
fn another_store_that_is_put_in_place_under_the_host_is_what_the_next_host_has() {
    let other = Place::new();
    let life = other.start();
    let kept = Story::begin(&other, &life);
    life.stop();
    let place = Place::new();
    let life = place.start();
    let story = Story::begin(&place, &life);
    let (told, aside) = (place.store(), place.folder().join("aside.db"));

    fs::copy(other.store(), &aside).unwrap();
    fs::rename(&aside, &told).unwrap();
    story.is_refused(&life);
    life.stop();

    // As the hint says: start the host again to use the new one.
    let life = place.start();
    assert_eq!(waiting(&life), std::slice::from_ref(&kept.request));
    Story { place, ..kept }.goes_on(life);
}

#[cfg(target_os = "linux")]
#[test]
fn a_store_that_may_not_grow_is_told_and_works_again_when_it_may() {
    use rustix::process::{Resource, Rlimit, prlimit};
    let place = Place::new();
    let log = place.askwell.work().join("hosts.log");
    let life = place.awaited(place.spawn_as(&[], &log));
    let story = Story::begin(&place, &life);
    let limit = |current| Rlimit { current, maximum: None };

    prlimit(Some(life.pid()), Resource::Fsize, limit(Some(0))).unwrap();
    story.is_refused(&life);
    prlimit(Some(life.pid()), Resource::Fsize, limit(None)).unwrap();

    story.goes_on(life);
}

#[test]
fn a_full_disk_is_told_and_works_again_when_there_is_space() {
    let place = Place::new();
    let Some(disk) = SmallDisk::at(&place.askwell.state()) else {
        return println!("skipped: no file system can be mounted here (not root, or a container)");
    };
    fs::create_dir(place.folder()).unwrap();
    // Its log is on the same disk, as that of a host in the background.
    let log = place.folder().join("host.log");
    let life = place.awaited(place.spawn_as(&[], &log));
    let story = Story::begin(&place, &life);

    let filler = disk.fill(&log);
    story.is_refused(&life);
    fs::remove_file(&filler).unwrap();
    // And once more, killed while it is full.
    let answer = json!({"answers": [{"id": "q", "selected": [], "custom": "before"}]});
    let second = ask(&life, "between");
    let reply = life.post("answerer", &at(&second, "/answer"), &answer);
    assert_eq!(reply.status, 200, "{reply:?}");
    let filler = disk.fill(&log);
    story.is_refused(&life);
    life.kill();
    // It starts or says why not.
    let mut child = place.spawn_as(&[], &log);
    thread::sleep(Duration::from_millis(500));
    if let Some(status) = child.try_wait().unwrap() {
        assert_eq!(status.code(), Some(1), "{}", fs::read_to_string(&log).unwrap());
    }
    child.kill().unwrap();
    child.wait().unwrap();
    fs::remove_file(&filler).unwrap();

    let life = place.awaited(place.spawn_as(&[], &log));
    assert_eq!(life.get("answerer", &at(&second, "")).body["state"], "answered");
    story.goes_on(life);
}

/// A file system of a few MiB.
struct SmallDisk {
    path: PathBuf,
}

impl SmallDisk {
    fn at(path: &Path) -> Option<Self> {
        let mut mount = Command::new("mount");
        let mounted =
            mount.args(["-t", "tmpfs", "-o", "size=4m,mode=0700", "tmpfs"]).arg(path).output();
        mounted.is_ok_and(|output| output.status.success()).then(|| Self { path: path.to_owned() })
    }

    /// A file that takes all that is left; and the last line of the log goes on to its block's end.
    fn fill(&self, log: &Path) -> PathBuf {
        let path = self.path.join("filler");
        let filler = fs::File::create(&path).unwrap();
        let log = fs::OpenOptions::new().append(true).open(log).unwrap();
        for mut file in [filler, log] {
            for size in [64 * 1024, 4096, 1] {
                while file.write_all(&vec![b'x'; size]).is_ok() {}
            }
        }
        path
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.path).output();
    }
}
