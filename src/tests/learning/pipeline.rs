//! From an exchange to a recall, through HTTP where possible: memories and facts are learned, queued, replaced, forgotten,
//! refused and withdrawn.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use access::callers::Scope;
use access::operators::{self, Viewer};
use async_trait::async_trait;
use domain::access::rights::Rights;
use domain::erasure::{ErasureScope, Status};
use domain::facts::decision::Verb;
use domain::facts::fact::FactStatus;
use domain::facts::provenance::Surface;
use domain::memory::claim::Claim;
use domain::memory::{Content, Importance, MemoryKind, Statement};
use domain::moment::{DAY_MS, HOUR_MS, MINUTE_MS};
use keepsake::embed::lexical::Lexical;
use keepsake::extract::rules::Rules;
use ports::embedder::{EmbedError, Embedder, EmbedderFamily, EmbedderId, Vector};
use ports::extractor::{ExtractError, Extraction, Extractor, Material};
use ports::meter::Meter;
use ports::store::facts::{Fact, FactFilter, FactReads};
use ports::store::memories::{MemoryFilter, MemoryReads, Page};
use ports::store::people::operators::OperatorReads;
use proptest::prelude::*;
use serde_json::{Value, json};
use service::audit::Actor;
use service::erasure::erase::ErasureOrder;
use service::facts::{Seen, Sitting};
use service::memories::BasedOn;
use service::settings::change;
use tokio::sync::{Notify, Semaphore};
use tokio_util::sync::CancellationToken;

use crate::fixture::visit::Visit;
use crate::fixture::{Fixture, NOON, cli, user};

const ALL: &[Scope] = &[Scope::Read, Scope::Write, Scope::Erase];
/// Every column of a memory.
const MEMORY: &str = "SELECT memory_key || '|' || id || '|' || user_no || '|' || importance || '|' || quote(last_recalled_at) || '|' || updated_at \
                      || '|' || hex(vector) || '|' || kind || '|' || content || '|' || surface || '|' || quote(source_thread) || '|' \
                      || recall_count || '|' || created_at FROM memories ORDER BY memory_key";

/// A Keepsake, its router, and a key to it.
pub struct Talk {
    pub fixture: Fixture,
    pub key: String,
}

impl Talk {
    pub async fn new() -> Self {
        Self::on_fixture(Fixture::new().await).await
    }

    pub async fn on_fixture(fixture: Fixture) -> Self {
        let key = fixture.key(ALL, None).await;
        Self { fixture, key }
    }

    /// Sends an exchange without learning it. Returns its id.
    pub async fn send(&self, who: Option<&str>, said: &str, reply: &str) -> String {
        let exchange = json!({"user_id": who, "surface": "web", "thread": who.unwrap_or("t1"), "user": said, "assistant": reply});
        let (status, accepted) = self.fixture.call("POST", "/v1/exchanges", &self.key, Some(exchange)).await;
        assert_eq!(status, 202, "{accepted}");
        accepted["id"].as_str().expect("an id").to_owned()
    }

    pub async fn say(&self, who: Option<&str>, said: &str) -> String {
        let id = self.send(who, said, "Noted.").await;
        self.fixture.learn().await;
        id
    }

    /// Repeats what others may have said before, long enough after them to count.
    pub async fn agrees(&self, who: Option<&str>, said: &str) -> String {
        self.fixture.later();
        self.say(who, said).await
    }

    pub async fn state(&self, id: &str) -> Value {
        self.fixture.call("GET", &format!("/v1/exchanges/{id}"), &self.key, None).await.1
    }

    async fn recall(&self, who: &str, query: &str) -> Value {
        let question = json!({"user_id": who, "surface": "web", "query": query});
        let (status, answer) = self.fixture.call("POST", "/v1/recall", &self.key, Some(question)).await;
        assert_eq!(status, 200, "{answer}");
        answer
    }

    /// The texts of this user's memories, oldest first.
    pub async fn memories(&self, who: &str) -> Vec<String> {
        let page = Page { after: None, limit: 200 };
        let mut all = self.fixture.store.list_memories(&user(who), &MemoryFilter::at(NOON), &page).await.expect("read");
        all.reverse();
        all.into_iter().map(|memory| memory.content).collect()
    }

    pub async fn facts(&self) -> Vec<Fact> {
        self.fixture.store.list_facts(&FactFilter::default(), &Page { after: None, limit: 200 }).await.expect("read")
    }

    async fn only_fact(&self) -> Fact {
        let facts = self.facts().await;
        assert_eq!(facts.len(), 1, "{:?}", facts.iter().map(|fact| &fact.content).collect::<Vec<_>>());
        facts.into_iter().next().expect("one")
    }

    pub async fn set(&self, key: &str, value: &str) {
        self.fixture.keepsake.settings.set(&Actor::CommandLine, key, change::parse(value).expect("a value")).await.expect("set");
    }

    pub async fn operator(&self) -> Viewer {
        let email = "editor@example.org";
        if self.fixture.store.operator_by_email(email).await.expect("read").is_none() {
            self.fixture.operator(email, Rights::Edit).await;
        }
        let id = self.fixture.store.operator_by_email(email).await.expect("read").expect("added").id;
        operators::viewer(self.fixture.store.as_ref(), &id).await.expect("read").expect("active")
    }

    pub async fn decide(&self, fact: &Fact, verb: Verb) {
        let viewer = self.operator().await;
        let by = Sitting { reviewer: viewer.reviewer().expect("may review"), session: "one" };
        let seen = Seen { id: fact.id.clone(), version: fact.version };
        let acted = self.fixture.keepsake.facts.act(by, verb, &[seen], false).await.expect("decided");
        assert_eq!((acted.done.len(), acted.lost), (1, Vec::new()));
    }

    /// Queries the database directly.
    pub async fn ask(&self, sql: &str) -> Vec<String> {
        self.fixture.ask(sql).await
    }

    /// The files of the data folder that contain these words.
    pub fn files_with(&self, words: &str) -> Vec<String> {
        let files = std::fs::read_dir(self.fixture.folder.path()).expect("a folder").map(|file| file.expect("a file").path());
        let holds = |bytes: &[u8]| bytes.windows(words.len()).any(|window| window == words.as_bytes());
        files.filter(|file| std::fs::read(file).is_ok_and(|bytes| holds(&bytes))).map(|file| file.display().to_string()).collect()
    }
}

pub fn statement(content: &str) -> Statement {
    Statement { kind: MemoryKind::Fact, content: Content::new(content).expect("fits"), importance: Importance::DEFAULT }
}

pub fn web() -> Surface {
    Surface::new("web").expect("valid")
}

#[tokio::test]
async fn what_is_said_for_the_team_waits_unrecalled_until_an_operator_approves_it() {
    let talk = Talk::new().await;
    talk.say(Some("anna"), "Remember this for the team: backups are taken every 6 hours.").await;
    let fact = talk.only_fact().await;
    assert_eq!((fact.status, fact.contributors), (FactStatus::Pending, 1));
    for who in ["anna", "budi"] {
        assert_eq!(talk.recall(who, "how often are backups taken").await["global"], json!([]), "{who}");
    }
    talk.decide(&fact, Verb::Approve).await;
    let answer = talk.recall("budi", "how often are backups taken").await;
    assert_eq!(answer["global"][0]["id"], json!(fact.id));
    assert!(answer["prompt"].as_str().expect("text").contains(&fact.content));
}

#[tokio::test]
async fn a_fact_in_passing_waits_too_and_the_second_person_who_says_it_promotes_it() {
    let talk = Talk::new().await;
    let said = "Our public API allows 600 requests per minute per key.";
    talk.say(Some("anna"), said).await;
    talk.say(Some("anna"), said).await;
    assert_eq!(talk.only_fact().await.status, FactStatus::Pending, "one person twice is one person");
    talk.say(Some("echo"), said).await;
    assert_eq!(talk.only_fact().await.contributors, 1, "the same words within minutes are one voice");
    talk.agrees(Some("budi"), said).await;
    let fact = talk.only_fact().await;
    assert_eq!((fact.status, fact.contributors, fact.decided_by), (FactStatus::Approved, 3, None));
}

#[tokio::test]
async fn a_correction_replaces_what_it_corrects_and_keeps_the_old_words_as_history() {
    let talk = Talk::new().await;
    talk.say(Some("anna"), "Remember that I work mostly on the iOS app.").await;
    talk.say(Some("anna"), "I'm allergic to peanuts.").await;
    let before = talk.memories("anna").await;
    assert_eq!(before.len(), 2, "{before:?}");
    talk.say(Some("anna"), "Actually I moved off the iOS app, I'm on the dashboard now.").await;
    let after = talk.memories("anna").await;
    assert_eq!(after.len(), 2, "{after:?}");
    assert!(after.iter().any(|text| text.contains("dashboard")) && !after.contains(&before[0]), "{after:?}");
    assert!(after.contains(&before[1]), "a bystander changed: {after:?}");
    assert_eq!(
        talk.ask("SELECT cause || ': ' || before_content FROM memory_merges").await,
        [format!("correction: {}", before[0])]
    );
}

#[tokio::test]
async fn forget_that_deletes_what_it_means_and_nothing_else() {
    let talk = Talk::new().await;
    talk.say(Some("anna"), "Remember that I prefer short answers.").await;
    talk.say(Some("anna"), "I'm allergic to peanuts.").await;
    let before = talk.memories("anna").await;
    talk.say(Some("budi"), "Remember that I prefer short answers.").await;
    talk.say(Some("anna"), "Forget that I prefer short answers.").await;
    assert_eq!(talk.memories("anna").await, before[1..]);
    assert_eq!(talk.memories("budi").await.len(), 1, "somebody else's memory went");
    talk.say(Some("anna"), "Forget that I own a red bicycle.").await;
    assert_eq!(talk.memories("anna").await, before[1..], "forgetting what was never known took something");
}

#[tokio::test]
async fn an_anonymous_exchange_teaches_nothing_personal_and_counts_for_nobody() {
    let talk = Talk::new().await;
    talk.say(None, "Remember that I work mostly on the iOS app.").await;
    talk.say(None, "Remember this for the team: backups are taken every 6 hours.").await;
    talk.say(None, "Remember this for the team: backups are taken every 6 hours.").await;
    assert_eq!(talk.ask("SELECT content FROM memories").await, [String::new(); 0]);
    assert_eq!(talk.ask("SELECT user_id FROM users").await, [String::new(); 0]);
    let fact = talk.only_fact().await;
    assert_eq!((fact.status, fact.contributors), (FactStatus::Pending, 0));
}

#[tokio::test]
async fn switched_off_learning_accepts_and_learns_nothing() {
    let (personal, team) =
        ("Remember that I work mostly on the iOS app.", "Remember this for the team: backups are taken every 6 hours.");
    for (off, memories, facts) in
        [(&["learn.personal"][..], 0, 1), (&["learn.global"], 1, 0), (&["learn.personal", "learn.global"], 0, 0)]
    {
        let talk = Talk::new().await;
        for key in off {
            talk.set(key, "false").await;
        }
        for said in [personal, team] {
            let id = talk.say(Some("anna"), said).await;
            assert_eq!(talk.state(&id).await["status"], "learned", "{off:?}");
        }
        assert_eq!((talk.memories("anna").await.len(), talk.facts().await.len()), (memories, facts), "{off:?}");
    }
}

#[tokio::test]
async fn a_pasted_secret_is_on_no_byte_of_the_disk() {
    let talk = Talk::new().await;
    let secret = "ghp_Qm4xZt8RvL2yKw7NbC0sHdJf5PeUa3GoT1iX";
    let said =
        format!("Remember that I work mostly on the iOS app. GITHUB_TOKEN={secret} is in my env, why does gh ask for a login?");
    talk.send(Some("anna"), &said, &format!("Revoke {secret}, it is exposed.")).await;
    assert_eq!(talk.files_with(secret), [String::new(); 0], "while it is queued");
    assert!(!talk.files_with("why does gh ask").is_empty(), "the search finds nothing at all");
    talk.fixture.learn().await;
    assert_eq!(talk.files_with(secret), [String::new(); 0], "once it is learned");
    assert!(talk.memories("anna").await.iter().any(|text| text.contains("iOS app")), "what stood beside the secret is lost");
}

#[tokio::test]
async fn a_queued_exchange_of_an_erased_user_teaches_nothing_and_leaves_no_row() {
    let talk = Talk::new().await;
    let id = talk.send(Some("anna"), "Remember that I work mostly on the iOS app.", "Noted.").await;
    let (status, _) = talk.fixture.call("POST", "/v1/forget", &talk.key, Some(json!({"user_id": "anna", "all": true}))).await;
    assert_eq!(status, 200);
    talk.fixture.learn().await;
    assert_eq!(talk.state(&id).await["status"], 404, "still known");
    for table in ["users", "memories", "exchanges", "exchange_ids"] {
        assert_eq!(talk.ask(&format!("SELECT 'a row' FROM {table}")).await, [String::new(); 0], "{table}");
    }
    assert_eq!(talk.files_with("iOS app"), [String::new(); 0]);
    talk.say(Some("anna"), "Remember that I work mostly on the dashboard.").await;
    assert_eq!(talk.memories("anna").await.len(), 1, "who comes back is learned about again");
}

/// An extractor that waits until it is released, and then returns one item.
#[derive(Default)]
struct Paused {
    reading: Notify,
    go_on: Notify,
}

#[async_trait]
impl Extractor for Paused {
    async fn extract(&self, _: &Material<'_>, _: Extraction, _: &dyn Meter) -> Result<Extraction, ExtractError> {
        self.reading.notify_one();
        self.go_on.notified().await;
        Ok(Extraction { claims: vec![Claim::plain(statement("User works on the iOS app"))], ..Extraction::default() })
    }
}

/// An embedder that waits to be released, and an extractor that counts its calls.
struct Watched {
    lexical: Lexical,
    embedding: Notify,
    released: Semaphore,
    asked: AtomicUsize,
}

impl Watched {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            lexical: Lexical::default(),
            embedding: Notify::new(),
            released: Semaphore::new(0),
            asked: AtomicUsize::new(0),
        })
    }
}

#[async_trait]
impl Embedder for Watched {
    fn id(&self) -> &EmbedderId {
        self.lexical.id()
    }

    fn family(&self) -> EmbedderFamily {
        self.lexical.family()
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vector>, EmbedError> {
        self.embedding.notify_one();
        let _released = self.released.acquire().await;
        self.lexical.embed(texts).await
    }
}

#[async_trait]
impl Extractor for Watched {
    async fn extract(&self, _: &Material<'_>, read: Extraction, _: &dyn Meter) -> Result<Extraction, ExtractError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        Ok(read)
    }
}

#[tokio::test]
async fn once_an_erasure_is_confirmed_nothing_of_the_user_is_sent_to_a_provider() {
    let watched = Watched::new();
    let talk = Talk::on_fixture(Fixture::with(watched.clone(), watched.clone()).await).await;
    talk.send(Some("anna"), "I work on the iOS app.", "Noted.").await;
    let keepsake = talk.fixture.keepsake.clone();
    let learning = tokio::spawn(async move { keepsake.learning.learn_due(&CancellationToken::new()).await });
    watched.embedding.notified().await;
    let anna = user("anna");
    let order = ErasureOrder { user: &anna, scope: ErasureScope::Everything, reason: "SUP-4471", preview: None };
    let id = talk.fixture.keepsake.erasure.erase(&cli(), &order).await.expect("erased");
    watched.released.add_permits(Semaphore::MAX_PERMITS / 2);
    learning.await.expect("ends").expect("went on");
    assert_eq!(watched.asked.load(Ordering::Relaxed), 0, "it was read, and not sent");
    assert_eq!(talk.fixture.keepsake.erasure.finish_erasure(&id, Some(&anna)).await.expect("tried"), Status::Verified);
    talk.send(Some("budi"), "I work on the iOS app.", "Noted.").await;
    talk.fixture.learn().await;
    assert_eq!(watched.asked.load(Ordering::Relaxed), 1, "of others it is");
}

#[tokio::test]
async fn an_erasure_takes_back_what_a_provider_is_being_asked() {
    let extractor = Arc::new(Paused::default());
    let talk = Talk::on_fixture(Fixture::with(extractor.clone(), Arc::new(Lexical::default())).await).await;
    for who in ["anna", "budi"] {
        talk.send(Some(who), "I work on the iOS app.", "Noted.").await;
        let keepsake = talk.fixture.keepsake.clone();
        let learning = tokio::spawn(async move { keepsake.learning.learn_due(&CancellationToken::new()).await });
        extractor.reading.notified().await;
        if who == "anna" {
            talk.fixture.keepsake.erasure.forget_all(&cli(), &user(who)).await.expect("erased");
        } else {
            extractor.go_on.notify_one();
        }
        // No one waits for the answer about an erased user.
        learning.await.expect("ends").expect("went on");
    }
    assert_eq!(talk.memories("anna").await, Vec::<String>::new());
    assert_eq!(talk.memories("budi").await, ["User works on the iOS app"]);
    let statuses = talk.ask("SELECT status FROM erasures").await;
    assert_eq!(statuses, ["verified"]);
}

#[tokio::test]
async fn an_erasure_while_the_extractor_reads_wins() {
    for comes_back in [false, true] {
        let extractor = Arc::new(Paused::default());
        let talk = Talk::on_fixture(Fixture::with(extractor.clone(), Arc::new(Lexical::default())).await).await;
        talk.send(Some("anna"), "I work on the iOS app.", "Noted.").await;
        let keepsake = talk.fixture.keepsake.clone();
        let learning = tokio::spawn(async move { keepsake.learning.learn_due(&CancellationToken::new()).await });
        extractor.reading.notified().await;
        talk.fixture.keepsake.erasure.forget_all(&cli(), &user("anna")).await.expect("erased");
        if comes_back {
            talk.fixture
                .keepsake
                .memories
                .remember(&cli(), &user("anna"), &web(), &statement("User likes tea"))
                .await
                .expect("saved");
        }
        extractor.go_on.notify_one();
        learning.await.expect("ends").expect("learned");
        let expected: &[&str] = if comes_back { &["User likes tea"] } else { &[] };
        assert_eq!(talk.memories("anna").await, expected, "comes back: {comes_back}");
        assert_eq!(talk.ask("SELECT user_id FROM users").await.len(), expected.len());
    }
}

/// An extractor that fails in this way, until it is told to answer.
struct Failing {
    how: fn() -> ExtractError,
    answers: AtomicBool,
}

impl Failing {
    fn with(how: fn() -> ExtractError) -> Arc<Self> {
        Arc::new(Self { how, answers: AtomicBool::new(false) })
    }
}

#[async_trait]
impl Extractor for Failing {
    fn read(&self, material: &Material<'_>) -> Extraction {
        Rules.read(material)
    }

    async fn extract(&self, _: &Material<'_>, read: Extraction, _: &dyn Meter) -> Result<Extraction, ExtractError> {
        if self.answers.load(Ordering::Relaxed) { Ok(read) } else { Err((self.how)()) }
    }
}

#[tokio::test]
async fn a_provider_that_is_away_for_days_loses_nothing_and_parks_nothing() {
    for how in [|| ExtractError::Unreachable("connection refused".to_owned()), || ExtractError::TimedOut(30)]
        as [fn() -> ExtractError; 2]
    {
        let provider = Failing::with(how);
        let talk = Talk::on_fixture(Fixture::with(provider.clone(), Arc::new(Lexical::default())).await).await;
        let id = talk.send(Some("anna"), "I keep axolotls.", "Noted.").await;
        let keepsake = &talk.fixture.keepsake;
        let (never, away_from) = (CancellationToken::new(), keepsake.clock.now());
        for hour in 0..6 * 24 {
            assert_eq!(keepsake.learning.learn_due(&never).await.expect("tried"), 0, "after {hour} hours");
            talk.fixture.clock.advance_ms(HOUR_MS);
        }
        assert_eq!(keepsake.learning.provider_away_since(), Some(away_from));
        assert_eq!(talk.state(&id).await["status"], "queued");
        provider.answers.store(true, Ordering::Relaxed);
        assert_eq!(keepsake.learning.learn_due(&never).await.expect("learned"), 1);
        assert_eq!(
            (talk.memories("anna").await, keepsake.learning.provider_away_since()),
            (vec!["User keeps axolotls".to_owned()], None)
        );
    }
}

/// A provider that fails on one text.
struct Picky;

#[async_trait]
impl Extractor for Picky {
    fn read(&self, material: &Material<'_>) -> Extraction {
        Rules.read(material)
    }

    async fn extract(&self, material: &Material<'_>, read: Extraction, _: &dyn Meter) -> Result<Extraction, ExtractError> {
        if material.exchange.message.contains("axolotls") {
            return Err(ExtractError::Unreachable("HTTP status 500".to_owned()));
        }
        Ok(read)
    }
}

#[tokio::test]
async fn an_exchange_that_the_provider_always_fails_on_does_not_stop_the_others_and_is_parked() {
    let talk = Talk::on_fixture(Fixture::with(Arc::new(Picky), Arc::new(Lexical::default())).await).await;
    let bad = talk.send(Some("anna"), "I keep axolotls.", "Noted.").await;
    let mut good = Vec::new();
    for n in 0..20 {
        good.push(talk.send(Some(&format!("user-{n}")), "I like tea.", "Noted.").await);
    }
    let (never, mut rounds) = (CancellationToken::new(), 0);
    while talk.state(&bad).await["status"] == "queued" {
        talk.fixture.keepsake.learning.learn_due(&never).await.expect("tried");
        talk.fixture.clock.advance_ms(1_000);
        rounds += 1;
        if rounds == 60 {
            for id in &good {
                assert_eq!(talk.state(id).await["status"], "learned", "within a minute");
            }
        }
        // Others are answered meanwhile.
        if rounds % 60 == 0 {
            talk.send(Some("budi"), "I like tea.", "Noted.").await;
        }
        assert!(rounds < 7_200, "parked within two hours");
    }
    assert_eq!(talk.state(&bad).await, json!({"id": bad, "status": "parked", "reason": "provider_unreachable"}));
}

#[tokio::test]
async fn what_was_parked_is_learned_after_an_operator_sends_it_again() {
    let provider = Failing::with(|| ExtractError::BadAnswer("not JSON".to_owned()));
    let talk = Talk::on_fixture(Fixture::with(provider.clone(), Arc::new(Lexical::default())).await).await;
    let id = talk.send(Some("anna"), "I keep axolotls.", "Noted.").await;
    let never = CancellationToken::new();
    while talk.state(&id).await["status"] != "parked" {
        talk.fixture.keepsake.learning.learn_due(&never).await.expect("tried");
        talk.fixture.clock.advance_ms(MINUTE_MS);
    }
    let editor = Visit::of(&talk.fixture, "resends@example.org", "Ada Byron", Rights::Edit).await;
    assert!(editor.page("/stats").await.body.contains("1 message could not be learned"));
    provider.answers.store(true, Ordering::Relaxed);
    assert_eq!(editor.submit("/stats", "/calls/stats/resend", "").await.location.as_deref(), Some("/stats"));
    let told = editor.page("/stats").await.body;
    assert!(told.contains("1 message waits to be learned again") && !told.contains("could not be learned"));
    talk.fixture.learn().await;
    assert_eq!(talk.state(&id).await["status"], "learned");
    assert_eq!(talk.memories("anna").await, ["User keeps axolotls"]);
}

/// An extractor that counts how often it is asked, and never ends.
#[derive(Default)]
struct Endless(AtomicUsize);

#[async_trait]
impl Extractor for Endless {
    async fn extract(&self, _: &Material<'_>, _: Extraction, _: &dyn Meter) -> Result<Extraction, ExtractError> {
        self.0.fetch_add(1, Ordering::Relaxed);
        std::future::pending().await
    }
}

#[tokio::test]
async fn a_text_that_ends_the_process_each_time_is_parked() {
    let reader = Arc::new(Endless::default());
    let talk = Talk::on_fixture(Fixture::with(reader.clone(), Arc::new(Lexical::default())).await).await;
    let id = talk.send(Some("anna"), "I keep axolotls.", "Noted.").await;
    let never = CancellationToken::new();
    for _ in 0..12 {
        // Cut off while it is read, as if the process ended.
        let _ = tokio::time::timeout(Duration::from_millis(200), talk.fixture.keepsake.learning.learn_due(&never)).await;
    }
    assert_eq!(talk.state(&id).await, json!({"id": id, "status": "parked", "reason": "ended_the_process"}));
    assert_eq!(reader.0.load(Ordering::Relaxed), 10);
}

#[tokio::test]
async fn a_message_brings_a_handful_of_facts_and_says_what_was_left_out() {
    let talk = Talk::new().await;
    let many: Vec<String> = ["gateway", "mirror", "archive", "scheduler", "ledger", "registry", "beacon"]
        .iter()
        .zip(7000..)
        .map(|(name, port)| format!("Remember this for the team: the {name} listens on port {port}."))
        .collect();
    let id = talk.say(Some("anna"), &many.join("\n")).await;
    assert_eq!(talk.facts().await.len(), 5);
    assert_eq!(talk.state(&id).await, json!({"id": id, "status": "learned", "reason": "some_facts_left_out"}));
    assert_eq!(talk.ask("SELECT CAST(value AS TEXT) FROM daily_counters WHERE name = 'candidates.beyond'").await, ["2"]);
}

#[tokio::test]
async fn an_exchange_that_fails_three_times_is_parked_with_the_reason_and_its_text_goes_after_a_week() {
    let provider = Failing::with(|| ExtractError::BadAnswer("not JSON".to_owned()));
    let talk = Talk::on_fixture(Fixture::with(provider, Arc::new(Lexical::default())).await).await;
    let id = talk.send(Some("anna"), "I keep axolotls.", "Noted.").await;
    let never = CancellationToken::new();
    for (wait_ms, left) in [(0, 0), (1_999, 0), (1, 0), (7_999, 0), (1, 1)] {
        talk.fixture.clock.advance_ms(wait_ms);
        assert_eq!(talk.fixture.keepsake.learning.learn_due(&never).await.expect("tried"), left, "after {wait_ms} ms");
    }
    assert_eq!(talk.state(&id).await, json!({"id": id, "status": "parked", "reason": "provider_bad_answer"}));
    talk.fixture.clock.advance_ms(7 * DAY_MS);
    talk.fixture.keepsake.learning.purge_inbox().await.expect("tidied");
    assert!(!talk.files_with("axolotls").is_empty(), "the text is there for a week");
    talk.fixture.clock.advance_ms(1);
    talk.fixture.keepsake.learning.purge_inbox().await.expect("tidied");
    assert_eq!(talk.ask("SELECT message FROM exchanges WHERE message IS NOT NULL").await, [String::new(); 0]);
}

#[tokio::test]
async fn a_learned_exchange_leaves_no_text_and_is_known_for_a_day() {
    let talk = Talk::new().await;
    let id = talk.say(Some("anna"), "What a day it was, with axolotls all over.").await;
    assert_eq!(
        talk.ask("SELECT id FROM exchanges WHERE message IS NULL AND reply IS NULL AND thread IS NULL").await,
        [id.as_str()]
    );
    talk.fixture.clock.advance_ms(DAY_MS);
    talk.fixture.keepsake.learning.purge_inbox().await.expect("tidied");
    assert_eq!(talk.state(&id).await["status"], "learned");
    talk.fixture.clock.advance_ms(1);
    talk.fixture.keepsake.learning.purge_inbox().await.expect("tidied");
    assert_eq!(talk.state(&id).await["status"], 404);
}

#[tokio::test]
async fn a_rejected_fact_said_again_stays_rejected_and_is_counted() {
    let talk = Talk::new().await;
    let said = "Remember this for the team: backups are taken every 6 hours.";
    talk.say(Some("anna"), said).await;
    talk.decide(&talk.only_fact().await, Verb::Reject).await;
    for who in ["budi", "carl", "dewi"] {
        talk.say(Some(who), said).await;
    }
    let fact = talk.only_fact().await;
    assert_eq!(fact.status, FactStatus::Rejected);
    assert_eq!(talk.ask("SELECT CAST(resubmitted AS TEXT) FROM facts").await, ["3"]);
    assert_eq!(talk.recall("budi", "backups").await["global"], json!([]));
}

#[tokio::test]
async fn a_contradiction_is_flagged_on_both_sides_and_never_promoted_by_count() {
    let talk = Talk::new().await;
    for who in ["anna", "budi"] {
        talk.agrees(Some(who), "Remember this for the team: backups are taken every 6 hours.").await;
    }
    for who in ["carl", "dewi", "emil"] {
        talk.agrees(Some(who), "Remember this for the team: backups are taken every 4 hours.").await;
    }
    // Both were first said at the same moment, so they are ordered by their random ids.
    let mut facts = talk.facts().await;
    facts.sort_by_key(|fact| fact.contributors);
    let seen: Vec<_> = facts.iter().map(|fact| (fact.contradicted, fact.status, fact.contributors)).collect();
    assert_eq!(seen, [(true, FactStatus::Approved, 2), (true, FactStatus::Pending, 3)]);
    assert!(facts[0].content.contains('6') && facts[1].content.contains('4'), "a merge changed the text of a fact");
}

#[tokio::test]
async fn one_voice_does_not_silence_a_fact_and_as_many_as_promotion_asks_for_do() {
    let talk = Talk::new().await;
    for who in ["anna", "budi"] {
        talk.agrees(Some(who), "Remember this for the team: backups are taken every 6 hours.").await;
    }
    let recalled = async || talk.recall("carl", "How often are backups taken?").await["global"].as_array().map(Vec::len);
    let sure = async |digit: char| {
        let facts = talk.facts().await;
        let fact = facts.iter().find(|fact| fact.content.contains(digit)).expect("there");
        (fact.contradicted, fact.disputed)
    };
    assert_eq!(recalled().await, Some(1));
    for who in [None, None, Some("mallory")] {
        talk.agrees(who, "Remember this for the team: backups are taken every 4 hours.").await;
        assert_eq!((recalled().await, sure('6').await), (Some(1), (true, false)), "{who:?}");
        assert_eq!(sure('4').await, (true, true), "the approved fact counts against it");
    }
    talk.agrees(Some("emil"), "Remember this for the team: backups are taken every 4 hours.").await;
    assert_eq!((recalled().await, sure('6').await), (Some(0), (true, true)));
}

#[tokio::test]
async fn a_reply_that_repeats_a_recalled_fact_makes_nobody_a_contributor() {
    let talk = Talk::new().await;
    talk.say(Some("anna"), "Remember this for the team: backups are taken every 6 hours.").await;
    talk.decide(&talk.only_fact().await, Verb::Approve).await;
    let before = talk.only_fact().await;
    let recalled = talk.recall("budi", "How often are backups taken?").await;
    let echo = recalled["global"][0]["content"].as_str().expect("text");
    for (said, reply) in
        [("How often are backups taken?", echo.to_owned()), ("And the backups?", format!("As noted before: {echo}"))]
    {
        talk.send(Some("budi"), said, &reply).await;
        talk.fixture.learn().await;
    }
    let after = talk.only_fact().await;
    assert_eq!((after.contributors, after.confirmed_at), (before.contributors, before.confirmed_at));
    assert_eq!(talk.memories("budi").await, [String::new(); 0]);
}

#[tokio::test]
async fn whoever_quotes_what_a_list_or_an_explanation_told_is_no_contributor() {
    const QUOTE: &str = "Remember this for the team: backups are taken every 6 hours.";
    let talk = Talk::new().await;
    talk.say(Some("anna"), QUOTE).await;
    talk.decide(&talk.only_fact().await, Verb::Approve).await;
    let own = |who: &'static str| talk.fixture.key(&[Scope::Read], Some(who));
    assert_eq!(talk.fixture.call("GET", "/v1/facts", &own("budi").await, None).await.0, 200);
    let question = json!({"surface": "web", "query": "How often are backups taken?", "explain": true});
    assert_eq!(talk.fixture.call("POST", "/v1/recall", &own("carla").await, Some(question)).await.0, 200);
    for who in ["budi", "carla"] {
        talk.agrees(Some(who), QUOTE).await;
        assert_eq!(talk.only_fact().await.contributors, 1, "{who} only repeats it");
    }
    talk.agrees(Some("dewi"), QUOTE).await;
    assert_eq!(talk.only_fact().await.contributors, 2, "whoever was told nothing says it on their own");
}

#[tokio::test]
async fn taking_a_merge_back_restores_the_row_byte_for_byte() {
    let talk = Talk::new().await;
    let keepsake = &talk.fixture.keepsake;
    let first = Statement {
        kind: MemoryKind::Preference,
        importance: Importance::new(5).expect("1–5"),
        ..statement("User prefers short answers")
    };
    let id = keepsake.memories.remember(&cli(), &user("anna"), &web(), &first).await.expect("saved").id().to_owned();
    let before = talk.ask(MEMORY).await;
    talk.fixture.clock.advance_ms(DAY_MS);
    let again =
        keepsake.memories.remember(&cli(), &user("anna"), &web(), &statement("user prefers SHORT answers")).await.expect("saved");
    assert_eq!((again.outcome(), again.id()), ("merged", id.as_str()));
    assert_ne!(talk.ask(MEMORY).await, before);
    keepsake.memories.undo_memory(&cli(), &user("anna"), &id, &BasedOn::Any).await.expect("undone");
    let after = talk.ask(MEMORY).await;
    assert_eq!(after[..1], before);
    assert!(after.len() == 2 && after[1].contains("user prefers SHORT answers"), "{after:?}");
    keepsake
        .memories
        .undo_memory(&cli(), &user("anna"), &id, &BasedOn::Any)
        .await
        .map(|memory| memory.id)
        .expect_err("there is nothing left to take back");
}

#[tokio::test]
async fn recalled_twice_counts_two_for_memories_and_facts() {
    let talk = Talk::new().await;
    talk.say(Some("anna"), "Remember that I own a red bicycle.").await;
    for who in ["anna", "budi"] {
        talk.agrees(Some(who), "Remember this for the team: backups are taken every 6 hours.").await;
    }
    talk.fixture.clock.advance_ms(DAY_MS);
    for _ in 0..2 {
        let answer = talk.recall("anna", "red bicycle backups").await;
        assert_eq!((answer["personal"].as_array().map(Vec::len), answer["global"].as_array().map(Vec::len)), (Some(1), Some(1)));
    }
    talk.fixture.keepsake.counts.flush_counts().await.expect("counted");
    let (_, list) = talk.fixture.call("GET", "/v1/memories?user_id=anna", &talk.key, None).await;
    assert_eq!(list["items"][0]["recall_count"], 2);
    assert_eq!(list["items"][0]["last_recalled_at"], "2026-11-21T12:40:00Z");
    assert_eq!(talk.only_fact().await.recall_count, 2);
    assert_eq!(talk.ask("SELECT surface || ' ' || recalls FROM fact_recalls").await, ["web 2"]);
}

#[tokio::test]
async fn a_prompt_holds_only_what_this_user_may_see() {
    let talk = Talk::new().await;
    talk.say(Some("anna"), "Remember that I own a red bicycle.").await;
    talk.say(Some("budi"), "Remember that I own a green bicycle.").await;
    talk.say(Some("anna"), "Remember this for the team: the bicycle shed opens at 07:30.").await;
    for (who, own, foreign) in [("anna", "red bicycle", "green bicycle"), ("budi", "green bicycle", "red bicycle")] {
        let answer = talk.recall(who, "bicycle").await.to_string();
        assert!(answer.contains(own) && !answer.contains(foreign), "{who}: {answer}");
        assert!(!answer.contains("shed"), "{who} sees the quarantine: {answer}");
    }
    let nothing = talk.recall("nobody-yet", "bicycle").await;
    assert_eq!([&nothing["personal"], &nothing["global"], &nothing["prompt"]], [&json!([]), &json!([]), &json!("")]);
}

#[tokio::test]
async fn a_contributor_is_named_in_no_answer_about_team_facts() {
    let talk = Talk::new().await;
    let canaries = ["canary-anna-5f1c", "canary-budi-9e2d"];
    for who in canaries {
        talk.agrees(Some(who), "Remember this for the team: backups are taken every 6 hours.").await;
    }
    let id = talk.only_fact().await.id;
    let proposal = json!({"content": "Backups are taken every 6 hours.", "kind": "fact", "user_id": "carl"});
    let answers = [
        talk.recall("carl", "backups").await,
        talk.fixture.call("GET", "/v1/facts", &talk.key, None).await.1,
        talk.fixture.call("GET", "/v1/facts?q=backups&kind=fact", &talk.key, None).await.1,
        talk.fixture.call("POST", "/v1/facts", &talk.key, Some(proposal)).await.1,
    ];
    for answer in &answers {
        let text = answer.to_string();
        assert!(text.contains(&id), "not about the fact: {text}");
        assert!(!text.contains("canary") && !text.contains("contributor"), "{text}");
    }
    let audit =
        talk.ask("SELECT actor_id || coalesce(target, '') || coalesce(detail, '') || coalesce(user_digest, '') FROM audit").await;
    assert!(!audit.is_empty() && !audit.iter().any(|row| row.contains("canary")), "{audit:?}");
}

/// Three statements, each in two wordings.
const SAYINGS: [[&str; 2]; 3] = [
    ["User prefers short answers", "user prefers SHORT answers"],
    ["User owns a red bicycle", "User owns a red bicycle."],
    ["User speaks Javanese at home", "At home User speaks Javanese"],
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever was said, in any order and any number of times: one row for each statement, and saying all of it again changes
    /// nothing.
    #[test]
    fn merging_is_idempotent(said in prop::collection::vec((0usize..3, 0usize..2), 1..8)) {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let talk = Talk::new().await;
            let say_all = async || {
                for (thing, way) in &said {
                    let text = statement(SAYINGS[*thing][*way]);
                    talk.fixture.keepsake.memories.remember(&cli(), &user("anna"), &web(), &text).await.expect("saved");
                }
            };
            say_all().await;
            let once = talk.ask(MEMORY).await;
            let things: std::collections::BTreeSet<_> = said.iter().map(|(thing, _)| thing).collect();
            assert_eq!(once.len(), things.len(), "{once:?}");
            say_all().await;
            assert_eq!(talk.ask(MEMORY).await, once);
        });
    }
}
