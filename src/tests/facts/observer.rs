//! Can an operator who may only view find out who said something? Two worlds that differ in nothing but the person are set up; an
//! operator without edit rights photographs every page, export, answer of the inspector and live event of both, and the
//! photographs must be the same. Pages come from the route table, so a new one is photographed too.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::time::Duration;

use access::callers::Scope;
use domain::erasure::ErasureScope;
use domain::facts::fact::FactStatus;
use domain::insight::live::LiveEvent;
use keepsake::web;
use ports::store::Store;
use ports::store::facts::{FactFilter, FactReads, Slice};
use serde_json::json;
use service::Keepsake;
use service::erasure::erase::ErasureOrder;
use tokio::sync::broadcast::Receiver;
use tokio_util::sync::CancellationToken;

use crate::fixture::visit::Visit;
use crate::fixture::{Fixture, cli, user};

const BATCH_MS: i64 = 300_000;
const SHARED: &str = "For the team: invoices go out on the third.";
const OTHER: &str = "For the team: the staging cluster runs in Frankfurt.";

/// Lists in every order and with every condition that a number of people could be read from.
const LISTS: [&str; 10] = [
    "/review?sort=contributors",
    "/review?sources=single",
    "/review?sources=multi",
    "/review?sources=one-short",
    "/manage/facts?status=all&sort=contributors",
    "/manage/facts?status=all&sort=confidence",
    "/manage/facts?status=all&sort=-confidence",
    "/manage/facts?status=all&conf=low",
    "/manage/facts/export.csv?status=all",
    "/manage/facts/export.json?status=all",
];

/// Pages that count events. They may show that something happened, but not what it was about or who did it.
const COUNTING: [&str; 3] = ["/stats", "/audit", "/manage/erasures"];

/// Each page as the sorted pieces of its text, without ids: their order may be random.
type Photograph = BTreeMap<String, Vec<String>>;

struct World {
    fixture: Fixture,
    keepsake: Keepsake,
    key: String,
    /// The session of an operator who may only view.
    cookie: String,
    heard: Receiver<LiveEvent>,
    erasures: Vec<String>,
}

impl World {
    /// Three people, each with a memory of their own.
    async fn new() -> Self {
        let fixture = Fixture::new().await;
        let keepsake = fixture.batched(Duration::from_millis(BATCH_MS.unsigned_abs())).await;
        let (key, heard) = (fixture.key(&Scope::ALL, None).await, keepsake.notify.live.subscribe());
        let cookie = Visit::viewer(&fixture).await.cookie;
        let world = Self { fixture, keepsake, key, cookie, heard, erasures: Vec::new() };
        assert_eq!(world.keepsake.proposals.arrive().await.expect("the first batch begins"), 0);
        for who in ["anna", "budi", "carla"] {
            world.says(who, "I play the cello.").await;
        }
        world.batch().await;
        world
    }

    /// A message that is learned at once.
    async fn says(&self, who: &str, message: &str) {
        let said = json!({ "user_id": who, "surface": "web", "user": message, "assistant": "Noted." });
        assert_eq!(self.fixture.call("POST", "/v1/exchanges", &self.key, Some(said)).await.0, 202);
        assert_eq!(self.keepsake.learning.learn_due(&CancellationToken::new()).await.expect("learned"), 1);
        self.look().await;
    }

    /// Lets a batch pass.
    async fn batch(&self) {
        self.fixture.clock.advance_ms(BATCH_MS);
        self.keepsake.proposals.arrive().await.expect("arrived");
        self.look().await;
    }

    async fn look(&self) {
        let changed = self.fixture.store.refresh().await.expect("looked");
        self.keepsake.notify.tell(&changed).await.expect("told");
    }

    async fn erase(&mut self, who: &str) {
        let who = user(who);
        let order = ErasureOrder { user: &who, scope: ErasureScope::Everything, reason: "SUP-4471", preview: None };
        let id = self.keepsake.erasure.erase(&cli(), &order).await.expect("ordered");
        self.keepsake.erasure.finish_erasure(&id, Some(&who)).await.expect("erased");
        self.erasures.push(id);
    }

    /// Everything that a viewer can see.
    async fn photographed(&mut self) -> Photograph {
        let viewer = Visit { fixture: &self.fixture, cookie: self.cookie.clone(), id: String::new() };
        let ids: Vec<String> = self
            .fixture
            .store
            .find_facts(&FactFilter::default(), Slice::ALL)
            .await
            .expect("read")
            .into_iter()
            .map(|(id, _)| id)
            .collect();
        let mut paths: BTreeSet<String> = LISTS.map(str::to_owned).into();
        paths.extend(self.erasures.iter().map(|id| format!("/manage/erasures/{id}")));
        for template in web::templates() {
            let facts = if template.contains("{id}") && !template.contains("users") { ids.as_slice() } else { &[] };
            paths.insert(filled(template, "nobody", "nobody"));
            for id in facts {
                paths.extend(ids.iter().map(|other| filled(template, id, other)));
            }
        }
        let mut seen = Photograph::new();
        for path in paths {
            let answer = viewer.page(&path).await;
            assert!(answer.status < 500, "{path}: {}", answer.status);
            seen.entry(blurred(&path)).or_default().extend(pieces(&answer.body));
        }
        for question in ["When do invoices go out?", "Where does the staging cluster run?"] {
            let asked = serde_urlencoded::to_string([("question", question), ("surface", "web")]).expect("a form");
            let answer = viewer.submit("/manage/recall", "/manage/recall", &asked).await;
            seen.entry("the inspector".to_owned()).or_default().extend(pieces(&answer.body));
        }
        while let Ok(event) = self.heard.try_recv() {
            seen.entry("events".to_owned()).or_default().extend(pieces(&format!("{event:?}")));
        }
        seen.values_mut().for_each(|pieces| pieces.sort());
        seen
    }
}

fn filled(template: &str, id: &str, other: &str) -> String {
    let mut ids = [id, other].into_iter();
    let part = |part: &str| if part.starts_with('{') { ids.next().unwrap_or(id).to_owned() } else { part.to_owned() };
    let path = template.split('/').map(part).collect::<Vec<_>>().join("/");
    if path.is_empty() { "/".to_owned() } else { path }
}

/// A text with a star for each id and digest, which differ from world to world.
fn blurred(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = "";
    for word in text.split_inclusive(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
        let bare = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        let id = ["gf_", "er_", "mem_", "op_", "key_", "mrg_"].iter().find(|prefix| bare.starts_with(**prefix));
        let digest = bare.len() >= 12 && bare.bytes().all(|byte| byte.is_ascii_hexdigit());
        match id {
            Some(prefix) => out.extend([prefix, "*", &word[bare.len()..]]),
            // The names of a row and of its text on the page end like the fact's id.
            None if digest || ["row-", "t-"].contains(&before) => out.extend(["*", &word[bare.len()..]]),
            None => out.push_str(word),
        }
        before = word;
    }
    out
}

/// The pieces of a page between its tags, brackets and commas. Nonces, tokens, and the number of unused pages in a file are
/// random.
fn pieces(body: &str) -> impl Iterator<Item = String> {
    let told = |piece: &&str| {
        !piece.is_empty() && !["nonce", "crossorigin", "token", "free page"].iter().any(|word| piece.contains(word))
    };
    body.split(['<', '>', '{', '}', ',']).map(str::trim).filter(told).map(blurred)
}

/// Fails with the differences by which a viewer could tell the worlds apart.
fn are_the_same(one: &Photograph, other: &Photograph, but: &[&str]) {
    for (path, pieces) in one {
        if but.iter().any(|counting| path.starts_with(counting)) {
            continue;
        }
        let (a, b): (BTreeSet<_>, BTreeSet<_>) = (pieces.iter().collect(), other.get(path).into_iter().flatten().collect());
        let told: Vec<_> = a.symmetric_difference(&b).collect();
        assert!(told.is_empty() && other.get(path).map(Vec::len) == Some(pieces.len()), "{path} tells them apart: {told:#?}");
    }
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
}

async fn world(said: &[(&str, &str)]) -> World {
    let world = World::new().await;
    for (who, message) in said {
        world.says(who, message).await;
        world.fixture.clock.advance_ms(1_000);
    }
    world
}

/// A world in which people say the same, long enough after each other to count. All worlds are as old.
async fn agreeing(people: &[&str]) -> World {
    let world = World::new().await;
    for n in 0..3 {
        if let Some(who) = people.get(n) {
            world.says(who, SHARED).await;
        }
        world.fixture.later();
    }
    world.batch().await;
    world
}

#[tokio::test]
async fn what_is_said_shows_only_with_its_batch_and_then_not_by_whom_or_in_which_order() {
    let (mut silent, mut before) = (world(&[]).await, world(&[("anna", SHARED)]).await);
    silent.fixture.clock.advance_ms(1_000);
    let (nothing, waiting) = (silent.photographed().await, before.photographed().await);
    are_the_same(&nothing, &waiting, &COUNTING);
    for counting in COUNTING {
        let known: BTreeSet<_> = nothing[counting].iter().collect();
        let told: Vec<_> = waiting[counting].iter().filter(|piece| !known.contains(piece)).collect();
        writeln!(std::io::stderr(), "{counting} tells that somebody spoke by {told:?}").expect("written");
        assert!(!told.iter().any(|piece| piece.contains("invoices") || piece.contains("anna")), "{counting}: {told:?}");
    }

    let (mut one, mut other) =
        (world(&[("anna", SHARED), ("budi", OTHER)]).await, world(&[("anna", OTHER), ("budi", SHARED)]).await);
    one.batch().await;
    other.batch().await;
    let (one, other) = (one.photographed().await, other.photographed().await);
    assert!(one["/review"].iter().any(|piece| piece.contains("nvoices go out")), "{:#?}", one["/review"]);
    assert!(one["events"].len() > 2);
    are_the_same(&one, &other, &[]);
}

#[tokio::test]
async fn two_facts_of_one_person_look_like_facts_of_two() {
    let (mut one, mut two) =
        (world(&[("anna", SHARED), ("anna", OTHER)]).await, world(&[("anna", SHARED), ("budi", OTHER)]).await);
    one.batch().await;
    two.batch().await;
    are_the_same(&one.photographed().await, &two.photographed().await, &[]);
}

#[tokio::test]
async fn beyond_what_promotion_asks_for_another_voice_and_its_erasure_change_nothing() {
    let (mut two, mut three) = (agreeing(&["anna", "budi"]).await, agreeing(&["anna", "budi", "carla"]).await);
    let approved = FactFilter { status: Some(FactStatus::Approved), ..FactFilter::default() };
    assert_eq!(two.fixture.store.count_matching(&approved).await.expect("counted"), 1, "two people promote");
    are_the_same(&two.photographed().await, &three.photographed().await, &COUNTING);

    // Of three who said it, one is erased: the second or the third.
    let mut worlds = Vec::new();
    for who in ["budi", "carla"] {
        worlds.push((agreeing(&["anna", "budi", "carla"]).await, who));
    }
    let mut seen = Vec::new();
    for (world, who) in &mut worlds {
        world.erase(who).await;
        world.batch().await;
        seen.push(world.photographed().await);
    }
    are_the_same(&seen[0], &seen[1], &[]);
}
