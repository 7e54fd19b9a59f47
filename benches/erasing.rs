//! How long others wait to write while a user is erased from a large database, and while the erasure is verified.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use access::callers::Caller;
use access::digest::Digester;
use domain::erasure::people::UserId;
use domain::erasure::{ErasureScope, Status};
use domain::facts::fact::{Candidate, FactKind};
use domain::facts::provenance::{Origin, Surface};
use domain::memory::{Content, Importance, MemoryKind, Statement};
use keepsake::cli::wiring::{Ports, Timing, compose};
use keepsake::embed::lexical::Lexical;
use keepsake::extract::rules::Rules;
use ports::clock::SystemClock;
use service::Keepsake;
use service::erasure::erase::ErasureOrder;
use sqlx::{Connection, SqliteConnection};
use store::sqlite::SqliteStore;
use tokio_util::sync::CancellationToken;

use crate::facts;
use crate::table::{ms, print, quantile, seconds};

const FACTS: usize = 100_000;
const USERS: usize = 100;
const MEMORIES_EACH: usize = 1_000;
/// Facts that only the erased person proposed.
const PROPOSED: usize = 50;
/// Pause between two writes of the others.
const PAUSE: Duration = Duration::from_millis(5);
/// How long the others write alone.
const ALONE: Duration = Duration::from_secs(10);

/// Copies the first memory of each user, with other words.
const COPY: &str = "WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) \
                    INSERT INTO memories (memory_key, id, user_no, importance, updated_at, vector, kind, content, surface, created_at) \
                    SELECT memory_key + i, id || '_' || i, user_no, importance, updated_at - i, vector, kind, \
                    'User keeps box ' || i || ' of ' || id || ' on shelf ' || (i * 7919 % 1000), surface, created_at - i FROM memories, n";

pub async fn run() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keepsake.db");
    let keepsake = Arc::new(open(&file).await);
    facts::fill(&file, FACTS).await;
    let mut connection = SqliteConnection::connect(&format!("sqlite://{}", file.display())).await.expect("connects");
    // They have no contributions.
    sqlx::query("UPDATE facts SET contributors = 0").execute(&mut connection).await.expect("counted");
    for n in 0..PROPOSED {
        propose(&keepsake, &user(1), n).await;
    }
    for n in 0..USERS {
        remember(&keepsake, &user(n), "User keeps box 1 on a shelf").await;
    }
    sqlx::query(COPY).bind(MEMORIES_EACH as i64).execute(&mut connection).await.expect("copied");
    sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut connection).await.expect("emptied");
    drop(connection);
    let size = std::fs::metadata(&file).expect("there").len();

    let alone = beside(&keepsake, tokio::time::sleep(ALONE)).await.1;
    let order = ErasureOrder { user: &user(1), scope: ErasureScope::Everything, reason: "asked by letter", preview: None };
    let caller = Caller::command_line();
    let ((erase, id), erasing) = beside(&keepsake, seconds(keepsake.erasure.erase(&caller, &order))).await;
    let id = id.expect("erased");
    let ((prove, status), proving) = beside(&keepsake, seconds(keepsake.erasure.finish_erasure(&id, Some(&user(1))))).await;
    assert_eq!(status.expect("proved"), Status::Verified);
    let row = |what: &str, took: f64, waits: &[f64]| {
        let [half, most] = [quantile(waits, 0.5), quantile(waits, 1.0)];
        vec![what.to_owned(), ms(took), waits.len().to_string(), ms(half), ms(most)]
    };
    let rows = [row("nothing", ALONE.as_secs_f64(), &alone), row("erasing", erase, &erasing), row("proving", prove, &proving)];
    let title = format!("Writes of others while one of {USERS} people is erased, in {} MB", size / 1_000_000);
    print(&title, &["beside", "took", "writes", "median wait", "longest wait"], &rows);
}

/// Runs the work, and returns how long each write of another user took meanwhile.
async fn beside<T>(keepsake: &Arc<Keepsake>, work: impl Future<Output = T>) -> (T, Vec<f64>) {
    let done = CancellationToken::new();
    let (others, until) = (keepsake.clone(), done.clone());
    let writing = tokio::spawn(async move {
        let mut waits = Vec::new();
        while !until.is_cancelled() {
            let text = format!("User has ticket {} for row {}", waits.len(), waits.len() % 17);
            waits.push(seconds(remember(&others, &user(USERS + waits.len() % 50), &text)).await.0);
            tokio::time::sleep(PAUSE).await;
        }
        waits
    });
    let out = work.await;
    done.cancel();
    (out, writing.await.expect("written"))
}

async fn open(file: &Path) -> Keepsake {
    let store = Arc::new(SqliteStore::open(file).await.expect("opens"));
    let (embedder, digester) = (Arc::new(Lexical::default()), Digester::new([7; 32]));
    let (extractor, clock) = (Arc::new(Rules), Arc::new(SystemClock));
    let ports = Ports { store: store.clone(), custody: store, embedder, extractor, clock, digester };
    compose(ports, Timing::default()).await.expect("composed")
}

fn user(n: usize) -> UserId {
    UserId::new(format!("person-{n:04}")).expect("valid")
}

async fn remember(keepsake: &Keepsake, user: &UserId, text: &str) {
    let statement =
        Statement { kind: MemoryKind::Fact, content: Content::new(text).expect("valid"), importance: Importance::DEFAULT };
    let surface = Surface::new("web").expect("valid");
    keepsake.memories.remember(&Caller::command_line(), user, &surface, &statement).await.expect("remembered");
}

async fn propose(keepsake: &Keepsake, user: &UserId, n: usize) {
    let content = Content::new(&format!("Printer {n} on floor {} needs {n} sheets", n % 9)).expect("valid");
    let candidate = Candidate { origin: Origin::Agent, kind: FactKind::Fact, content, importance: Importance::DEFAULT };
    let surface = Surface::new("web").expect("valid");
    keepsake.proposals.propose(&Caller::command_line(), Some(user), &surface, &candidate).await.expect("proposed");
}
