//! A server that is killed, or loses power, at any moment of editing memory blocks: every acknowledged change is there, none is
//! half done, and text, versions and search agree. The method is described in `robustness/crashes.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use access::digest::sha256_hex;
use domain::blocks::limits::CONTENT_BYTES;
use serde_json::json;
use service::blocks::{BlockFilter, BlockOrder, BlockPage, StoreRef, VersionFilter, VersionPage};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, SqliteConnection};

use crate::fixture::{cli, user};
use crate::robustness::crashes::{DATABASE, MOMENTS, each, wake};
use crate::robustness::disk::{Recorder, Recording, lay};
use crate::robustness::process::{DEADLINE, Home, call};

/// Runs that are killed for real.
const KILLS: usize = 20;
const USER: &str = "anna";
const LOG: &str = "/log.md";
const NOTES: usize = 8;
/// Lines of a note: several pages of the database.
const LINES: usize = 150;
const ACKNOWLEDGED: &str = "HTTP/1.1 200";

/// A change of blocks. Each has a word of its own in its text.
#[derive(Debug)]
enum Change {
    Add { path: String, text: String },
    Append { line: String },
    Replace { path: String, text: String },
    Rename { from: String, to: String },
    Delete { path: String },
}

/// The word of the n-th text.
fn word(n: usize) -> String {
    format!("zyxomark{n}q")
}

fn changes() -> Vec<Change> {
    let mut texts = 0;
    let mut next = |lines: usize| {
        let word = word(texts);
        texts += 1;
        let lines: Vec<String> = (0..lines).map(|n| format!("Line {n} of {word} about the harbour")).collect();
        lines.join("\n")
    };
    let mut changes = vec![Change::Add { path: LOG.to_owned(), text: next(1) }];
    for n in 0..NOTES {
        let path = format!("/notes/{n}.md");
        changes.push(Change::Append { line: next(1) });
        changes.push(Change::Add { path: path.clone(), text: next(LINES) });
        changes.push(Change::Append { line: next(1) });
        changes.push(Change::Replace { path: path.clone(), text: next(LINES) });
        match n % 4 {
            1 => changes.push(Change::Rename { from: path, to: format!("/kept/{n}.md") }),
            3 => changes.push(Change::Delete { path }),
            _ => {}
        }
    }
    changes
}

/// Number of texts, and so of words.
fn texts_of_changes() -> usize {
    changes().iter().filter(|change| !matches!(change, Change::Rename { .. } | Change::Delete { .. })).count()
}

/// The texts of each block, from its first version to its last; and the paths in the bin.
#[derive(Debug, Clone, Default, PartialEq)]
struct State {
    blocks: BTreeMap<String, Vec<String>>,
    bin: BTreeSet<String>,
}

impl State {
    fn take(&mut self, change: &Change) {
        match change {
            Change::Add { path, text } => {
                self.blocks.insert(path.clone(), vec![text.clone()]);
            }
            Change::Append { line } => {
                let versions = self.blocks.get_mut(LOG).expect("there");
                let longer = format!("{}\n{line}", versions.last().expect("a version"));
                versions.push(longer);
            }
            Change::Replace { path, text } => self.blocks.get_mut(path).expect("there").push(text.clone()),
            Change::Rename { from, to } => {
                let mut versions = self.blocks.remove(from).expect("there");
                versions.push(versions.last().expect("a version").clone());
                self.blocks.insert(to.clone(), versions);
            }
            Change::Delete { path } => {
                self.blocks.remove(path).expect("there");
                self.bin.insert(path.clone());
            }
        }
    }
}

/// The states before the first change, and after each.
fn states() -> Vec<State> {
    let mut states = vec![State::default()];
    for change in changes() {
        let mut next = states[states.len() - 1].clone();
        next.take(&change);
        states.push(next);
    }
    states
}

/// A server whose blocks are changed. Ends by itself, or is killed after so many steps.
async fn edited(home: &Home, key: &str, kill_at: Option<u64>) -> Recording {
    let mut command = home.command();
    command.arg("serve");
    let recorder = Recorder::of(home, &mut command, kill_at);
    let mut server = home.serve_by(command).await;
    let memories = "/v1/memory_stores/default/memories";
    let mut ids: BTreeMap<String, String> = BTreeMap::new();
    for change in changes() {
        let of = |path: &str, last: &str| format!("{memories}/{}{last}?user_id={USER}&view=basic", ids[path]);
        let (path, body) = match &change {
            Change::Add { path, text } => {
                (format!("{memories}?user_id={USER}&view=basic"), json!({ "path": path, "content": text }))
            }
            Change::Append { line } => (of(LOG, "/edit"), json!({ "command": "append", "text": line })),
            Change::Replace { path, text } => (of(path, ""), json!({ "content": text, "expected_version": 1 })),
            Change::Rename { from, to } => (
                "/v1/memory-tool".to_owned(),
                json!({ "user_id": USER, "command": "rename", "old_path": format!("/memories{from}"), "new_path": format!("/memories{to}") }),
            ),
            Change::Delete { path } => (
                "/v1/memory-tool".to_owned(),
                json!({ "user_id": USER, "command": "delete", "path": format!("/memories{path}") }),
            ),
        };
        match call(server.address, "POST", &path, key, Some(body)).await {
            Ok((200, answer)) => {
                assert_ne!(answer["is_error"], true, "{answer}");
                if let (Change::Add { path, .. }, Some(id)) = (&change, answer["id"].as_str()) {
                    ids.insert(path.clone(), id.to_owned());
                }
            }
            Ok((status, problem)) => panic!("{status} {problem}"),
            Err(_) => break,
        }
    }
    if kill_at.is_some() {
        let status = tokio::time::timeout(DEADLINE, server.child.wait()).await.expect("killed").expect("waited");
        return recorder.ended(Some(status));
    }
    assert_eq!(server.stop().await, Some(0));
    recorder.ended(None)
}

/// The index of words agrees with the texts.
async fn words_agree(root: &Path) {
    let options = SqliteConnectOptions::new().filename(root.join(DATABASE));
    let mut connection = SqliteConnection::connect_with(&options).await.expect("connects");
    let check = "INSERT INTO block_words (block_words, rank) VALUES ('integrity-check', 1)";
    sqlx::query(check).execute(&mut connection).await.expect("the index and the texts agree");
    connection.close().await.expect("closed");
}

/// Exactly the acknowledged changes are there, or one more: they are sent one after the other.
async fn nothing_is_lost_or_half_done(root: &Path, said: &[String], states: &[State]) {
    let done = said.iter().filter(|said| said.starts_with(ACKNOWLEDGED)).count();
    let awake = wake(root).await;
    let (keepsake, caller, anna) = (&awake.keepsake, cli(), user(USER));
    let page = BlockPage { order: BlockOrder::Path { after: None }, limit: 99, texts: true };
    let blocks = keepsake.blocks.blocks(&caller, &anna, &StoreRef::Default, &BlockFilter::default(), &page).await.expect("read");
    let mut there = State::default();
    for block in &blocks {
        let text = block.content.as_deref().expect("a text");
        assert_eq!((sha256_hex(text.as_bytes()), text.len() as u64), (block.sha256.clone(), block.bytes), "{}", block.path);
        let filter = VersionFilter { block_id: Some(block.id.clone()), ..VersionFilter::default() };
        let page = VersionPage { after: None, limit: 99, texts: true };
        let mut versions =
            keepsake.versions.block_versions(&caller, &anna, &StoreRef::Default, &filter, &page).await.expect("read");
        versions.reverse();
        let numbers: Vec<i64> = versions.iter().map(|version| version.version).collect();
        assert_eq!(numbers, (1..=block.version).collect::<Vec<_>>(), "{}: a number for each version", block.path);
        for version in &versions {
            let hash = version.content.as_deref().map(|text| sha256_hex(text.as_bytes()));
            assert_eq!(hash, version.sha256, "{} {}", block.path, version.version);
        }
        let texts: Vec<String> = versions.into_iter().map(|version| version.content.expect("a text")).collect();
        assert_eq!(texts.last().map(String::as_str), Some(text), "{}: its last version is its text", block.path);
        there.blocks.insert(block.path.clone(), texts);
    }
    if let Ok(bin) = keepsake.blocks.block_bin(&caller, &anna, &StoreRef::Default, 99).await {
        there.bin.extend(bin.into_iter().map(|block| block.path));
    }
    let expected = &states[done..states.len().min(done + 2)];
    assert!(
        expected.contains(&there),
        "after {done} acknowledged changes there is {:?}, in the bin {:?}",
        there.blocks.keys(),
        there.bin
    );

    for n in 0..texts_of_changes() {
        let has = |text: &Option<String>| text.as_ref().is_some_and(|text| text.contains(&word(n)));
        let with: BTreeSet<&str> = blocks.iter().filter(|block| has(&block.content)).map(|block| block.path.as_str()).collect();
        let any = BlockFilter::default();
        let found =
            keepsake.blocks.search_blocks(&caller, &anna, &StoreRef::Default, &word(n), &any, 99).await.expect("searched");
        assert_eq!(found.iter().map(|block| block.path.as_str()).collect::<BTreeSet<_>>(), with, "{}", word(n));
    }
    awake.is_sound().await;
    awake.close().await;
    words_agree(root).await;
}

/// A key, and the recording of a server from the first change to the last.
async fn recorded() -> (String, Recording) {
    let home = Home::new();
    let key = home.key("read,write");
    home.run(&["recall", "nobody", "x"]).json();
    let recording = edited(&home, &key, None).await;
    let said = recording.said(recording.steps.len());
    let expected = changes().len();
    assert_eq!(said.iter().filter(|said| said.starts_with(ACKNOWLEDGED)).count(), expected);
    (key, recording)
}

#[test]
fn the_changes_are_of_every_kind_and_fit() {
    let states = states();
    let last = states.last().expect("some");
    assert!(last.bin.len() >= 2 && last.blocks.keys().any(|path| path.starts_with("/kept/")));
    let longest = last.blocks.values().flatten().map(String::len).max().expect("a text");
    assert!(longest > 4_096 && (longest as u64) < CONTENT_BYTES.max, "{longest}");
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_any_moment_a_server_has_every_change_of_a_block_that_it_acknowledged_and_none_by_half() {
    let (key, recording) = recorded().await;
    let states = states();
    each("killed", recording.killed(&recording.moments(MOMENTS / 2, 61)), async |done, root| {
        nothing_is_lost_or_half_done(root, &recording.said(done), &states).await;
    })
    .await;
    for kill_at in recording.kills_between_answers(ACKNOWLEDGED, KILLS, 62) {
        let again = Home::new();
        lay(&recording.before, &again.path(""));
        let killed = edited(&again, &key, Some(kill_at)).await;
        killed.was_killed(kill_at);
        let said = killed.said(killed.steps.len());
        println!("killed after {kill_at}: {} acknowledged", said.iter().filter(|said| said.starts_with(ACKNOWLEDGED)).count());
        nothing_is_lost_or_half_done(&again.path(""), &said, &states).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_power_at_any_moment_a_server_has_every_change_of_a_block_that_it_acknowledged_and_none_by_half() {
    let (_, recording) = recorded().await;
    let states = states();
    each("without power", recording.without_power(&recording.boundaries(MOMENTS, 63), 64), async |done, root| {
        nothing_is_lost_or_half_done(root, &recording.said(done), &states).await;
    })
    .await;
}
