//! The cost of a hundred times as many team facts: starting, a recall, a proposal, and the pages that show facts. Each time is
//! shown beside that with few facts; memory is the growth of the process.

use std::path::Path;
use std::sync::Arc;

use access::callers::Caller;
use async_trait::async_trait;
use domain::facts::fact::{Candidate, FactKind};
use domain::facts::provenance::{Origin, Surface};
use domain::memory::{Content, Importance};
use domain::recall::words::terms;
use keepsake::embed::DIMENSIONS;
use ports::clock::{Clock, SystemClock};
use ports::embedder::{EmbedError, Embedder, EmbedderFamily, EmbedderId, Vector};
use service::recall::Query;
use sqlx::{Connection, SqliteConnection};
use store::sqlite::SqliteStore;
use tempfile::TempDir;

use crate::random::Random;
use crate::site::{SignedIn, sign_in};
use crate::table::{median, ms, print, seconds, times};

const SIZES: [usize; 2] = [1_000, 100_000];
const ROUNDS: usize = 25;
/// Requests that are not counted.
const WARM_UP: usize = 5;
/// Number of directions around which facts cluster, so that some are near each other.
const TOPICS: usize = 200;
/// One pair in this many facts is an open contradiction.
const CONTRADICTED_EVERY: usize = 100;

/// Pages by what they show.
const PAGES: [(&str, &str); 6] = [
    ("the queue", "/review"),
    ("the queue, contradictions", "/review?flag=contradiction"),
    ("the queue, most contributors", "/review?sort=contributors"),
    ("facts by confidence", "/manage/facts"),
    ("facts, rejected, by recalls", "/manage/facts?status=rejected&sort=recalls"),
    ("statistics", "/stats"),
];

const FACT: &str = "INSERT INTO facts (id, kind, content, status, origin, importance, vector, contributors, decided_by, decided_at, recall_count, \
                    words, created_at, confirmed_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'op_1', ?9, ?10, ?11, ?9, ?9, ?9)";
const PAIR: &str = "INSERT INTO contradictions (fact_a, fact_b, similarity, flagged_at) VALUES (?1, ?2, 0.8, ?3)";

/// Gives texts a few fixed vectors in turn, so that only the work after embedding is measured.
struct Directions(Vec<Vector>, EmbedderId);

#[async_trait]
impl Embedder for Directions {
    fn id(&self) -> &EmbedderId {
        &self.1
    }

    fn family(&self) -> EmbedderFamily {
        EmbedderFamily::MiniLm
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vector>, EmbedError> {
        Ok(texts.iter().map(|text| self.0[text.len() % self.0.len()].clone()).collect())
    }
}

struct Filled {
    site: SignedIn,
    start: f64,
    grown: f64,
    size: usize,
    _folder: TempDir,
}

pub async fn run() {
    let mut all = Vec::new();
    for size in SIZES {
        all.push(open(size).await);
    }
    let mut rows = vec![line("start", all[0].start, all[1].start)];
    for what in ["recall", "proposal"] {
        let mut taken = [Vec::new(), Vec::new()];
        for round in 0..WARM_UP + ROUNDS {
            for (one, taken) in all.iter().zip(&mut taken) {
                let time = if what == "recall" { recall(one, round).await } else { propose(one, round).await };
                taken.extend((round >= WARM_UP).then_some(time));
            }
        }
        rows.push(line(what, median(&taken[0]), median(&taken[1])));
    }
    for (what, path) in PAGES {
        let mut taken = [Vec::new(), Vec::new()];
        let mut bytes = 0;
        // Alternating, so that other load on the machine affects both equally.
        for round in 0..WARM_UP + ROUNDS {
            for (one, taken) in all.iter().zip(&mut taken) {
                let (time, html) = seconds(one.site.page(path)).await;
                assert!(!html.contains("did not load"), "{html}");
                bytes = html.len();
                taken.extend((round >= WARM_UP).then_some(time));
            }
        }
        rows.push(line(&format!("{what}, {} kB", bytes / 1000), median(&taken[0]), median(&taken[1])));
    }
    let grown = |n: usize| format!("{:.0} MB", all[n].grown);
    rows.push(vec!["memory grown by".to_owned(), grown(0), grown(1), String::new()]);
    let heads = [&format!("{} facts", all[0].size), &format!("{} facts", all[1].size)];
    print(&format!("Team facts, half of them pending: median of {ROUNDS}"), &["", heads[0], heads[1], "to the small one"], &rows);
}

fn line(what: &str, small: f64, large: f64) -> Vec<String> {
    vec![what.to_owned(), ms(small), ms(large), times(large / small)]
}

async fn open(size: usize) -> Filled {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keepsake.db");
    drop(SqliteStore::open(&file).await.expect("opens"));
    fill(&file, size).await;
    let before = resident();
    let (start, store) = seconds(SqliteStore::open(&file)).await;
    let mut random = Random(7);
    let embedder = Directions(
        (0..ROUNDS).map(|_| near(&mut random)).collect(),
        EmbedderId { model: "bench".into(), weights: "0".into(), dimensions: DIMENSIONS },
    );
    let site = sign_in(Arc::new(store.expect("opens")), Arc::new(embedder), folder.path()).await;
    Filled { site, start, grown: resident() - before, size, _folder: folder }
}

async fn recall(one: &Filled, round: usize) -> f64 {
    let user = domain::erasure::people::UserId::new("usr_1").expect("valid");
    let query = Query::new(Some(user), Surface::new("web").expect("valid"), "x".repeat(1 + round % ROUNDS));
    let (time, answer) = seconds(one.site.keepsake.recall.recall(&Caller::command_line(), query)).await;
    assert!(!answer.expect("recalled").global.is_empty());
    time
}

async fn propose(one: &Filled, round: usize) -> f64 {
    let candidate = Candidate {
        origin: Origin::Agent,
        kind: FactKind::Fact,
        content: Content::new(&format!("Build shelf {round} holds the binders of release {}.", round / 7)).expect("valid"),
        importance: Importance::DEFAULT,
    };
    let surface = Surface::new("mcp").expect("valid");
    seconds(one.site.keepsake.proposals.propose(&Caller::command_line(), None, &surface, &candidate)).await.0
}

/// Inserts rows with SQL, because that many would take hours through the pipeline.
pub async fn fill(file: &Path, size: usize) {
    let mut connection = SqliteConnection::connect(&format!("sqlite://{}", file.display())).await.expect("connects");
    let mut tx = connection.begin().await.expect("begun");
    let (mut random, now) = (Random(size as u64), SystemClock.now().0);
    for n in 0..size {
        let vector = near(&mut random);
        let at = now - (1 + n as i64 % 300) * 86_400_000 - n as i64;
        let status = ["pending", "approved", "pending", "rejected"][n % 4];
        let content = format!("Shelf {n} of the build store holds the binders of release {} and is locked at night.", n / 7);
        sqlx::query(FACT)
            .bind(format!("gf_{n:020}"))
            .bind(FactKind::ALL[n % 4].as_str())
            .bind(&content)
            .bind(if n % 40 == 39 { "approved" } else { status })
            .bind(Origin::ALL[n % 3].as_str())
            .bind(1 + n as i64 % 5)
            .bind(bytemuck::cast_slice::<f32, u8>(&vector))
            .bind(1 + n as i64 / 3 % 3)
            .bind(at)
            .bind(n as i64 * 7 % 97)
            .bind(bytemuck::cast_slice::<u32, u8>(&terms(&content)))
            .execute(&mut *tx)
            .await
            .expect("inserted");
        if n % CONTRADICTED_EVERY == CONTRADICTED_EVERY - 1 {
            let [a, b] = [n - 1, n].map(|n| format!("gf_{n:020}"));
            sqlx::query(PAIR).bind(a).bind(b).bind(at).execute(&mut *tx).await.expect("inserted");
        }
    }
    tx.commit().await.expect("committed");
}

/// A vector near one of the topics.
fn near(random: &mut Random) -> Vector {
    let topic = Random((random.number().abs() * TOPICS as f32) as u64 + 1).direction();
    let mixed: Vector = topic.iter().zip(random.direction()).map(|(a, b)| 0.6 * a + 0.8 * b).collect();
    let length = mixed.iter().map(|x| x * x).sum::<f32>().sqrt();
    debug_assert_eq!(mixed.len(), DIMENSIONS);
    mixed.into_iter().map(|x| x / length).collect()
}

/// Resident memory of this process in MB.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kb = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).map(|rest| rest.trim().trim_end_matches(" kB"));
    kb.and_then(|kb| kb.trim().parse::<f64>().ok()).unwrap_or_default() / 1000.0
}
