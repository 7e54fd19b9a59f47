//! Operators' decisions on facts: one or many, edits, undo, large bulk decisions, and the live events for open pages.

use std::sync::Arc;
use std::time::Duration;

use access::operators::{self, Viewer};
use axum::body::Body;
use axum::http::{Request, header};
use domain::access::rights::Rights;
use domain::facts::decision::Verb;
use domain::facts::fact::{Candidate, FactKind, FactStatus};
use domain::facts::provenance::{Origin, Surface};
use domain::gate;
use domain::insight::live::LiveEvent;
use domain::memory::{Content, Importance};
use domain::problem::Problem;
use domain::webhook::Event;
use futures::StreamExt;
use keepsake::extract::rules::Rules;
use ports::store::Store;
use ports::store::facts::{Fact, FactFilter, FactReads};
use ports::store::operate::audit::AuditReads;
use ports::store::operate::webhooks::WebhookReads;
use ports::store::people::operators::OperatorReads;
use service::Error;
use service::audit::Actor;
use service::facts::decide::{Acted, FactEdit, Undone};
use service::facts::propose::ProposalOutcome;
use service::facts::review::Undoable;
use service::facts::{Seen, Sitting};
use service::settings::change;

use crate::chat::is_on_disk;
use crate::erasure::rows;
use crate::fixture::{Fixture, cli, user};
use crate::learning::pairs::minilm;

const SESSION: &str = "s1";

struct Room {
    fixture: Fixture,
    viewer: Viewer,
}

impl Room {
    async fn new() -> Self {
        Self::within(Fixture::new().await).await
    }

    async fn within(fixture: Fixture) -> Self {
        fixture.operator("priya@example.org", Rights::Edit).await;
        let id = fixture.store.operator_by_email("priya@example.org").await.expect("read").expect("added").id;
        let viewer = operators::viewer(fixture.store.as_ref(), &id).await.expect("read").expect("active");
        Self { fixture, viewer }
    }

    fn by(&self) -> Sitting<'_> {
        Sitting { reviewer: self.viewer.reviewer().expect("may review"), session: SESSION }
    }

    async fn pending(&self, content: &str) -> Seen {
        self.said(None, content).await
    }

    async fn said(&self, by: Option<&str>, content: &str) -> Seen {
        let candidate = Candidate {
            kind: FactKind::Fact,
            content: Content::new(content).expect("fits"),
            importance: Importance::DEFAULT,
            origin: Origin::Assistant,
        };
        let surface = Surface::new("web").expect("valid");
        let user = by.map(user);
        match self.fixture.keepsake.proposals.propose(&cli(), user.as_ref(), &surface, &candidate).await.expect("proposed") {
            ProposalOutcome::Pending(id) => Seen { id, version: 1 },
            other => panic!("{other:?}"),
        }
    }

    /// Repeats the text of an existing fact, some time later.
    async fn repeats(&self, by: &str, content: &str) {
        self.fixture.later();
        let candidate = Candidate {
            kind: FactKind::Fact,
            content: Content::new(content).expect("fits"),
            importance: Importance::DEFAULT,
            origin: Origin::Assistant,
        };
        let surface = Surface::new("web").expect("valid");
        let outcome =
            self.fixture.keepsake.proposals.propose(&cli(), Some(&user(by)), &surface, &candidate).await.expect("proposed");
        assert!(matches!(outcome, ProposalOutcome::Merged(_)), "{outcome:?}");
    }

    async fn promotes_at(&self, contributors: &str) {
        let value = change::parse(contributors).expect("a value");
        self.fixture.keepsake.settings.set(&Actor::CommandLine, "promote.contributors", value).await.expect("set");
    }

    /// The fact at the version that it has now.
    async fn now(&self, seen: &Seen) -> Seen {
        Seen { id: seen.id.clone(), version: self.fact(seen).await.version }
    }

    async fn fact(&self, seen: &Seen) -> Fact {
        self.fixture.store.fact(&seen.id).await.expect("read").expect("there")
    }

    async fn act(&self, verb: Verb, on: &[Seen]) -> Acted {
        self.fixture.keepsake.facts.act(self.by(), verb, on, on.len() > 1).await.expect("acted")
    }

    /// Undoes the newest decision.
    async fn undo(&self) -> Result<Undone, Error> {
        let newest = self.undoable().await.map_or(0, |decision| decision.seq);
        self.fixture.keepsake.facts.undo(self.by(), newest).await
    }

    async fn undoable(&self) -> Option<Undoable> {
        self.fixture.keepsake.facts.undoable(&self.viewer, SESSION).await.expect("read")
    }

    async fn edit(&self, seen: &Seen, content: &str, approve: bool) -> Result<Fact, Error> {
        let content = Content::new(content).expect("fits");
        let edit = FactEdit { content, kind: FactKind::Howto, importance: Importance::DEFAULT, beside: None };
        self.fixture.keepsake.facts.edit(self.by(), seen, &edit, approve).await
    }
}

#[tokio::test]
async fn every_verb_can_be_taken_back_in_turn() {
    let room = Room::new().await;
    let seen = room.pending("Release branches are cut on the first Tuesday of the month.").await;
    let before = room.fact(&seen).await;
    let five = Verb::Importance(Importance::new(5).expect("valid"));
    for (verb, version) in [(Verb::Approve, 1), (Verb::Reject, 2), (Verb::Reopen, 3), (five, 4)] {
        let acted = room.act(verb, &[Seen { version, ..seen.clone() }]).await;
        assert_eq!(acted.done, [Seen { version: version + 1, ..seen.clone() }], "{verb:?}");
    }
    assert_eq!(room.fact(&seen).await.importance.get(), 5);
    for status in [FactStatus::Pending, FactStatus::Rejected, FactStatus::Approved, FactStatus::Pending] {
        assert_eq!(room.undo().await.expect("undone").restored.len(), 1);
        assert_eq!(room.fact(&seen).await.status, status);
    }
    let after = room.fact(&seen).await;
    assert_eq!((after.importance, after.decided_by, after.approved_by_operator), (before.importance, None, false));
    assert!(matches!(room.undo().await, Err(Error::Refused(Problem::NotFound { .. }))), "nothing is left");
    let actions: Vec<String> =
        room.fixture.store.audit_after(0, 100).await.expect("read").into_iter().map(|row| row.action).collect();
    assert_eq!(actions.iter().filter(|action| *action == "fact.undone").count(), 4);
}

/// The gate's judgement of a fact with its vector holds at every later step.
#[tokio::test]
async fn what_the_gate_lets_pass_by_its_vector_can_be_approved_and_taken_back() {
    let text = "Angus beef hangs for 21 days before it reaches the grill section.";
    assert_ne!(gate::check(text), [], "the words alone are in doubt");
    let room = Room::within(Fixture::with(Arc::new(Rules), minilm()).await).await;
    let seen = room.pending(text).await;
    assert_eq!(room.act(Verb::Approve, &[seen]).await.done.len(), 1);
    let restored = room.undo().await.expect("undone").restored;
    let again = room.act(Verb::Approve, &restored).await.done;
    let edited = room.edit(&again[0], &text.replace("21", "28"), true).await.expect("edited");
    assert_eq!(edited.status, FactStatus::Approved);
    let rival = "The CTO who left in March for a rival bank still owns the domain registration.";
    assert_eq!(gate::check(rival), [], "the words alone miss it");
    let seen = Seen { id: edited.id.clone(), version: edited.version };
    assert!(matches!(room.edit(&seen, rival, false).await, Err(Error::Refused(Problem::Refused { .. }))));
    let found = room.fixture.keepsake.facts.gate_findings(room.by().reviewer, rival).await.expect("checked");
    assert!(!found.is_empty(), "and while it is typed");
}

#[tokio::test]
async fn a_candidate_becomes_part_of_the_fact_that_says_the_same() {
    let room = Room::new().await;
    let kept = room.said(Some("usr_a"), "Preview environments are removed after seven days.").await;
    let first = room.said(Some("usr_a"), "Nightly exports land in the archive bucket before sunrise.").await;
    let second = room.said(Some("usr_b"), "Dashboards are rebuilt on the first Sunday of a month.").await;
    let by = room.by();
    let merge = async |from: &Seen, into: &Seen| room.fixture.keepsake.facts.merge(by, from, into).await;
    let stale = merge(&Seen { version: 9, ..first.clone() }, &kept).await;
    assert!(matches!(stale, Err(Error::Refused(Problem::Stale { .. }))), "{stale:?}");
    let mut heard = room.fixture.keepsake.notify.live.subscribe();
    let fact = merge(&first, &kept).await.expect("merged");
    assert_eq!((fact.contributors, fact.status), (1, FactStatus::Pending), "the same person counts once");
    let changed = room.fixture.store.refresh().await.expect("looked");
    room.fixture.keepsake.notify.tell(&changed).await.expect("told");
    let told = std::iter::from_fn(|| heard.try_recv().ok()).find_map(|event| match event {
        LiveEvent::Fact { id, into, .. } if id == first.id => into,
        _ => None,
    });
    assert_eq!(told, Some(kept.id.clone()), "open pages hear where it went");
    // Of many at the same time, one succeeds; the contributors of both facts then promote it.
    let into = Seen { id: kept.id.clone(), version: fact.version };
    let both = futures::future::join_all((0..16).map(|_| merge(&second, &into))).await;
    assert_eq!(both.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    let promoted = room.fact(&kept).await;
    assert_eq!((promoted.contributors, promoted.status), (2, FactStatus::Approved));
    let rejected = room.pending("Staging restarts at two in the morning.").await;
    room.act(Verb::Reject, std::slice::from_ref(&rejected)).await;
    let late = room.pending("The importer reads files in chunks of one megabyte.").await;
    let refused = merge(&late, &Seen { version: 2, ..rejected }).await;
    assert!(matches!(refused, Err(Error::Refused(Problem::AlreadyDecided { .. }))), "{refused:?}");
    let rows = room.fixture.store.audit_after(0, 100).await.expect("read");
    assert_eq!(rows.iter().filter(|row| row.action == "fact.merged").count(), 2);
}

/// Everything that is stored about two facts and their contributors, except versions and times of changes.
async fn stands(room: &Room) -> Vec<String> {
    let mut all = rows(
        &room.fixture,
        "SELECT id || '|' || kind || '|' || content || '|' || status || '|' || origin || '|' || importance || '|' || contributors || '|' || \
         had_contributor || '|' || corroborated || '|' || created_at || '|' || confirmed_at || '|' || COALESCE(decided_by, '') || '|' || \
         approved_by_operator || '|' || hex(vector) || '|' || hex(words) FROM facts ORDER BY id",
    )
    .await;
    for sql in [
        "SELECT fact_id || '|' || hex(token) || '|' || surface || '|' || day || '|' || COALESCE(near, '') || '|' || COALESCE(source, '') \
         || '|' || echo FROM contributions ORDER BY 1",
        "SELECT id || '|' || fact_id || '|' || COALESCE(hex(token), '') || '|' || content || '|' || added || '|' || COALESCE(came_from, '') \
         FROM fact_merges ORDER BY 1",
    ] {
        all.extend(rows(&room.fixture, sql).await);
    }
    all
}

#[tokio::test]
async fn a_merge_is_taken_back_with_everybody_who_stood_behind_it() {
    let room = Room::new().await;
    room.promotes_at("3").await;
    let kept = room.said(Some("usr_a"), "Preview environments are removed after seven days.").await;
    room.repeats("usr_c", "Preview environments are removed after seven days.").await;
    let first = room.said(Some("usr_a"), "Nightly exports land in the archive bucket before sunrise.").await;
    room.repeats("usr_b", "Nightly exports land in the archive bucket before sunrise.").await;
    let (seen, into) = (room.now(&first).await, room.now(&kept).await);
    let before = stands(&room).await;
    let keepsake = &room.fixture.keepsake;
    let merged = keepsake.facts.merge(room.by(), &seen, &into).await.expect("merged");
    assert_eq!((merged.contributors, merged.status), (3, FactStatus::Approved), "the merge promotes it");
    let offered = room.undoable().await.expect("the merge");
    assert_eq!((offered.verb.as_str(), offered.count), ("merge", 1));
    assert!(offered.text.is_some_and(|text| text.contains("seven days")));
    // Of many at the same time, one undoes it.
    let tries = futures::future::join_all((0..16).map(|_| keepsake.facts.undo(room.by(), offered.seq))).await;
    let done: Vec<_> = tries.into_iter().filter_map(Result::ok).collect();
    assert_eq!(done.len(), 1);
    assert_eq!(done[0].restored.iter().map(|seen| seen.id.as_str()).collect::<Vec<_>>(), [kept.id.as_str(), first.id.as_str()]);
    assert_eq!(stands(&room).await, before);
    assert_eq!(rows(&room.fixture, "SELECT CAST(COUNT(*) AS TEXT) FROM merged_facts").await, ["0"]);
    for (id, actions) in
        [(&kept.id, ["fact.undone", "fact.promoted", "fact.took_in"]), (&first.id, ["fact.undone", "fact.merged", ""])]
    {
        let told = format!("SELECT action FROM audit WHERE target = '{id}' ORDER BY seq DESC LIMIT 3");
        let history = rows(&room.fixture, &told).await;
        assert!(history.iter().zip(actions).all(|(told, action)| told == action), "{id}: {history:?}");
    }
    // It can be merged again, with the same result.
    let (seen, into) = (room.now(&first).await, room.now(&kept).await);
    assert_eq!(keepsake.facts.merge(room.by(), &seen, &into).await.expect("merged").contributors, 3);
}

#[tokio::test]
async fn whoever_is_erased_or_speaks_up_after_a_merge_stays_so_when_it_is_taken_back() {
    let room = Room::new().await;
    let keepsake = &room.fixture.keepsake;
    let kept_text = "Preview environments are removed after seven days.";
    let kept = room.said(Some("usr_a"), kept_text).await;
    let moved = room.said(Some("usr_b"), "Nightly exports land in the archive bucket before sunrise.").await;
    room.promotes_at("20").await;
    let merge = async |from: &Seen, into: &Seen| {
        let (from, into) = (room.now(from).await, room.now(into).await);
        keepsake.facts.merge(room.by(), &from, &into).await.expect("merged")
    };
    merge(&moved, &kept).await;
    // A statement of usr_b after the merge is not undone with it.
    room.repeats("usr_b", kept_text).await;
    room.undo().await.expect("undone");
    assert_eq!((room.fact(&kept).await.contributors, room.fact(&moved).await.contributors), (2, 1));
    // With its last contributor, the merged fact is deleted, and undo of the merge is no longer offered.
    let other = room.said(Some("usr_c"), "Dashboards are rebuilt on the first Sunday of a month.").await;
    merge(&other, &kept).await;
    assert_eq!(room.undoable().await.expect("the merge").verb, "merge");
    keepsake.erasure.forget_all(&cli(), &user("usr_c")).await.expect("erased");
    assert_eq!(room.undoable().await.map(|offered| offered.verb), None);
    assert_eq!(rows(&room.fixture, "SELECT CAST(COUNT(*) AS TEXT) FROM merged_facts").await, ["0"]);
    assert!(!is_on_disk(&room.fixture, "first Sunday of a month"), "no byte of it is left");
}

#[tokio::test]
async fn a_decision_about_a_fact_that_is_gone_is_not_offered() {
    let room = Room::new().await;
    let kept = room.pending("Deploys of the gateway are announced in the release channel.").await;
    let gone = room.pending("Search indexes are rebuilt by the nightly importer.").await;
    for fact in [&kept, &gone] {
        room.act(Verb::Approve, std::slice::from_ref(fact)).await;
    }
    let now = Seen { version: 2, ..gone };
    room.act(Verb::Delete, std::slice::from_ref(&now)).await;
    let offered = room.undoable().await.expect("the first");
    assert_eq!((offered.verb.as_str(), offered.count), ("approve", 1));
    assert!(offered.text.is_some_and(|text| text.contains("gateway")));
}

#[tokio::test]
async fn what_changed_since_is_not_taken_back() {
    let room = Room::new().await;
    let first = room.pending("Feature flags are read once at boot.").await;
    let second = room.pending("Backups older than 35 days move to cold storage.").await;
    room.act(Verb::Approve, &[first.clone(), second.clone()]).await;
    let elsewhere = Sitting { session: "s2", ..room.by() };
    let now = Seen { version: 2, ..first.clone() };
    room.fixture.keepsake.facts.act(elsewhere, Verb::Reject, &[now], false).await.expect("acted");
    let undone = room.undo().await.expect("undone");
    assert_eq!((undone.restored.len(), undone.changed_since), (1, vec![first.id.clone()]));
    assert_eq!(room.fact(&first).await.status, FactStatus::Rejected);
    assert_eq!(room.fact(&second).await.status, FactStatus::Pending);
}

#[tokio::test]
async fn a_bulk_leaves_contradictions_and_tells_what_it_lost() {
    let room = Room::new().await;
    let low = room.pending("Preview environments use ports 7300 to 7399.").await;
    let high = room.pending("Preview environments use ports 7400 to 7499.").await;
    assert!(room.fact(&low).await.contradicted && room.fact(&high).await.contradicted, "they exclude each other");
    let plain = room.pending("Load tests run against the shadow cluster.").await;
    let decided = room.pending("API error codes are catalogued in the platform handbook.").await;
    room.act(Verb::Reject, std::slice::from_ref(&decided)).await;
    let gone = Seen { id: "gf_gone".to_owned(), version: 1 };
    let acted = room.act(Verb::Approve, &[low.clone(), plain.clone(), decided.clone(), gone]).await;
    assert_eq!(acted.done, [Seen { version: 2, ..plain.clone() }]);
    assert_eq!(acted.left, [low.id.as_str()]);
    let problems: Vec<u16> = acted.lost.iter().map(|(_, problem)| problem.status()).collect();
    assert_eq!(problems, [409, 404]);
    let one = room.act(Verb::Approve, std::slice::from_ref(&low)).await;
    assert_eq!(one.done.len(), 1, "alone it may be approved");
    room.act(Verb::Reject, std::slice::from_ref(&high)).await;
    assert!(!room.fact(&low).await.contradicted, "rejecting one side closes it");
    room.undo().await.expect("undone");
    assert!(room.fact(&low).await.contradicted, "taking that back opens it");
}

#[tokio::test]
async fn an_edit_goes_through_the_gate_and_cannot_double_a_fact() {
    let room = Room::new().await;
    let kept = room.pending("Nightly exports finish before 04:30 UTC.").await;
    let seen = room.pending("Dashboards are rebuilt every Sunday night.").await;
    for (text, code) in
        [("Ask Dana Whitfield, dana@example.org", "refused"), ("Nightly exports finish before 04:30 UTC.", "would_merge")]
    {
        match room.edit(&seen, text, true).await {
            Err(Error::Refused(problem)) => assert_eq!(problem.code(), code, "{text}"),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(room.fact(&seen).await.version, 1, "nothing was half-written");
    let stale = room.edit(&Seen { version: 9, ..seen.clone() }, "Dashboards are rebuilt every Monday night.", false).await;
    assert!(matches!(stale, Err(Error::Refused(Problem::Stale { version: 1 }))));
    let after = room.edit(&seen, "Dashboards are rebuilt every Monday night.", true).await.expect("edited");
    assert_eq!((after.status, after.kind, after.version), (FactStatus::Approved, FactKind::Howto, 3));
    room.undo().await.expect("undone");
    let back = room.fact(&seen).await;
    assert_eq!(
        (back.content.as_str(), back.status, back.kind),
        ("Dashboards are rebuilt every Sunday night.", FactStatus::Pending, FactKind::Fact)
    );
    assert_eq!(room.fact(&kept).await.version, 1);
}

#[tokio::test]
async fn everything_that_matches_is_what_was_chosen_or_nothing() {
    let room = Room::new().await;
    for n in 0..3 {
        room.pending(&format!("The importer reads shard {n} from port {}.", 7000 + n)).await;
    }
    let filter = FactFilter { status: Some(FactStatus::Pending), ..FactFilter::default() };
    let keepsake = &room.fixture.keepsake;
    let (on, token) = keepsake.facts.chosen(&room.viewer, &filter).await.expect("read");
    assert_eq!(on.len(), 3);
    assert_eq!(keepsake.facts.chosen(&room.viewer, &filter).await.expect("read").1, token, "the same set, the same token");
    room.act(Verb::Importance(Importance::new(4).expect("valid")), &on[..1]).await;
    assert_ne!(keepsake.facts.chosen(&room.viewer, &filter).await.expect("read").1, token, "a version changed");
}

#[tokio::test]
async fn deleting_leaves_a_digest_and_no_text() {
    let room = Room::new().await;
    let seen = room.pending("The zanzibar exporter writes parquet files.").await;
    room.act(Verb::Delete, std::slice::from_ref(&seen)).await;
    assert!(room.fixture.store.fact(&seen.id).await.expect("read").is_none());
    let rows = room.fixture.store.audit_after(0, 100).await.expect("read");
    let row = rows.iter().find(|row| row.action == "fact.deleted").expect("recorded");
    assert!(row.detail.as_ref().is_some_and(|detail| detail.starts_with("text=") && !detail.contains("zanzibar")));
    assert!(matches!(room.undo().await, Err(Error::Refused(Problem::NotFound { .. }))));
}

#[tokio::test]
async fn open_pages_hear_decisions_at_once_and_arrivals_in_batches() {
    let room = Room::new().await;
    let keepsake = room.fixture.batched(Duration::from_secs(300)).await;
    let mut heard = keepsake.notify.live.subscribe();
    let look = async || {
        let changed = room.fixture.store.refresh().await.expect("looked");
        keepsake.notify.tell(&changed).await.expect("told");
    };
    look().await;
    let seen = room.said(Some("anna"), "Grafana dashboards live in the observability folder.").await;
    keepsake.proposals.arrive().await.expect("the first batch began");
    look().await;
    assert!(heard.try_recv().is_err(), "an arrival waits");
    room.act(Verb::Approve, std::slice::from_ref(&seen)).await;
    look().await;
    let Ok(LiveEvent::Fact { id, version, status, by, .. }) = heard.try_recv() else { panic!("a decision is told at once") };
    assert_eq!((id, version, status, by.as_deref()), (seen.id.clone(), 2, Some(FactStatus::Approved), Some("Priya Raman")));
    assert!(matches!(heard.try_recv(), Ok(LiveEvent::Queue { pending: 0 })));
    room.fixture.clock.advance_ms(300_000);
    keepsake.proposals.arrive().await.expect("the batch is over");
    look().await;
    let released = std::iter::from_fn(|| heard.try_recv().ok()).collect::<Vec<_>>();
    assert!(released.iter().any(|event| matches!(event, LiveEvent::Fact { .. })), "the batch is released");
    let told = format!("{released:?}");
    assert!(!told.contains("anna") && !told.contains("Grafana"), "{told}");
}

#[tokio::test]
async fn webhooks_are_told_of_every_state_that_a_fact_gets_also_by_an_undo() {
    let room = Room::new().await;
    let all = Event::ALL.map(|event| event.as_str().to_owned());
    let added = room.fixture.keepsake.notify.add_webhook(&Actor::CommandLine, "https://a.example", &all).await.expect("added");
    let mut before = 0;
    let mut told = async || {
        room.fixture.clock.advance_ms(1);
        let mut all = room.fixture.store.deliveries(&added.id, 100).await.expect("read");
        all.sort_by_key(|delivery| delivery.occurred_at);
        let new: Vec<String> = all.drain(before..).map(|delivery| delivery.event).collect();
        before += new.len();
        new
    };
    let seen = room.pending("Release branches are cut on the first Tuesday of the month.").await;
    assert_eq!(told().await, ["pending.created"]);
    let five = Verb::Importance(Importance::new(5).expect("valid"));
    for (verb, version, event) in [
        (Verb::Approve, 1, Some("fact.approved")),
        (Verb::Reject, 2, Some("fact.rejected")),
        (Verb::Reopen, 3, Some("pending.created")),
        (five, 4, None),
    ] {
        room.act(verb, &[Seen { version, ..seen.clone() }]).await;
        assert_eq!(told().await, Vec::from_iter(event), "{verb:?}");
    }
    for event in [None, Some("fact.rejected"), Some("fact.approved"), Some("pending.created")] {
        room.undo().await.expect("undone");
        assert_eq!(told().await, Vec::from_iter(event));
    }
}

#[tokio::test]
async fn the_channel_is_for_operators_and_ends_with_the_server() {
    let room = Room::new().await;
    let nobody = Request::get("/events").header(header::ACCEPT, "text/event-stream").body(Body::empty()).expect("well formed");
    assert_eq!(room.fixture.send(nobody).await.status(), 401, "a stream cannot show the page to sign in");
    let cookie = room.fixture.sign_in("priya@example.org").await;
    let request = Request::get("/events").header(header::COOKIE, &cookie).body(Body::empty()).expect("well formed");
    let response = room.fixture.send(request).await;
    assert_eq!(response.headers()[header::CONTENT_TYPE], "text/event-stream");
    let mut stream = response.into_body().into_data_stream();
    let hello = stream.next().await.expect("a word").expect("read");
    assert!(String::from_utf8_lossy(&hello).contains("reload"));
    room.fixture.keepsake.notify.live.close();
    assert!(stream.next().await.is_none(), "the stream ends");
}
