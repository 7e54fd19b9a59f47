//! Effects of decisions and reasons for them: approved facts that are not recalled, reasons for rejections, edits that come close
//! to another fact or are refused. Through the whole router, with and without script.

use access::callers::Scope;
use console::notice::Notice;
use console::review::shapes::Queue;
use domain::facts::fact::FactStatus;
use domain::facts::rejection::{Reason, Rejection};
use ports::store::facts::history::HistoryReads;
use ports::store::facts::{Fact, FactReads};
use ports::store::{StoreError, atomically};
use serde_json::{Value, json};

use crate::fixture::Fixture;
use crate::fixture::visit::{Answer, Visit};

const LOW: &str = "Preview environments use ports 7300 to 7399.";
const HIGH: &str = "Preview environments use ports 7400 to 7499.";
/// Topics of facts that contradict nothing.
const TOPICS: [&str; 26] = [
    "billing", "search", "mail", "image", "audio", "video", "login", "report", "queue", "cache", "proxy", "backup", "metric",
    "alert", "layout", "parser", "router", "ledger", "invoice", "catalog", "session", "cluster", "gateway", "mirror", "planner",
    "crawler",
];
const NOTE: &str = "The range moved in qzxjkvwyqq.";

/// A pending fact that one person said.
async fn proposed(fixture: &Fixture, content: &str) -> String {
    let key = fixture.key(&[Scope::Write], None).await;
    let body = json!({ "kind": "fact", "content": content, "surface": "web" });
    let (status, answer) = fixture.call("POST", "/v1/facts", &key, Some(body)).await;
    assert_eq!((status, answer["outcome"].as_str()), (200, Some("pending")), "{answer}");
    answer["id"].as_str().expect("an id").to_owned()
}

async fn fact(fixture: &Fixture, id: &str) -> Fact {
    fixture.store.fact(id).await.expect("read").expect("there")
}

fn form(fields: &[(&str, &str)]) -> String {
    serde_urlencoded::to_string(fields).expect("encoded")
}

fn notice(answer: &Answer) -> Notice {
    assert_eq!(answer.status, 200, "{}", answer.body);
    serde_json::from_str(&answer.body).expect("a notice")
}

fn problem(answer: &Answer) -> Value {
    serde_json::from_str(&answer.body).expect("a problem")
}

/// Decides on a fact as it is now.
async fn decide(visit: &Visit<'_>, id: &str, more: &[(&str, &str)]) -> Answer {
    let seen = format!("{id}:{}", fact(visit.fixture, id).await.version);
    visit.call("/calls/decide", &form(&[&[("ids[]", seen.as_str())], more].concat())).await
}

async fn reject(visit: &Visit<'_>, id: &str, reason: &str, note: &str) -> Answer {
    decide(visit, id, &[("action", "reject"), ("reason", reason), ("note", note)]).await
}

/// How often a word of the note is in the database file.
async fn held(fixture: &Fixture) -> usize {
    assert!(fixture.store.truncate_log().await.expect("done"));
    let file = std::fs::read(fixture.folder.path().join("keepsake.db")).expect("a file");
    file.windows(10).filter(|bytes| *bytes == b"qzxjkvwyqq").count()
}

/// The newest decision of the session.
async fn newest(visit: &Visit<'_>) -> i64 {
    let queue: Value = serde_json::from_str(&visit.ask("/calls/review/queue").await.body).expect("JSON");
    queue["undoable"]["seq"].as_i64().expect("something can be undone")
}

#[tokio::test]
async fn a_merge_is_asked_about_however_many_facts_are_nearer_and_again_after_it_was_undone() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    let far = proposed(&fixture, "The wash of the tide is logged at noon.").await;
    let mut near = Vec::new();
    for hours in 4..12 {
        near.push(proposed(&fixture, &format!("Siskin caches are emptied every {hours} hours by the sweeper.")).await);
    }
    let (kept, candidate) = (&near[0], &near[1]);
    let asks = async |other: &str| {
        let page = visit.page(&format!("/review/{candidate}?merge={other}")).await;
        assert_eq!(page.status, 200);
        page.body.contains("data-testid=\"dialog-confirm\"")
    };
    for other in near.iter().filter(|other| *other != candidate).chain([&far]) {
        assert!(asks(other).await, "{other}");
    }
    assert!(!asks(candidate).await && !asks("gf_none").await, "there is nothing to merge it into");
    let seen = async |id: &str| format!("{id}:{}", fact(&fixture, id).await.version);
    let (from, into) = (seen(candidate).await, seen(kept).await);
    let merged = visit.call("/calls/merge", &form(&[("from", &from), ("into", &into), ("back_to", "/review")])).await;
    assert_eq!(merged.status, 200, "{}", merged.body);
    let undone = visit.call("/calls/undo", &form(&[("seq", &newest(&visit).await.to_string())])).await;
    assert_eq!(undone.status, 200, "{}", undone.body);
    assert!(asks(kept).await, "it is pending again");
}

#[tokio::test]
async fn what_is_approved_and_not_recalled_names_the_conflict_and_the_way_out() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    let (low, high) = (proposed(&fixture, LOW).await, proposed(&fixture, HIGH).await);
    notice(&decide(&visit, &low, &[("action", "approve")]).await);
    let opened: Value = serde_json::from_str(&visit.ask(&format!("/calls/review/candidate?id={high}")).await.body).expect("JSON");
    let outlook = opened["outlook"].as_str().expect("it says what approving leads to");
    assert!(
        outlook.starts_with("Approving it is not enough: its confidence would be 0.25, below the recall floor of 0.40."),
        "{outlook}"
    );
    assert!(outlook.ends_with("Resolve the contradiction first."), "{outlook}");
    let page = visit.page(&format!("/review/{high}")).await.body;
    assert!(page.contains(outlook) && page.contains(&format!("/manage/facts/{high}/duel/{low}")), "the page says so too");

    let Notice::Acted(acted) = notice(&decide(&visit, &high, &[("action", "approve")]).await) else { panic!("not acted") };
    assert_eq!((acted.text.as_deref(), acted.unrecalled.len()), (Some(HIGH), 1));
    assert_eq!((acted.unrecalled[0].disputed_by.as_ref(), acted.unrecalled[0].text.as_deref()), (Some(&low), Some(LOW)));
    notice(&decide(&visit, &high, &[("action", "reopen")]).await);

    let seen = format!("{high}:{}", fact(&fixture, &high).await.version);
    let posted = visit.submit("/review", "/calls/decide", &form(&[("ids[]", &seen), ("action", "approve")])).await;
    assert_eq!(posted.status, 303);
    let page = visit.page("/review").await.body;
    for words in ["not recalled: it conflicts with", LOW, HIGH, "Resolve"] {
        assert!(page.contains(words), "{words}");
    }
    assert!(!visit.page("/review").await.body.contains("not recalled"), "it is told once");
}

#[tokio::test]
async fn a_bulk_counts_what_contradicts_before_it_is_confirmed_and_tells_each_row_after_it() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    for topic in TOPICS {
        proposed(&fixture, &format!("The {topic} service keeps its own archive.")).await;
    }
    let (low, high) = (proposed(&fixture, LOW).await, proposed(&fixture, HIGH).await);
    let queue: Queue = serde_json::from_str(&visit.ask("/calls/review/queue?query=per%3D100").await.body).expect("JSON");
    let ids: Vec<String> = queue.candidates.iter().map(|row| format!("{}:{}", row.id, row.version)).collect();
    assert!(ids.len() > 25, "{}", ids.len());
    let mut fields: Vec<(&str, &str)> = ids.iter().map(|id| ("ids[]", id.as_str())).collect();
    fields.extend([("action", "approve"), ("bulk", "1")]);
    let asked = visit.call("/calls/decide", &form(&fields)).await;
    let (count, flagged) = (problem(&asked)["count"].as_u64(), problem(&asked)["flagged"].as_u64());
    assert_eq!((asked.status, count, flagged), (409, Some(ids.len() as u64), Some(2)));
    assert_eq!(visit.submit("/review", "/calls/decide", &form(&fields)).await.status, 303);
    let page = visit.page("/review").await.body;
    assert!(page.contains("2 contradict another fact and are left for you."), "the question counts them apart");
    fields.push(("confirmed", "1"));
    let Notice::Acted(acted) = notice(&visit.call("/calls/decide", &form(&fields)).await) else { panic!("not acted") };
    assert_eq!((acted.done.len(), acted.left.len()), (ids.len() - 2, 2));
    for (id, text) in [(low, LOW), (high, HIGH)] {
        assert!(acted.told.iter().any(|told| told.id == id && told.text.as_deref() == Some(text)), "{text}");
    }
    assert!(acted.told.iter().all(|told| told.words == "Left for you: it contradicts another fact."));
}

#[tokio::test]
async fn a_rejection_says_why_in_its_history_and_leaves_with_it() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    let id = proposed(&fixture, LOW).await;
    for (reason, note, status, code) in [
        ("silly", "", 422, "invalid"),
        ("other", "", 422, "invalid"),
        ("wrong", &"x".repeat(201), 422, "invalid"),
        ("wrong", "Ask Dana Whitfield, dana@example.org", 422, "refused"),
    ] {
        let answer = reject(&visit, &id, reason, note).await;
        assert_eq!((answer.status, problem(&answer)["code"].as_str()), (status, Some(code)), "{reason} {note}");
    }
    assert_eq!(fact(&fixture, &id).await.status, FactStatus::Pending);
    notice(&reject(&visit, &id, "wrong", NOTE).await);
    let kept = fact(&fixture, &id).await.rejection.expect("kept");
    assert_eq!((kept.reason, kept.note.as_deref()), (Reason::Wrong, Some(NOTE)));
    let rows = fixture.store.audit_of(&id, 9).await.expect("read");
    assert_eq!(rows[0].detail.as_deref(), Some("reason=wrong"), "the log has the code alone");
    let page = visit.page(&format!("/manage/facts/{id}")).await.body;
    assert!(page.contains(&format!("Rejected · Wrong: “{NOTE}”")) && page.contains(&format!("Wrong — “{NOTE}”")));
    let other = proposed(&fixture, "Nightly exports finish before dawn.").await;
    notice(&reject(&visit, &other, "", "").await);
    for (query, mut found) in [
        ("reason=wrong", vec![&id]),
        ("reason=duplicate", vec![]),
        ("reason=wrong&reason=duplicate", vec![&id]),
        ("", vec![&id, &other]),
    ] {
        let list = visit
            .ask(&format!("/calls/facts/list?{}", form(&[("query", &format!("status=rejected&sort=oldest&{query}"))])))
            .await;
        let list: Value = serde_json::from_str(&list.body).expect("JSON");
        let mut ids: Vec<&str> = list["rows"].as_array().expect("rows").iter().filter_map(|row| row["id"].as_str()).collect();
        ids.sort_unstable();
        found.sort_unstable();
        assert_eq!(ids, found, "{query}");
    }
    let stats = visit.page("/stats").await.body;
    assert!(stats.contains("Why facts were rejected") && stats.contains("Names a person"));

    assert!(held(&fixture).await > 0);
    let (first, second) = (newest(&visit).await, "/calls/undo");
    notice(&visit.call(second, &form(&[("seq", &first.to_string())])).await);
    notice(&visit.call(second, &form(&[("seq", &newest(&visit).await.to_string())])).await);
    assert_eq!(fact(&fixture, &id).await.rejection, None);
    assert_eq!(held(&fixture).await, 0, "its words are in no byte of the file");
}

#[tokio::test]
async fn a_reason_is_given_after_the_rejection_and_only_for_the_newest() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    let (one, two) = (proposed(&fixture, LOW).await, proposed(&fixture, "Nightly exports finish before dawn.").await);
    let give = async |seq: i64, reason: &str, note: &str| {
        visit.call("/calls/reason", &form(&[("seq", &seq.to_string()), ("reason", reason), ("note", note)])).await
    };
    assert_eq!(give(1, "wrong", "").await.status, 404);
    notice(&reject(&visit, &one, "", "").await);
    let seq = newest(&visit).await;
    for (reason, note) in [("", ""), ("silly", ""), ("", "Ask Dana Whitfield, dana@example.org")] {
        assert_eq!(give(seq, reason, note).await.status, 422, "{reason} {note}");
    }
    let given = notice(&give(seq, "not_durable", "").await);
    assert_eq!(
        given,
        Notice::Reasoned { reason: Reason::NotDurable, count: 1, one: Some(one.clone()), text: Some(LOW.to_owned()) }
    );
    assert_eq!(fact(&fixture, &one).await.version, 2, "the decision can be undone as before");
    notice(&give(seq, "", NOTE).await);
    assert_eq!(fact(&fixture, &one).await.rejection, Some(Rejection { reason: Reason::Other, note: Some(NOTE.to_owned()) }));
    notice(&decide(&visit, &two, &[("action", "approve")]).await);
    assert_eq!(give(seq, "wrong", "").await.status, 409, "something else is newer");
    assert_eq!(give(newest(&visit).await, "wrong", "").await.status, 409, "an approval has no such reason");

    notice(&decide(&visit, &two, &[("action", "reject")]).await);
    let seq = newest(&visit).await.to_string();
    let page = visit.page("/manage/facts?status=rejected").await.body;
    assert!(page.contains("action=\"/calls/reason\"") && page.contains(&format!("value=\"{seq}\"")), "the form needs no script");
    assert_eq!(
        visit.submit("/manage/facts", "/calls/reason", &form(&[("seq", &seq), ("reason", "duplicate")])).await.status,
        303
    );
    let page = visit.page("/manage/facts").await.body;
    assert!(page.contains("Reason noted, duplicate:") && page.contains("Nightly exports finish before dawn."));
}

/// In either order, a fact that is pending again has no reason for a rejection.
#[tokio::test]
async fn a_reason_and_an_undo_at_once_leave_no_reason_behind() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    let id = proposed(&fixture, LOW).await;
    for _ in 0..8 {
        notice(&reject(&visit, &id, "", "").await);
        let seq = newest(&visit).await.to_string();
        let (why, back) = (form(&[("seq", &seq), ("reason", "wrong")]), form(&[("seq", &seq)]));
        let (given, undone) = tokio::join!(visit.call("/calls/reason", &why), visit.call("/calls/undo", &back));
        assert_eq!(undone.status, 200, "{}", undone.body);
        assert!([200, 404, 409].contains(&given.status), "{}", given.body);
        let after = fact(&fixture, &id).await;
        assert_eq!((after.status, after.rejection), (FactStatus::Pending, None));
    }
}

#[tokio::test]
async fn an_edit_that_comes_close_to_an_approved_fact_asks_first() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    let (approved, id) = (
        proposed(&fixture, "Nightly exports finish before dawn.").await,
        proposed(&fixture, "Backups are kept in another region.").await,
    );
    notice(&decide(&visit, &approved, &[("action", "approve")]).await);
    let near = "Nightly migrations finish before dawn.";
    let edit = |more: &[(&str, &str)]| {
        form(&[&[("id", id.as_str()), ("version", "1"), ("content", near), ("kind", "fact"), ("importance", "3")], more].concat())
    };
    let asked = visit.call("/calls/edit", &edit(&[])).await;
    let told = problem(&asked);
    assert_eq!((asked.status, told["code"].as_str(), told["id"].as_str()), (409, Some("near_approved"), Some(approved.as_str())));
    assert!(!asked.body.contains("Nightly"), "a problem has no text of a fact");
    assert_eq!(fact(&fixture, &id).await.version, 1);
    let edge = format!("/review/{id}?edit=1");
    assert_eq!(visit.submit(&edge, "/calls/edit", &edit(&[])).await.status, 303);
    let page = visit.page(&edge).await.body;
    assert!(
        page.contains(&format!("name=\"beside\" value=\"{approved}\"")) && page.contains(near),
        "the form asks, with what was typed"
    );
    let Notice::Edited { text, .. } = notice(&visit.call("/calls/edit", &edit(&[("beside", &approved)])).await) else {
        panic!("not edited")
    };
    assert_eq!(text.as_deref(), Some(near), "what was saved is told");
    assert_eq!(fact(&fixture, &id).await.content, near);
}

#[tokio::test]
async fn a_refused_edit_without_script_keeps_what_was_typed_and_marks_what_must_go() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    let id = proposed(&fixture, "Backups are kept in another region.").await;
    let typed = "Backups: write to dana@example.org first.";
    let edit = form(&[("id", &id), ("version", "1"), ("content", typed), ("kind", "howto"), ("importance", "5")]);
    for place in [format!("/review/{id}?edit=1"), format!("/manage/facts/{id}?edit=1")] {
        assert_eq!(visit.submit(&place, "/calls/edit", &edit).await.status, 303);
        let page = visit.page(&place).await.body;
        assert!(page.contains("<mark>dana@example.org<"), "{place}");
        assert_eq!(page.matches("role=\"alert\"").count(), 1, "one message: {place}");
        assert!(page.contains(">Backups: write to dana@example.org first.</textarea>"), "{place}");
        assert!(page.contains("value=\"howto\" selected"), "{place}");
        assert!(!visit.page(&place).await.body.contains("<mark>"), "it is told once");
    }
    assert_eq!(fact(&fixture, &id).await.version, 1);
}

/// Undo is not offered beside something that cannot be undone, and says where it acts on pages about something else.
#[tokio::test]
async fn undo_is_offered_where_it_means_something() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    let (one, two) = (proposed(&fixture, LOW).await, proposed(&fixture, "Nightly exports finish before dawn.").await);
    notice(&decide(&visit, &one, &[("action", "approve")]).await);
    let offers = async |path: &str| visit.page(path).await.body.matches("action=\"/calls/undo\"").count();
    assert_eq!(offers("/review").await, 1);
    assert_eq!(offers(&format!("/manage/facts/{two}/delete")).await, 0);
    assert_eq!(offers(&format!("/review/{two}?merge={one}")).await, 0);
    let page = visit.page("/manage/settings").await.body;
    assert!(page.contains("Undo in Review: approved") && !page.contains("data-key=\"z\""));
    assert!(visit.page("/manage/facts").await.body.contains("data-key=\"z\""));
}

#[tokio::test]
async fn a_purged_decision_takes_the_reason_that_stood_before_it() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    let id = proposed(&fixture, LOW).await;
    notice(&reject(&visit, &id, "wrong", NOTE).await);
    notice(&decide(&visit, &id, &[("action", "reopen")]).await);
    assert!(held(&fixture).await > 0, "undo would bring it back");
    let later = fixture.keepsake.clock.now().plus_ms(1);
    atomically::<_, StoreError, _>(fixture.store.as_ref(), |tx| Box::pin(async move { tx.purge_decisions(later).await }))
        .await
        .expect("purged");
    assert_eq!(held(&fixture).await, 0);
}
