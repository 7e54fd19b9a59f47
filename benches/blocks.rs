//! Compares memory blocks with `@modelcontextprotocol/server-memory` from npm, in the same run: writes lost when many write at
//! once, and the time to read, edit and search. A block corresponds to an entity with one observation. Keepsake is called over
//! HTTP and keeps each edit on disk before it answers; the memory server is called on its standard input, as assistants do.

use std::path::Path;

use futures::future::join_all;
use serde_json::{Value, json};

use crate::fixture::file;
use crate::memory_server::{MemoryServer, Package};
use crate::random::Random;
use crate::served::{Line, Served};
use crate::table::{median, ms, print, quantile, seconds, times};

const WRITERS: usize = 64;
const ROUNDS: usize = 100;
/// Memory servers on one file, among which the writers are divided.
const SERVERS: usize = 8;

const BLOCKS: usize = 10_000;
/// Initial bytes of each text.
const TEXT: usize = 2_048;
/// One user may hold 10 MiB: half of the blocks each.
const USERS: usize = 2;
/// Entities in one call: the memory server takes no message of 20 MB.
const AT_ONCE: usize = 1_000;
/// Number of blocks with the same topic.
const BLOCKS_OF_A_TOPIC: usize = 10;
const TURNS: usize = 100;
const WARM_UP: usize = 3;
/// Bytes of all texts when an edit is measured in a smaller memory.
const MEMORY: usize = 5_000_000;
/// Required speed-up of an edit in that memory.
const GOAL: f64 = 10.0;

const HERE: &str = "/v1/memory_stores/default";

/// The result of many writes at once.
struct Outcome {
    accepted: usize,
    refused: usize,
    /// Accepted, but missing afterwards.
    lost: usize,
}

pub async fn run() {
    let Some(package) = Package::installed() else {
        println!("\nBlocks: skipped, scripts/memory-server.sh could not install the memory server from npm");
        return;
    };
    at_once(&package).await;
    one_by_one(&package).await;
}

async fn at_once(package: &Package) {
    let server = Served::start().await;
    let rows = [
        ("Keepsake, all name one version", with_one_version(&server).await),
        ("Keepsake, each appends", appending(&server).await),
        ("memory server, 8 on one file", adding(package, SERVERS).await),
        ("memory server, one", adding(package, 1).await),
    ];
    let rows = rows.map(|(what, outcome)| {
        let Outcome { accepted, refused, lost } = outcome;
        let calls = WRITERS * ROUNDS;
        assert!(!what.starts_with("Keepsake") || (lost == 0 && accepted + refused == calls), "{what} lost {lost}");
        vec![what.to_owned(), calls.to_string(), accepted.to_string(), refused.to_string(), lost.to_string()]
    });
    let title = format!("Blocks, {WRITERS} writers at once, {ROUNDS} times: lines added to one text");
    print(&title, &["", "calls", "accepted", "refused as stale", "accepted and lost"], &rows);
    println!("memory server {}: `add_observations`.", package.version);
}

fn line_of(writer: usize, round: usize) -> String {
    format!("w{writer}-r{round}")
}

async fn block(line: &mut Line, path: &str, content: &str) -> String {
    let new = json!({ "path": path, "content": content });
    line.done("POST", &format!("{HERE}/memories"), Some(&new)).await["id"].as_str().expect("an id").to_owned()
}

/// How many of these lines are not in the text.
fn missing(accepted: &[String], text: &str) -> usize {
    let there: std::collections::HashSet<&str> = text.lines().collect();
    accepted.iter().filter(|line| !there.contains(line.as_str())).count()
}

/// In each round, all writers append with the version that they read.
async fn with_one_version(server: &Served) -> Outcome {
    contended(server, "versioned", true).await
}

/// All writers append without a version.
async fn appending(server: &Served) -> Outcome {
    contended(server, "appending", false).await
}

async fn contended(server: &Served, user: &str, with_version: bool) -> Outcome {
    let mut lines = Vec::new();
    for _ in 0..WRITERS {
        lines.push(server.line(user).await);
    }
    let id = block(&mut lines[0], "/log.md", "first").await;
    let (at, edit) = (format!("{HERE}/memories/{id}"), format!("{HERE}/memories/{id}/edit"));
    let (mut accepted, mut refused, mut version) = (Vec::new(), 0, 1);
    for round in 0..ROUNDS {
        let writes = lines.iter_mut().enumerate().map(|(writer, line)| {
            let text = line_of(writer, round);
            let mut body = json!({ "command": "append", "text": &text });
            if with_version {
                body["expected_version"] = json!(version);
            }
            let edit = &edit;
            async move { (text, line.ask("POST", edit, Some(&body)).await) }
        });
        for (text, (status, answer)) in join_all(writes).await {
            match status {
                200 => accepted.push(text),
                409 => refused += 1,
                _ => panic!("{status} {answer}"),
            }
        }
        version += 1;
    }
    let whole = lines[0].done("GET", &at, None).await;
    let lost = missing(&accepted, whole["content"].as_str().expect("a text"));
    assert_eq!(whole["version"], json!(accepted.len() + 1), "each accepted one is a version");
    Outcome { accepted: accepted.len(), refused, lost }
}

/// The same on the memory server's file.
async fn adding(package: &Package, servers: usize) -> Outcome {
    let folder = tempfile::tempdir().expect("a folder");
    let memory = folder.path().join("memory.jsonl");
    let mut peers = Vec::new();
    for _ in 0..servers {
        peers.push(package.start(&memory).await);
    }
    let entity = json!({ "name": "log", "entityType": "block", "observations": ["first"] });
    peers[0].call("create_entities", json!({ "entities": [entity] })).await;
    let (mut accepted, mut refused) = (Vec::new(), 0);
    let share = WRITERS / servers;
    for round in 0..ROUNDS {
        let writes = peers.iter_mut().enumerate().map(|(server, peer)| async move {
            let texts: Vec<String> = (0..share).map(|n| line_of(server * share + n, round)).collect();
            let calls: Vec<Value> =
                texts.iter().map(|text| json!({ "observations": [{ "entityName": "log", "contents": [text] }] })).collect();
            let answers = peer.at_once("add_observations", &calls).await;
            texts.into_iter().zip(answers).collect::<Vec<_>>()
        });
        for (text, answer) in join_all(writes).await.into_iter().flatten() {
            match answer {
                Some(_) => accepted.push(text),
                None => refused += 1,
            }
        }
    }
    let graph = peers[0].call("open_nodes", json!({ "names": ["log"] })).await;
    let there = graph["entities"][0]["observations"].as_array().expect("observations");
    let text: Vec<&str> = there.iter().filter_map(Value::as_str).collect();
    let lost = missing(&accepted, &text.join("\n"));
    Outcome { accepted: accepted.len(), refused, lost }
}

/// Texts of exactly so many bytes, with a topic each.
struct Texts {
    random: Random,
    sentences: Vec<String>,
}

impl Texts {
    /// Takes the sentences that a block may hold.
    async fn of(server: &Served) -> Self {
        let mut line = server.line("nobody").await;
        let mut sentences = Vec::new();
        for (n, sentence) in file("src/tests/data/embedding/sentences.txt").lines().enumerate() {
            let new = json!({ "path": format!("/{n}"), "content": sentence });
            let (status, _) = line.ask("POST", &format!("{HERE}/memories"), Some(&new)).await;
            if status == 200 && sentence.is_ascii() {
                sentences.push(sentence.to_owned());
            }
        }
        Self { random: Random(7), sentences }
    }

    fn next(&mut self, topic: &str) -> String {
        let mut text = format!("# About {topic}\n\n");
        loop {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in the list")]
            let at = (self.random.number().abs() * self.sentences.len() as f32) as usize;
            let sentence = &self.sentences[at.min(self.sentences.len() - 1)];
            if text.len() + sentence.len() >= TEXT {
                break;
            }
            text.push_str(sentence);
            text.push('\n');
        }
        // Filled up instead of cut: a sentence cut in its middle may read like an order.
        text.push_str(&"-".repeat(TEXT - text.len()));
        text
    }
}

fn topic(n: usize) -> String {
    format!("topic{:04}", n % (BLOCKS / BLOCKS_OF_A_TOPIC))
}

/// The same blocks in both. The store of a pipeline's user holds up to 10,000.
struct Both {
    ours: Vec<Line>,
    ids: Vec<String>,
    theirs: MemoryServer,
}

impl Both {
    async fn filled(server: &Served, theirs: MemoryServer, users: &[&str], count: usize, texts: &mut Texts) -> Self {
        let mut both = Self { ours: Vec::new(), ids: Vec::new(), theirs };
        for user in users {
            both.ours.push(server.line(user).await);
        }
        let mut entities = Vec::new();
        for n in 0..count {
            let text = texts.next(&topic(n));
            let line = &mut both.ours[n % users.len()];
            both.ids.push(block(line, &format!("/notes/{n}.md"), &text).await);
            entities.push(json!({ "name": format!("/notes/{n}.md"), "entityType": "block", "observations": [text] }));
        }
        for some in entities.chunks(AT_ONCE) {
            both.theirs.call("create_entities", json!({ "entities": some })).await;
        }
        both
    }

    /// Seconds of reading one block.
    async fn view(&mut self, n: usize) -> [f64; 2] {
        let (users, at) = (self.ours.len(), format!("{HERE}/memories/{}", self.ids[n]));
        let (ours, shown) = seconds(self.ours[n % users].done("GET", &at, None)).await;
        let names = json!({ "names": [format!("/notes/{n}.md")] });
        let (theirs, opened) = seconds(self.theirs.call("open_nodes", names)).await;
        let text = opened["entities"][0]["observations"][0].as_str().expect("a text");
        assert!(shown["content"].as_str().is_some_and(|own| own.starts_with(text)), "the same block");
        [ours, theirs]
    }

    /// Seconds of adding a line to one block.
    async fn edit(&mut self, n: usize) -> [f64; 2] {
        let (users, at) = (self.ours.len(), format!("{HERE}/memories/{}/edit", self.ids[n]));
        let text = format!("- entry {n}");
        let body = json!({ "command": "append", "text": &text });
        let (ours, _) = seconds(self.ours[n % users].done("POST", &at, Some(&body))).await;
        let body = json!({ "observations": [{ "entityName": format!("/notes/{n}.md"), "contents": [text] }] });
        let (theirs, _) = seconds(self.theirs.call("add_observations", body)).await;
        [ours, theirs]
    }

    /// Seconds of finding the blocks of a topic, of every user.
    async fn search(&mut self, n: usize) -> [f64; 2] {
        let (mut ours, mut found) = (0.0, 0);
        for line in &mut self.ours {
            let (taken, answer) =
                seconds(line.done("POST", &format!("{HERE}/search"), Some(&json!({ "query": topic(n) })))).await;
            ours += taken;
            found += answer["items"].as_array().map_or(0, Vec::len);
        }
        let (theirs, answer) = seconds(self.theirs.call("search_nodes", json!({ "query": topic(n) }))).await;
        let same = answer["entities"].as_array().map_or(0, Vec::len);
        assert_eq!((found, same), (BLOCKS_OF_A_TOPIC, BLOCKS_OF_A_TOPIC), "{}", topic(n));
        [ours, theirs]
    }
}

/// One table row: the quantile of Keepsake and of the memory server.
fn row(what: &str, taken: &[[f64; 2]], share: f64) -> Vec<String> {
    let of = |side: usize| quantile(&taken.iter().map(|pair| pair[side]).collect::<Vec<_>>(), share);
    let (ours, theirs) = (of(0), of(1));
    vec![what.to_owned(), ms(ours), ms(theirs), times(theirs / ours)]
}

async fn one_by_one(package: &Package) {
    let server = Served::start().await;
    let mut texts = Texts::of(&server).await;
    let folder = tempfile::tempdir().expect("a folder");
    let start = async |name: &str| package.start(&Path::join(folder.path(), name)).await;
    let users = ["instances/first", "instances/second"];
    assert_eq!(users.len(), USERS);
    let mut large = Both::filled(&server, start("large.jsonl").await, &users, BLOCKS, &mut texts).await;
    let mut small = Both::filled(&server, start("small.jsonl").await, &["instances/small"], MEMORY / TEXT, &mut texts).await;
    let (mut views, mut edits, mut searches, mut small_edits) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    // In turn; the first turns warm up and are not counted.
    for turn in 0..WARM_UP + TURNS {
        // Steps that have no factor in common with the number of blocks.
        let taken = [
            large.view(turn * 97 % BLOCKS).await,
            large.edit(turn * 89 % BLOCKS).await,
            large.search(turn * 83 % BLOCKS).await,
            small.edit(turn * 23 % (MEMORY / TEXT)).await,
        ];
        if turn >= WARM_UP {
            for (all, taken) in [&mut views, &mut edits, &mut searches, &mut small_edits].into_iter().zip(taken) {
                all.push(taken);
            }
        }
    }
    let rows = [
        row("10,000 blocks: view, 50 %", &views, 0.5),
        row("10,000 blocks: edit, 95 %", &edits, 0.95),
        row("10,000 blocks: search, 95 %", &searches, 0.95),
        row("5 MB: edit, 50 %", &small_edits, 0.5),
        row("5 MB: edit, 95 %", &small_edits, 0.95),
    ];
    let peer = format!("memory server {}", package.version);
    let title = format!("Blocks of {TEXT} bytes, one call at a time, {TURNS} turns: adding a line, finding a word of ten blocks");
    print(&title, &["", "Keepsake", &peer, "of Keepsake"], &rows);
    let [ours, theirs] = [0, 1].map(|side| median(&small_edits.iter().map(|pair| pair[side]).collect::<Vec<_>>()));
    let reached = if theirs / ours >= GOAL { "reached" } else { "missed" };
    println!(
        "Goal, an edit in 5 MB {GOAL} times as fast: {reached}. Search: all blocks, which is one call for each of {USERS} users."
    );
}
