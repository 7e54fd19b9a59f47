//! Latency of recall and of saving by the number of a user's memories. Recall is shown beside a lower bound: the same dot products
//! over numbers in memory.

use std::hint::black_box;

use access::callers::Caller;
use domain::erasure::people::UserId;
use domain::facts::provenance::{Context, Surface};
use domain::memory::{Content, Importance, MemoryKind, Statement};
use domain::recall::ranking::ScoreParts;
use domain::recall::search::most_relevant;
use domain::recall::words::terms;
use keepsake::embed::DIMENSIONS;
use ports::embedder::Vector;
use ports::store::atomically;
use ports::store::memories::{MemoryReads, MemorySearch, NewMemory, Wording};
use service::recall::Query;
use simsimd::SpatialSimilarity;

use crate::fixture::{Fixture, embedders, file};
use crate::random::Random;
use crate::table::{median, ms, print, quantile, seconds, times};

const SIZES: [usize; 3] = [50, 1_000, 10_000];
const ROUNDS: usize = 41;
const K: u32 = 8;
/// The number of hits that recall requests from each leg.
const SEARCHED: usize = 100;
const QUESTION: &str = "Which editor does the user prefer for the release notes?";

pub async fn run() {
    let sentences = file("src/tests/data/embedding/sentences.txt");
    for (name, embedder) in embedders() {
        let fixture = Fixture::with(embedder).await;
        let query = fixture.keepsake.embedder.embed(&[QUESTION.to_owned()]).await.expect("embedded").remove(0);
        let mut rows = Vec::new();
        for size in SIZES {
            let owner = UserId::new(format!("user-{size}")).expect("valid");
            let vectors = fill(&fixture, &owner, size).await;
            let flat: Vec<f32> = vectors.concat();
            let (mut floor, mut scan, mut total, mut embed) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
            for _ in 0..ROUNDS {
                floor.push(seconds(async { black_box(dots(&flat, &query)) }).await.0);
                scan.push(seconds(ranked(&fixture, &owner, &query)).await.0);
                embed.push(seconds(fixture.keepsake.embedder.embed(&[QUESTION.to_owned()])).await.0);
                total.push(seconds(fixture.keepsake.recall.recall(&Caller::command_line(), question(&owner))).await.0);
            }
            let mut saving = Vec::new();
            for text in sentences.lines().take(ROUNDS) {
                let (time, saved) = seconds(save(&fixture, &owner, text)).await;
                saving.extend(saved.then_some(time));
            }
            let [floor, scan_p50, embed, total_p50, saving] = [&floor, &scan, &embed, &total, &saving].map(|times| median(times));
            rows.push(vec![
                size.to_string(),
                ms(floor),
                ms(scan_p50),
                times(scan_p50 / floor),
                ms(embed),
                ms(total_p50),
                ms(quantile(&total, 0.95)),
                times(total_p50 / floor),
                ms(saving),
            ]);
        }
        let title = format!("Recall with {name}: {K} of one user's memories, median of {ROUNDS}");
        let heads = [
            "memories",
            "floor: dots in memory",
            "scan and rank",
            "of floor",
            "embedding",
            "whole recall",
            "95 %",
            "of floor",
            "saving one",
        ];
        print(&title, &heads, &rows);
    }
}

/// Saves a statement; `false`: it was refused.
async fn save(fixture: &Fixture, owner: &UserId, text: &str) -> bool {
    let said = Context { surface: Surface::new("web").expect("valid"), thread: None, at: None };
    let content = Content::new(text).expect("valid");
    let statement = Statement { kind: MemoryKind::Fact, content, importance: Importance::DEFAULT };
    fixture.keepsake.memories.remember(&Caller::command_line(), owner, said, &statement).await.is_ok()
}

fn question(owner: &UserId) -> Query {
    let surface = Surface::new("web").expect("valid");
    Query { k: Some(K), ..Query::new(Some(owner.clone()), surface, QUESTION) }
}

/// The work of recall once it has the query's vector.
async fn ranked(fixture: &Fixture, owner: &UserId, query: &[f32]) -> usize {
    let now = fixture.keepsake.clock.now();
    let words = terms(QUESTION);
    let asked = MemorySearch::new(query, &words, &[], now);
    let found = fixture.store.search_memories(owner, &asked, SEARCHED).await.expect("searched");
    let ranked = most_relevant(found, K as usize, |hit| ScoreParts::personal(hit.similarity, hit.importance, hit.touched, now));
    let ids: Vec<String> = ranked.into_iter().map(|ranked| ranked.id).collect();
    fixture.store.memories_by_id(owner, &ids).await.expect("read").len()
}

fn dots(flat: &[f32], query: &[f32]) -> f64 {
    flat.chunks_exact(DIMENSIONS).filter_map(|row| f32::dot(row, query)).fold(f64::MIN, f64::max)
}

/// Gives this user a number of memories with random vectors, through the port.
async fn fill(fixture: &Fixture, owner: &UserId, size: usize) -> Vec<Vector> {
    let mut random = Random(size as u64);
    let vectors: Vec<Vector> = (0..size).map(|_| random.direction()).collect();
    let memory = |n: usize, vector: &Vector| NewMemory {
        id: fixture.keepsake.clock.id("mem"),
        wording: Wording {
            kind: MemoryKind::Fact,
            content: format!("User's shelf {n} holds the binders of project {}", n / 7),
            importance: Importance::DEFAULT,
            vector: vector.clone(),
            labels: domain::memory::tags::Labels::default(),
        },
        surface: Surface::new("web").expect("valid"),
        thread: None,
        at: fixture.keepsake.clock.now(),
    };
    let memories: Vec<NewMemory> = vectors.iter().enumerate().map(|(n, vector)| memory(n, vector)).collect();
    for some in memories.chunks(1_000) {
        atomically::<_, service::Error, _>(fixture.store.as_ref(), |tx| {
            Box::pin(async move {
                for memory in some {
                    tx.insert_memory(owner, memory).await?;
                }
                Ok(())
            })
        })
        .await
        .expect("inserted");
    }
    vectors
}
