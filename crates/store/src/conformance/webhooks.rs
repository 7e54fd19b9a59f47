//! Webhooks: the outbox and its lease.

use std::collections::BTreeMap;

use super::sample::{NOW, write};
use ports::store::Store;
use ports::store::operate::webhooks::{AttemptRecord, Room, Webhook};

const LEASE_MS: i64 = 1_000;
const ROOM: Room = Room { at_once: 10, of_one: 10, under_way: BTreeMap::new() };

fn webhook(id: &str, events: &str) -> Webhook {
    Webhook {
        id: id.to_owned(),
        url: format!("https://example.org/{id}"),
        events: events.to_owned(),
        created_at: NOW,
        failing_since: None,
        disabled_at: None,
        disabled_why: None,
    }
}

async fn two(store: &dyn Store) {
    let (a, b) = (webhook("wh_a", "fact.approved fact.rejected"), webhook("wh_b", "fact.approved"));
    let (first, second) = (&a, &b);
    write!(store, |tx| tx.insert_webhook(first).await);
    write!(store, |tx| tx.insert_webhook(second).await);
    assert_eq!(store.webhooks().await.expect("read"), [a, b]);
}

fn attempt(number: i64, state: &'static str, next_ms: i64) -> AttemptRecord {
    let (status_code, error) = if state == "delivered" { (Some(204), None) } else { (None, Some("timeout".to_owned())) };
    AttemptRecord { attempt: number, at: NOW, status_code, duration_ms: 12, error, state, next_at: NOW.plus_ms(next_ms) }
}

pub async fn an_event_is_for_those_who_want_it(store: &dyn Store) {
    two(store).await;
    let queued = write!(store, |tx| tx.queue_event("fact.approved", "gf_1", None, NOW).await);
    assert_eq!(queued, 2);
    assert_eq!(write!(store, |tx| tx.queue_event("fact.rejected", "gf_1", Some("x"), NOW).await), 1);
    assert_eq!(write!(store, |tx| tx.queue_event("fact", "gf_1", None, NOW).await), 0);
    write!(store, |tx| tx.disable_webhook("wh_b", NOW, "gone").await);
    assert_eq!(write!(store, |tx| tx.queue_event("fact.approved", "gf_2", None, NOW).await), 1);
    let known = write!(store, |tx| tx.known_webhook("wh_b").await).expect("there");
    assert_eq!((known.disabled_at, known.disabled_why.as_deref()), (Some(NOW), Some("gone")));
    assert!(write!(store, |tx| tx.enable_webhook("wh_b", NOW).await));
    assert!(!write!(store, |tx| tx.enable_webhook("wh_c", NOW).await));
    let known = write!(store, |tx| tx.known_webhook("wh_b").await).expect("there");
    assert_eq!((known.disabled_at, known.disabled_why), (None, None));
    write!(store, |tx| tx.set_failing("wh_b", Some(NOW)).await);
    assert_eq!(write!(store, |tx| tx.known_webhook("wh_b").await).expect("there").failing_since, Some(NOW));
}

pub async fn a_message_is_taken_by_one_process_until_its_lease_ends(store: &dyn Store) {
    two(store).await;
    assert!(!store.is_delivery_due(NOW).await.expect("read"));
    write!(store, |tx| tx.queue_event("fact.approved", "gf_1", Some("x"), NOW).await);
    assert!(store.is_delivery_due(NOW).await.expect("read") && !store.is_delivery_due(NOW.plus_ms(-1)).await.expect("read"));
    let until = NOW.plus_ms(LEASE_MS);
    let taken = write!(store, |tx| tx.take_due(NOW, until, &ROOM).await);
    assert_eq!(taken.len(), 2);
    assert_ne!(taken[0].id, taken[1].id);
    let one = taken.iter().find(|due| due.webhook_id == "wh_a").expect("taken").clone();
    assert_eq!(
        (one.url.as_str(), one.event.as_str(), one.subject.as_str()),
        ("https://example.org/wh_a", "fact.approved", "gf_1")
    );
    assert_eq!((one.status.as_deref(), one.occurred_at, one.attempt), (Some("x"), NOW, 1));
    assert!(write!(store, |tx| tx.take_due(NOW, until, &ROOM).await).is_empty());
    let again = write!(store, |tx| tx.take_due(until, until.plus_ms(LEASE_MS), &ROOM).await);
    assert!(again.len() == 2 && again.iter().all(|due| due.attempt == 2));
    // The first process reports too late.
    let (id, late, now) = (one.id.as_str(), attempt(1, "given_up", 0), attempt(2, "delivered", 0));
    let (late, now) = (&late, &now);
    assert!(!write!(store, |tx| tx.note_attempt(id, late).await));
    assert!(write!(store, |tx| tx.note_attempt(id, now).await));
    let listed = store.deliveries("wh_a", 10).await.expect("read");
    assert_eq!((listed.len(), listed[0].state.as_str(), listed[0].attempts), (1, "delivered", 2));
    assert_eq!((listed[0].status_code, listed[0].duration_ms, listed[0].last_at), (Some(204), Some(12), Some(NOW)));
}

pub async fn a_message_waits_and_can_be_sent_again(store: &dyn Store) {
    two(store).await;
    let id = write!(store, |tx| tx.queue_for("wh_b", "webhook.test", "wh_b", NOW).await);
    let id = id.as_str();
    write!(store, |tx| tx.take_due(NOW, NOW.plus_ms(LEASE_MS), &ROOM).await);
    let (waits, done) = (attempt(1, "waiting", 5_000), attempt(2, "delivered", 0));
    let (waits, done) = (&waits, &done);
    assert!(write!(store, |tx| tx.note_attempt(id, waits).await));
    let listed = store.deliveries("wh_b", 10).await.expect("read");
    assert_eq!((listed[0].error.as_deref(), listed[0].next_at), (Some("timeout"), NOW.plus_ms(5_000)));
    assert!(!store.is_delivery_due(NOW.plus_ms(4_999)).await.expect("read"));
    write!(store, |tx| tx.take_due(NOW.plus_ms(5_000), NOW.plus_ms(9_000), &ROOM).await);
    assert!(write!(store, |tx| tx.note_attempt(id, done).await));
    assert!(!store.is_delivery_due(NOW.plus_ms(99_000)).await.expect("read"));
    assert!(!write!(store, |tx| tx.resend("wh_a", id, NOW).await), "it belongs to another address");
    assert!(write!(store, |tx| tx.resend("wh_b", id, NOW).await));
    assert!(store.is_delivery_due(NOW).await.expect("read"));
}

pub async fn addresses_take_turns(store: &dyn Store) {
    two(store).await;
    for n in 0..5 {
        let subject = &format!("gf_{n}");
        write!(store, |tx| tx.queue_for("wh_a", "webhook.test", subject, NOW).await);
    }
    write!(store, |tx| tx.queue_for("wh_b", "webhook.test", "gf_9", NOW.plus_ms(1)).await);
    let until = NOW.plus_ms(LEASE_MS);
    let take = async |at_once: u32, of_one: u32, under_way: &[(&str, u32)]| {
        let under_way = under_way.iter().map(|(id, count)| ((*id).to_owned(), *count)).collect();
        let room = &Room { at_once, of_one, under_way };
        let mut tx = store.begin().await.expect("begun");
        let mut taken: Vec<String> =
            tx.take_due(NOW.plus_ms(1), until, room).await.expect("taken").into_iter().map(|due| due.webhook_id).collect();
        taken.sort();
        taken
    };
    assert_eq!(take(10, 2, &[]).await, ["wh_a", "wh_a", "wh_b"]);
    assert_eq!(take(2, 2, &[]).await, ["wh_a", "wh_b"], "the later one before a second one");
    assert_eq!(take(10, 2, &[("wh_a", 1)]).await, ["wh_a", "wh_b"]);
    assert_eq!(take(10, 2, &[("wh_a", 2), ("wh_c", 2)]).await, ["wh_b"]);
    assert_eq!(take(0, 2, &[]).await, [""; 0]);
}

pub async fn messages_go_with_their_address_and_with_time(store: &dyn Store) {
    two(store).await;
    write!(store, |tx| tx.queue_event("fact.approved", "gf_1", None, NOW.plus_ms(-99_000)).await);
    assert!(write!(store, |tx| tx.delete_webhook("wh_a").await));
    assert!(!write!(store, |tx| tx.delete_webhook("wh_a").await));
    assert!(store.deliveries("wh_a", 10).await.expect("read").is_empty());
    assert_eq!(write!(store, |tx| tx.purge_deliveries(NOW.plus_ms(1)).await), 0, "it waits, however old it is");
    let id = write!(store, |tx| tx.take_due(NOW, NOW.plus_ms(LEASE_MS), &ROOM).await).remove(0).id;
    let (id, done) = (id.as_str(), &attempt(1, "delivered", 0));
    assert!(write!(store, |tx| tx.note_attempt(id, done).await));
    assert_eq!(write!(store, |tx| tx.purge_deliveries(NOW).await), 0, "it was delivered at this moment");
    assert_eq!(write!(store, |tx| tx.purge_deliveries(NOW.plus_ms(1)).await), 1);
    assert!(store.deliveries("wh_b", 10).await.expect("read").is_empty());
}
