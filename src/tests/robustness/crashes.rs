//! Killed, or without power, at any moment: learning, an import, a backup, a restore, a migration and an erasure. Nothing
//! acknowledged is lost, nothing is half done, and no erased user comes back.
//!
//! Each operation of the real program is recorded once, and the folder at each moment is made from the recording (`disk.rs`). It
//! is then opened as the program opens it. A few runs are killed for real, which shows that the recording is true.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use access::callers::Caller;
use access::digest::Digester;
use domain::erasure::Status;
use domain::erasure::people::UserId;
use domain::facts::fact::FactStatus;
use domain::memory::exchange::{Exchange, ExchangeStatus};
use domain::moment::{HOUR_MS, Moment};
use keepsake::api::wire::ExchangeRecord;
use keepsake::cli::wiring::{Ports, Timing, compose};
use keepsake::embed::lexical::Lexical;
use keepsake::extract::rules::Rules;
use memchr::memmem;
use ports::clock::{Clock, SystemClock};
use ports::embedder::Embedder;
use ports::store::custody::Opened;
use ports::store::location::{DatabaseHold, DatabaseLocation};
use serde_json::{Value, json};
use service::Keepsake;
use service::audit::{Verification, verify};
use service::database::start::{Match, key_of, match_embedder};
use service::erasure::ledger::check_ledger;
use sqlx::migrate::Migrator;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions};
use sqlx::{AssertSqlSafe, Connection, SqliteConnection};
use store::at;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use wiremock::matchers::method;
use wiremock::{Mock, MockServer, Request};

use crate::learning::together::Asked;
use crate::robustness::disk::{Recorder, Recording, Tree, lay, read_tree, record, record_by, record_until};
use crate::robustness::process::{DEADLINE, Home, call, until};

/// Moments of each operation at which it is killed, and as many at which the power is lost.
pub const MOMENTS: usize = 200;
/// Runs of each operation that are killed for real.
const KILLS: usize = 3;
/// States in which a real command completes the operation.
const COMMANDS: usize = 5;

/// A clock that is an hour ahead, so that orders confirmed by another process are taken over.
struct Later;

impl Clock for Later {
    fn now(&self) -> Moment {
        SystemClock.now().plus_ms(HOUR_MS)
    }

    fn steady(&self) -> Moment {
        SystemClock.steady()
    }

    fn id(&self, prefix: &str) -> String {
        SystemClock.id(prefix)
    }
}

/// A folder in memory if there is one, because a state is written and read once.
fn scratch() -> TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.expect("a folder")
}

/// Lays out each state and checks it. The last line that a failed test prints is the moment.
pub async fn each(what: &str, states: impl Iterator<Item = (usize, Tree)>, look: impl AsyncFn(usize, &Path)) {
    let mut seen = BTreeSet::new();
    for (done, tree) in states {
        println!("{what} after step {done}");
        seen.insert(done);
        let folder = scratch();
        lay(&tree, folder.path());
        look(done, folder.path()).await;
    }
    println!("{} moments", seen.len());
}

/// A data folder as a command opens it: locked, with its own key, and with every erasure of its ledger carried out.
pub struct Awake {
    pub keepsake: Keepsake,
    opened: Opened,
    _taken: DatabaseHold,
}

fn location(root: &Path) -> Box<dyn DatabaseLocation> {
    at(None, &root.join("data"), 1 << 20).expect("served")
}

pub async fn wake(root: &Path) -> Awake {
    let place = location(root);
    let taken = place.take().expect("taken").expect("nobody has it");
    assert!(place.is_taken(), "the database is there");
    let opened = place.open().await.expect("opens");
    let digester = Digester::read(&root.join("data/ledger.key")).expect("read").expect("the key is there");
    assert!(key_of(opened.custody.as_ref()).await.expect("read").is_none_or(|known| known == digester.key_id()), "its own key");
    let embedder: Arc<dyn Embedder> = Arc::new(Lexical::default());
    assert_eq!(match_embedder(opened.custody.as_ref(), embedder.id()).await.expect("read"), Match::Same);
    let (store, custody) = (opened.store.clone(), opened.custody.clone());
    let ports = Ports { store, custody, embedder, extractor: Arc::new(Rules), clock: Arc::new(Later), digester };
    let keepsake = compose(ports, Timing::default()).await.expect("composed");
    keepsake.insight.begin_day().await.expect("begun");
    keepsake.erasure.replay_ledger().await.expect("replayed");
    let awake = Awake { keepsake, opened, _taken: taken };
    awake.is_sound().await;
    awake
}

impl Awake {
    pub async fn is_sound(&self) {
        assert_eq!(self.opened.custody.check(true).await.expect("checked"), Vec::<String>::new());
        assert!(matches!(verify(self.opened.store.as_ref()).await, Ok(Verification::Intact { .. })), "the audit log is a chain");
        let lines = self.opened.custody.notes_beside().await.expect("read");
        assert_eq!(check_ledger(lines.iter().map(String::as_str)), Ok(()));
    }

    async fn learn(&self) {
        let never = CancellationToken::new();
        while self.keepsake.learning.learn_due(&never).await.expect("learned") > 0 {}
        self.keepsake.proposals.arrive().await.expect("arrived");
    }

    async fn finish_erasures(&self) {
        while self.keepsake.erasure.finish_open_erasures().await.expect("finished") > 0 {}
        for erasure in self.opened.store.list_erasures(0, 99).await.expect("listed") {
            assert_eq!(erasure.status, Status::Verified, "{}", erasure.id);
        }
    }

    pub async fn close(self) {
        self.opened.custody.close().await;
    }
}

pub async fn ask(root: &Path, file: &str, sql: &str) -> Vec<String> {
    let options = SqliteConnectOptions::new().filename(root.join(file));
    let mut connection = SqliteConnection::connect_with(&options).await.expect("connects");
    let answer = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(&mut connection).await.expect("answers");
    connection.close().await.expect("closed");
    answer
}

pub const DATABASE: &str = "data/keepsake.db";
const CONTENTS: &str = "SELECT content FROM memories UNION ALL SELECT content FROM facts ORDER BY 1";
const USERS: &str = "SELECT user_id FROM users ORDER BY 1";

/// The n-th of many statements, each of which teaches one thing.
fn statement(n: usize) -> Value {
    let said = if n % 5 == 4 {
        format!("Remember this for the team: the gateway of region {n} listens on port {}.", 7000 + n)
    } else {
        format!("Remember that I keep the key of locker {n} at home.")
    };
    json!({"id": format!("e{n}"), "user_id": format!("user-{}", n % 3), "surface": "web", "user": said, "assistant": "Noted."})
}

/// Exactly the memories and facts of the first statements are there.
async fn taught_are_the_first(root: &Path, count: usize) {
    let contents = ask(root, DATABASE, CONTENTS).await;
    for n in 0..count {
        let named = if n % 5 == 4 { format!("region {n} ") } else { format!("locker {n} ") };
        assert_eq!(contents.iter().filter(|content| content.contains(&named)).count(), 1, "{named}: {contents:#?}");
    }
    assert_eq!(contents.len(), count, "{contents:#?}");
    for merges in ["memory_merges", "fact_merges"] {
        assert_eq!(ask(root, DATABASE, &format!("SELECT CAST(COUNT(*) AS TEXT) FROM {merges}")).await, ["0"], "taught twice");
    }
}

const EXCHANGES: usize = 10;

/// A server that accepts exchanges and learns them. Ends by itself, or is killed after so many steps.
async fn served(home: &Home, key: &str, kill_at: Option<u64>) -> Recording {
    let mut command = home.command();
    command.arg("serve");
    let recorder = Recorder::of(home, &mut command, kill_at);
    let mut server = home.serve_by(command).await;
    let mut ids = Vec::new();
    for n in 0..EXCHANGES {
        match call(server.address, "POST", "/v1/exchanges", key, Some(statement(n))).await {
            Ok((202, accepted)) => ids.push(accepted["id"].as_str().expect("an id").to_owned()),
            Ok((status, problem)) => panic!("{status} {problem}"),
            Err(_) => break,
        }
    }
    if kill_at.is_some() {
        let status = tokio::time::timeout(DEADLINE, server.child.wait()).await.expect("killed").expect("waited");
        return recorder.ended(Some(status));
    }
    for id in ids {
        let path = format!("/v1/exchanges/{id}");
        until(&path, DEADLINE, async || server.call("GET", &path, key, None).await.1["status"] == "learned").await;
    }
    assert_eq!(server.stop().await, Some(0));
    recorder.ended(None)
}

/// The ids of exchanges in answers with this status line and this status.
fn answered(said: &[String], line: &str, status: Option<&str>) -> Vec<String> {
    let told = said.iter().filter(|said| said.starts_with(line)).filter_map(|said| {
        let body: Value = serde_json::from_str(said.split_once("\r\n\r\n")?.1).ok()?;
        let fits = status.is_none_or(|status| body["status"] == status);
        fits.then(|| body["id"].as_str().map(str::to_owned)).flatten()
    });
    told.collect()
}

/// Every acknowledged exchange is there, and is learned once; each that was reported as learned is learned.
async fn nothing_acknowledged_is_lost(root: &Path, said: &[String]) {
    let awake = wake(root).await;
    let state = async |id: &str| awake.opened.store.exchange_state(id).await.expect("read").map(|state| state.status);
    let acknowledged = answered(said, "HTTP/1.1 202", None);
    for id in &acknowledged {
        assert!(state(id).await.is_some(), "{id} was acknowledged");
    }
    for id in answered(said, "HTTP/1.1 200", Some("learned")) {
        assert_eq!(state(&id).await, Some(ExchangeStatus::Learned), "{id}");
    }
    awake.learn().await;
    for id in &acknowledged {
        assert_eq!(state(id).await, Some(ExchangeStatus::Learned), "{id}");
    }
    awake.is_sound().await;
    awake.close().await;
    // They are sent one after the other, so one more may be there.
    let there = ask(root, DATABASE, "SELECT status FROM exchanges").await;
    assert!(
        (acknowledged.len()..=acknowledged.len() + 1).contains(&there.len()) && there.iter().all(|status| status == "learned")
    );
    taught_are_the_first(root, there.len()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_any_moment_a_server_has_every_exchange_that_it_acknowledged_and_learns_it_once() {
    let home = Home::new();
    let key = home.key("read,write");
    home.run(&["recall", "nobody", "x"]).json();
    let recording = served(&home, &key, None).await;
    assert_eq!(answered(&recording.said(recording.steps.len()), "HTTP/1.1 202", None).len(), EXCHANGES);
    each("killed", recording.killed(&recording.moments(MOMENTS, 1)), async |done, root| {
        nothing_acknowledged_is_lost(root, &recording.said(done)).await;
    })
    .await;
    for kill_at in recording.kills_between_answers("HTTP/1.1 202", KILLS, 2) {
        let home = Home::new();
        lay(&recording.before, &home.path(""));
        let killed = served(&home, &key, Some(kill_at)).await;
        killed.was_killed(kill_at);
        let said = killed.said(killed.steps.len());
        println!("killed after {kill_at}: {} acknowledged", answered(&said, "HTTP/1.1 202", None).len());
        nothing_acknowledged_is_lost(&home.path(""), &said).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_power_at_any_moment_a_server_has_every_exchange_that_it_acknowledged_and_learns_it_once() {
    let home = Home::new();
    let key = home.key("read,write");
    home.run(&["recall", "nobody", "x"]).json();
    let recording = served(&home, &key, None).await;
    each("without power", recording.without_power(&recording.boundaries(MOMENTS, 3), 4), async |done, root| {
        nothing_acknowledged_is_lost(root, &recording.said(done)).await;
    })
    .await;
}

/// A home with a file to import, and the exchanges in it.
fn with_a_file() -> (Home, String, Vec<Exchange>) {
    let home = Home::new();
    home.run(&["recall", "nobody", "x"]).json();
    let lines: Vec<String> = (0..EXCHANGES).map(|n| statement(n).to_string()).collect();
    let file = home.file("in.jsonl", &lines.join("\n"));
    let exchanges = lines.iter().map(|line| {
        let record: ExchangeRecord = serde_json::from_str(line).expect("a record");
        let user = record.user_id.clone().map(|id| UserId::new(id).expect("valid"));
        record.into_exchange(user, SystemClock.now()).expect("valid")
    });
    (home, file, exchanges.collect())
}

/// Each exchange is whole or absent, and the second import brings the rest.
async fn an_import_is_completed_by_a_second_one(root: &Path, said: &[String], exchanges: &[Exchange]) {
    let awake = wake(root).await;
    awake.learn().await;
    awake.is_sound().await;
    let there = ask(root, DATABASE, "SELECT status FROM exchanges").await;
    assert!(there.iter().all(|status| status == "learned"));
    assert!(said.is_empty() || there.len() == exchanges.len(), "its end was told");
    taught_are_the_first(root, there.len()).await;
    for exchange in exchanges {
        awake.keepsake.inbox.accept_imported(&Caller::command_line(), exchange.clone()).await.expect("accepted");
    }
    awake.learn().await;
    awake.is_sound().await;
    awake.close().await;
    taught_are_the_first(root, exchanges.len()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_any_moment_an_import_has_whole_exchanges_and_is_completed_by_a_second_one() {
    let (home, file, exchanges) = with_a_file();
    let recording = record(&home, &["import", &file], None);
    each("killed", recording.killed(&recording.moments(MOMENTS, 11)), async |done, root| {
        an_import_is_completed_by_a_second_one(root, &recording.said(done), &exchanges).await;
    })
    .await;
    for kill_at in recording.kills(KILLS, 12) {
        let home = Home::new();
        lay(&recording.before, &home.path(""));
        let killed = record(&home, &["import", &file], Some(kill_at));
        an_import_is_completed_by_a_second_one(&home.path(""), &killed.said(killed.steps.len()), &exchanges).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_power_at_any_moment_an_import_has_whole_exchanges_and_is_completed_by_a_second_one() {
    let (home, file, exchanges) = with_a_file();
    let recording = record(&home, &["import", &file], None);
    each("without power", recording.without_power(&recording.boundaries(MOMENTS, 13), 14), async |done, root| {
        an_import_is_completed_by_a_second_one(root, &recording.said(done), &exchanges).await;
    })
    .await;
}

/// A model that answers with what each exchange teaches, and the command that imports a file with it.
async fn read_by_a_model(home: &Home, file: &str) -> (MockServer, Command) {
    let server = MockServer::start().await;
    let respond = |request: &Request| {
        let asked = Asked::of(request);
        asked.answered(|message| {
            let teaches = message.split_once("the team: the ").map(|(_, rest)| format!("The {}", rest.trim_end_matches('.')));
            let locker = message.split_once("I keep ").map(|(_, rest)| format!("Keeps {}", rest.trim_end_matches('.')));
            match if asked.team { teaches } else { locker } {
                Some(content) if asked.team => Some(json!({"content": content, "kind": "fact", "importance": 3})),
                Some(content) => {
                    let item = json!({"content": content, "kind": "fact", "importance": 3, "takes": null, "only_instead": false});
                    Some(item)
                }
                None => None,
            }
        })
    };
    Mock::given(method("POST")).respond_with(respond).mount(&server).await;
    let mut command = home.command();
    command.args(["import", file]).env("KEEPSAKE_EXTRACTOR", "llm").env("KEEPSAKE_LLM_URL", server.uri());
    (server, command)
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_any_moment_exchanges_that_are_read_together_are_each_learned_once() {
    let (home, file, exchanges) = with_a_file();
    let (server, command) = read_by_a_model(&home, &file).await;
    let recording = record_by(&home, command, None);
    let together: Vec<Asked> = server.received_requests().await.expect("recorded").iter().map(Asked::of).collect();
    assert_eq!(together.len(), 6, "a question to each store about each of three users");
    assert!(together.iter().all(|asked| asked.exchanges.len() >= 3));
    each("killed", recording.killed(&recording.moments(MOMENTS, 15)), async |done, root| {
        an_import_is_completed_by_a_second_one(root, &recording.said(done), &exchanges).await;
    })
    .await;
    // The answers of the model come sooner or later, so a run may have ended before the moment at which it was to be killed.
    let mut killed = 0;
    for kill_at in recording.kills(2 * KILLS, 16) {
        let home = Home::new();
        lay(&recording.before, &home.path(""));
        let (_server, command) = read_by_a_model(&home, &home.path("in.jsonl").display().to_string()).await;
        let run = record_until(&home, command, kill_at);
        killed += usize::from(run.was_killed_or_ended_before(kill_at));
        an_import_is_completed_by_a_second_one(&home.path(""), &run.said(run.steps.len()), &exchanges).await;
    }
    assert!(killed >= KILLS, "only {killed} of {} runs were killed", 2 * KILLS);
}

/// Filler, so that the database has enough pages for many moments.
const BALLAST: &str = "INSERT INTO meta (key, value) SELECT 'ballast', hex(randomblob(300000)) RETURNING key";
const ANNA: &str = "usr_anna_7f3a";
const BUDI: &str = "usr_budi";
const ERASE: [&str; 7] = ["erase", ANNA, "--scope", "everything", "--reason", "SUP-4471", "--yes"];

/// A home with two users; they said the same to the team, and each something about themselves.
async fn peopled(ballast: bool) -> Home {
    let home = Home::new();
    let own = |who: &str, what: &str| json!({"user_id": who, "surface": "web", "user": format!("Remember that {what}."), "assistant": ""});
    let team = |who: &str| json!({"user_id": who, "surface": "web", "user": "Remember this for the team: the gateway listens on port 7443.", "assistant": ""});
    let lines = [
        own(ANNA, "I keep the spare key under the zyxomark flowerpot"),
        own(ANNA, "I am allergic to brindolex tablets"),
        team(ANNA),
        own(BUDI, "I ride a red bicycle to work"),
        team(BUDI),
    ];
    let file = home.file("people.jsonl", &lines.map(|line| line.to_string()).join("\n"));
    assert_eq!(home.run(&["import", &file]).json()["learned"], 5);
    fs::remove_file(file).expect("removed");
    if ballast {
        assert_eq!(ask(&home.path(""), DATABASE, BALLAST).await, ["ballast"]);
    }
    home
}

/// Bytes that identify Anna: her id, rare words, and her vectors.
async fn traces(home: &Home) -> Vec<Vec<u8>> {
    let mut traces = vec![ANNA.as_bytes().to_vec(), b"zyxomark".to_vec(), b"brindolex".to_vec()];
    let sql = format!("SELECT hex(vector) FROM memories JOIN users USING (user_no) WHERE user_id = '{ANNA}'");
    for hex in ask(&home.path(""), DATABASE, &sql).await {
        traces.push((0..hex.len() / 2).map(|n| u8::from_str_radix(&hex[2 * n..2 * n + 2], 16).expect("hex")).collect());
    }
    assert_eq!(traces.len(), 5);
    traces
}

/// None of these bytes is in any file of the data folder.
fn no_trace(root: &Path, traces: &[Vec<u8>]) {
    for file in fs::read_dir(root.join("data")).expect("a folder") {
        let file = file.expect("an entry").path();
        let bytes = fs::read(&file).expect("read");
        for trace in traces {
            assert!(memmem::find(&bytes, trace).is_none(), "{}: {}", file.display(), String::from_utf8_lossy(trace));
        }
    }
}

/// The copy is absent or whole; the database is what it was; a second backup succeeds.
async fn a_backup_is_absent_or_whole(root: &Path, said: &[String]) {
    let copy = root.join("out/copy.db");
    let whole = async || {
        assert_eq!(location(root).inspect(&copy).await.problem, None);
        assert!(location(root).inspect(&copy).await.at.is_some(), "it says when it was made");
        for sql in [CONTENTS, USERS, "SELECT value FROM meta WHERE key = 'ballast'"] {
            assert_eq!(ask(root, "out/copy.db", sql).await, ask(root, DATABASE, sql).await);
        }
    };
    let awake = wake(root).await;
    assert_eq!(ask(root, DATABASE, USERS).await, [ANNA, BUDI]);
    assert_eq!(ask(root, DATABASE, CONTENTS).await.len(), 4);
    assert!(said.is_empty() || copy.exists(), "its end was told");
    if copy.exists() {
        whole().await;
        fs::remove_file(&copy).expect("removed");
    }
    awake.keepsake.database.back_up(&Caller::command_line(), &copy).await.expect("made");
    awake.close().await;
    whole().await;
    let names: Vec<_> =
        fs::read_dir(root.join("out")).expect("a folder").map(|file| file.expect("an entry").file_name()).collect();
    assert_eq!(names, ["copy.db"], "nothing else is left");
}

/// A home, and a backup of it being made.
async fn backed_up(kill_at: Option<u64>, before: Option<&Tree>) -> (Home, Recording) {
    let home = match before {
        None => peopled(true).await,
        Some(before) => {
            let home = Home::new();
            lay(before, &home.path(""));
            home
        }
    };
    fs::create_dir_all(home.path("out")).expect("made");
    let recording = record(&home, &["backup", &home.path("out/copy.db").display().to_string()], kill_at);
    (home, recording)
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_any_moment_a_backup_is_absent_or_whole_and_can_be_made_again() {
    let (_home, recording) = backed_up(None, None).await;
    each("killed", recording.killed(&recording.moments(MOMENTS, 21)), async |done, root| {
        a_backup_is_absent_or_whole(root, &recording.said(done)).await;
    })
    .await;
    for kill_at in recording.kills(KILLS, 22) {
        let (home, killed) = backed_up(Some(kill_at), Some(&recording.before)).await;
        a_backup_is_absent_or_whole(&home.path(""), &killed.said(killed.steps.len())).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_power_at_any_moment_a_backup_is_absent_or_whole_and_can_be_made_again() {
    let (_home, recording) = backed_up(None, None).await;
    each("without power", recording.without_power(&recording.boundaries(MOMENTS, 23), 24), async |done, root| {
        a_backup_is_absent_or_whole(root, &recording.said(done)).await;
    })
    .await;
}

/// A home with a backup from before an erasure and before a statement that followed it; and the traces of the erased user.
async fn with_an_old_backup() -> (Home, Vec<Vec<u8>>) {
    let home = peopled(true).await;
    fs::create_dir_all(home.path("out")).expect("made");
    let leaked = home.run(&["key", "add", "leaked", "--scope", "read"]).json();
    home.run(&["backup", &home.path("out/copy.db").display().to_string()]).json();
    assert_eq!(home.run(&["key", "revoke", leaked["id"].as_str().expect("an id")]).code, Some(0));
    let traces = traces(&home).await;
    home.run(&ERASE).json();
    // The last statement is still in the log, as after a kill: this connection keeps the log from being emptied.
    let options = SqliteConnectOptions::new().filename(home.path(DATABASE));
    let mut reader = SqliteConnection::connect_with(&options).await.expect("connects");
    sqlx::raw_sql(USERS).execute(&mut reader).await.expect("read");
    let later = json!({"user_id": BUDI, "surface": "web", "user": "Remember that I play the cello.", "assistant": ""});
    let file = home.file("later.jsonl", &later.to_string());
    home.run(&["import", &file]).json();
    let stopped = Home::new();
    lay(&read_tree(&home.path("")), &stopped.path(""));
    reader.close().await.expect("closed");
    assert!(fs::metadata(stopped.path("data/keepsake.db-wal")).expect("there").len() > 0);
    no_trace(&stopped.path(""), &traces);
    (stopped, traces)
}

const WORKING_KEYS: &str = "SELECT id FROM keys WHERE revoked_at IS NULL";

fn restored(home: &Home, kill_at: Option<u64>) -> Recording {
    record(home, &["restore", &home.path("out/copy.db").display().to_string()], kill_at)
}

/// The database is the old one or the one of the backup, and a user erased since is not in it, nor in any other file.
async fn a_restore_is_done_or_not(root: &Path, said: &[String], traces: &[Vec<u8>]) {
    let awake = wake(root).await;
    awake.finish_erasures().await;
    assert_eq!(ask(root, DATABASE, USERS).await, [BUDI]);
    let contents = ask(root, DATABASE, CONTENTS).await;
    let cello = contents.iter().filter(|content| content.contains("cello")).count();
    let bicycle = contents.iter().filter(|content| content.contains("bicycle")).count();
    assert!(bicycle == 1 && contents.len() == 2 + cello && cello < 2, "{contents:?}");
    assert!(said.is_empty() || cello == 0, "its end was told");
    assert_eq!(ask(root, DATABASE, "SELECT CAST(LENGTH(value) AS TEXT) FROM meta WHERE key = 'ballast'").await, ["600000"]);
    awake.is_sound().await;
    awake.close().await;
    no_trace(root, traces);
}

/// A real command completes it.
async fn a_restore_is_completed(tree: &Tree, traces: &[Vec<u8>]) {
    let home = Home::new();
    lay(tree, &home.path(""));
    home.run(&["restore", &home.path("out/copy.db").display().to_string()]).json();
    assert_eq!(home.run(&["doctor"]).json()["ok"], true);
    assert_eq!(ask(&home.path(""), DATABASE, USERS).await, [BUDI]);
    assert_eq!(ask(&home.path(""), DATABASE, CONTENTS).await.len(), 2);
    no_trace(&home.path(""), traces);
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_any_moment_a_restore_is_done_or_not_and_brings_nobody_back() {
    let (home, traces) = with_an_old_backup().await;
    let recording = restored(&home, None);
    each("killed", recording.killed(&recording.moments(MOMENTS, 31)), async |done, root| {
        a_restore_is_done_or_not(root, &recording.said(done), &traces).await;
        assert!(ask(root, DATABASE, WORKING_KEYS).await.is_empty(), "a key works again that was revoked");
    })
    .await;
    for (_, tree) in recording.killed(&recording.moments(COMMANDS, 32)) {
        a_restore_is_completed(&tree, &traces).await;
    }
    for kill_at in recording.kills(KILLS, 33) {
        let home = Home::new();
        lay(&recording.before, &home.path(""));
        let killed = restored(&home, Some(kill_at));
        a_restore_is_done_or_not(&home.path(""), &killed.said(killed.steps.len()), &traces).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_power_at_any_moment_a_restore_is_done_or_not_and_brings_nobody_back() {
    let (home, traces) = with_an_old_backup().await;
    let recording = restored(&home, None);
    each("without power", recording.without_power(&recording.boundaries(MOMENTS, 34), 35), async |done, root| {
        a_restore_is_done_or_not(root, &recording.said(done), &traces).await;
        assert!(ask(root, DATABASE, WORKING_KEYS).await.is_empty(), "a key works again that was revoked");
    })
    .await;
    for (_, tree) in recording.without_power(&recording.moments(COMMANDS, 36), 37) {
        a_restore_is_completed(&tree, &traces).await;
    }
}

/// The log of a database that cannot be opened leaves nothing in the database that replaces it.
#[tokio::test(flavor = "multi_thread")]
async fn without_power_at_any_moment_a_restore_over_a_damaged_database_is_done_or_not_and_brings_nobody_back() {
    let (home, traces) = with_an_old_backup().await;
    let damaged = vec![0xff; fs::read(home.path(DATABASE)).expect("read").len()];
    fs::write(home.path(DATABASE), damaged).expect("written");
    // What is in the log may be written into the damaged file, but most of it stays as it is.
    let is_damaged = |root: &Path| fs::read(root.join(DATABASE)).expect("read").chunks(4096).any(|page| page == [0xff; 4096]);
    let recording = restored(&home, None);
    each("without power", recording.without_power(&recording.boundaries(MOMENTS / 2, 38), 39), async |done, root| {
        let old = is_damaged(root);
        let said = recording.said(done);
        assert!(!old || said.is_empty(), "its end was told");
        if !old {
            a_restore_is_done_or_not(root, &said, &traces).await;
            assert_eq!(ask(root, DATABASE, CONTENTS).await.len(), 2, "of the backup");
        }
    })
    .await;
}

/// The schema of the old database.
const OLD: i64 = 6;
const OLD_ROWS: &str = "INSERT INTO users (user_no, user_id, first_seen_at) VALUES (1, 'anna', 0); \
    INSERT INTO memories (memory_key, id, user_no, importance, updated_at, vector, kind, content, surface, created_at) VALUES \
      ((1 << 32) + 1, 'mem_1', 1, 3, 0, zeroblob(1536), 'fact', 'Owns a red bicycle', 'web', 100 * 86400000), \
      ((1 << 32) + 2, 'mem_2', 1, 3, 0, zeroblob(1536), 'episode', 'Went to the sea', 'web', 101 * 86400000); \
    INSERT INTO facts (id, kind, content, status, origin, importance, vector, created_at, confirmed_at, updated_at) VALUES \
      ('gf_1', 'fact', 'Flags are read at boot', 'pending', 'user', 3, zeroblob(1536), 100 * 86400000, 0, 100 * 86400000), \
      ('gf_2', 'fact', 'The gateway listens on 7443', 'approved', 'user', 3, zeroblob(1536), 100 * 86400000, 0, 102 * 86400000);";
const VERSIONS: &str = "SELECT CAST(version AS TEXT) FROM _sqlx_migrations WHERE success ORDER BY version";

async fn steps_of_the_schema() -> Migrator {
    Migrator::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations/sqlite").as_path()).await.expect("read")
}

/// A home with a database of an old version.
async fn with_an_old_database() -> Home {
    let home = Home::new();
    fs::create_dir_all(home.path("data")).expect("made");
    let options =
        SqliteConnectOptions::new().filename(home.path(DATABASE)).create_if_missing(true).journal_mode(SqliteJournalMode::Wal);
    let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await.expect("connects");
    let earlier = steps_of_the_schema().await.iter().filter(|step| step.version <= OLD).cloned().collect();
    Migrator::with_migrations(earlier).run(&pool).await.expect("migrated");
    sqlx::raw_sql(OLD_ROWS).execute(&pool).await.expect("filled");
    pool.close().await;
    home
}

/// The database has the old schema, the new one or one between; the rows are all there, and opening it completes the migration.
async fn a_migration_is_completed_when_it_is_opened(root: &Path, whole: bool) {
    let steps: Vec<String> = steps_of_the_schema().await.iter().map(|step| step.version.to_string()).collect();
    let done = ask(root, DATABASE, VERSIONS).await;
    assert!(done.len() >= usize::try_from(OLD).expect("small") && steps.starts_with(&done), "{done:?}");
    assert!(!whole || done == steps);
    assert_eq!(ask(root, DATABASE, "PRAGMA integrity_check").await, ["ok"]);
    let rows = ["Flags are read at boot", "Owns a red bicycle", "The gateway listens on 7443", "Went to the sea"];
    assert_eq!(ask(root, DATABASE, CONTENTS).await, rows);
    let opened = location(root).open().await.expect("opens");
    assert_eq!(ask(root, DATABASE, VERSIONS).await, steps);
    assert_eq!(ask(root, DATABASE, CONTENTS).await, rows);
    let totals = opened.store.totals().await.expect("read");
    let team = [FactStatus::Pending, FactStatus::Approved].map(|status| totals.team(status));
    assert_eq!((totals.personal(), team), (2, [1, 1]), "counted once");
    assert_eq!(opened.custody.check(true).await.expect("checked"), Vec::<String>::new());
    opened.custody.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_any_moment_a_migration_is_completed_when_the_database_is_opened() {
    let home = with_an_old_database().await;
    let recording = record(&home, &["migrate"], None);
    each("killed", recording.killed(&recording.moments(MOMENTS, 41)), async |_, root| {
        a_migration_is_completed_when_it_is_opened(root, false).await;
    })
    .await;
    a_migration_is_completed_when_it_is_opened(&home.path(""), true).await;
    for kill_at in recording.kills(KILLS, 42) {
        let home = Home::new();
        lay(&recording.before, &home.path(""));
        record(&home, &["migrate"], Some(kill_at));
        a_migration_is_completed_when_it_is_opened(&home.path(""), false).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_power_at_any_moment_a_migration_is_completed_when_the_database_is_opened() {
    let home = with_an_old_database().await;
    let recording = record(&home, &["migrate"], None);
    each("without power", recording.without_power(&recording.boundaries(MOMENTS, 43), 44), async |_, root| {
        a_migration_is_completed_when_it_is_opened(root, false).await;
    })
    .await;
}

/// A new database is complete once it is opened, whatever there was of it.
async fn a_new_database_is_completed(root: &Path) {
    fs::create_dir_all(root.join("data")).expect("made");
    let opened = location(root).open().await.expect("opens");
    let steps: Vec<String> = steps_of_the_schema().await.iter().map(|step| step.version.to_string()).collect();
    assert_eq!(ask(root, DATABASE, VERSIONS).await, steps);
    assert_eq!(opened.custody.check(true).await.expect("checked"), Vec::<String>::new());
    opened.custody.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_or_without_power_at_any_moment_a_new_database_is_completed_when_it_is_opened() {
    let home = Home::new();
    let recording = record(&home, &["migrate"], None);
    let (moments, boundaries) = (recording.moments(MOMENTS, 45), recording.boundaries(MOMENTS, 46));
    each("killed", recording.killed(&moments), async |_, root| a_new_database_is_completed(root).await).await;
    let states = recording.without_power(&boundaries, 47);
    each("without power", states, async |_, root| a_new_database_is_completed(root).await).await;
}

/// A home with two users, a copy of its database, and the traces of the one who is to be erased.
async fn to_be_erased() -> (Home, Vec<Vec<u8>>) {
    let home = peopled(false).await;
    fs::create_dir_all(home.path("out")).expect("made");
    home.run(&["backup", &home.path("out/copy.db").display().to_string()]).json();
    let traces = traces(&home).await;
    (home, traces)
}

/// Deletes the last line of the ledger if it is torn, as the error message advises.
fn mend_ledger(root: &Path) {
    let file = root.join("data/erasures.jsonl");
    let Ok(text) = fs::read(&file) else { return };
    let text = String::from_utf8_lossy(&text).into_owned();
    if check_ledger(text.lines()).is_err() {
        let mut lines: Vec<&str> = text.lines().collect();
        lines.pop();
        assert_eq!(check_ledger(lines.iter().copied()), Ok(()), "the last line and no other");
        fs::write(&file, lines.join("\n")).expect("written");
    }
}

/// Nothing was begun, or everything is erased once the program is opened again, and stays so with an older database.
async fn an_erasure_is_not_begun_or_is_finished(root: &Path, said: &[String], traces: &[Vec<u8>]) {
    mend_ledger(root);
    let awake = wake(root).await;
    awake.finish_erasures().await;
    let erasures = awake.opened.store.list_erasures(0, 9).await.expect("listed");
    let beside = awake.opened.custody.notes_beside().await.expect("read").len();
    awake.is_sound().await;
    awake.close().await;
    if erasures.is_empty() {
        assert!(said.is_empty(), "it was confirmed");
        assert_eq!(beside, 0);
        assert_eq!(ask(root, DATABASE, USERS).await, [ANNA, BUDI]);
        assert_eq!(ask(root, DATABASE, CONTENTS).await.len(), 4);
        return;
    }
    let gone = async || {
        assert_eq!(ask(root, DATABASE, USERS).await, [BUDI]);
        assert_eq!(ask(root, DATABASE, CONTENTS).await.len(), 2);
        no_trace(root, traces);
    };
    gone().await;
    assert_eq!(beside, 1, "it is in the ledger beside the database");
    // The database is lost, and only the copy and the ledger are left.
    let place = location(root);
    place.bring(&root.join("out/copy.db")).await.expect("brought").custody.close().await;
    place.put_in_place().await.expect("put");
    let awake = wake(root).await;
    awake.finish_erasures().await;
    awake.close().await;
    gone().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_any_moment_an_erasure_is_not_begun_or_is_finished_and_brings_nobody_back() {
    let (home, traces) = to_be_erased().await;
    let recording = record(&home, &ERASE, None);
    each("killed", recording.killed(&recording.moments(MOMENTS, 51)), async |done, root| {
        an_erasure_is_not_begun_or_is_finished(root, &recording.said(done), &traces).await;
    })
    .await;
    for kill_at in recording.kills(KILLS, 52) {
        let home = Home::new();
        lay(&recording.before, &home.path(""));
        let killed = record(&home, &ERASE, Some(kill_at));
        an_erasure_is_not_begun_or_is_finished(&home.path(""), &killed.said(killed.steps.len()), &traces).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_power_at_any_moment_an_erasure_is_not_begun_or_is_finished_and_brings_nobody_back() {
    let (home, traces) = to_be_erased().await;
    let recording = record(&home, &ERASE, None);
    each("without power", recording.without_power(&recording.boundaries(MOMENTS, 53), 54), async |done, root| {
        an_erasure_is_not_begun_or_is_finished(root, &recording.said(done), &traces).await;
    })
    .await;
}
