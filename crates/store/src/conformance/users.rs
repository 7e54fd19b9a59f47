//! One user's record: finding, counting, contributions, and who opened it.

use super::Database;
use super::sample::{NOW, exchange, fact, insert, memory, page, user, web, write};
use domain::facts::fact::FactStatus;
use domain::facts::provenance::Surface;
use domain::memory::MemoryKind;
use domain::moment::{DAY_MS, HOUR_MS};
use ports::store::Store;
use ports::store::chat::notes::NewNote;
use ports::store::facts::Slice;
use ports::store::memories::{NewMemory, Page};
use ports::store::operate::audit::AuditRow;
use ports::store::people::{Glance, ToldCounts};

fn opened(seq: i64, operator: &str, digest: &str) -> AuditRow {
    AuditRow {
        seq,
        at: NOW,
        actor_kind: "operator".to_owned(),
        actor_id: operator.to_owned(),
        action: "user.opened".to_owned(),
        target: None,
        user_digest: Some(digest.to_owned()),
        detail: None,
        reason_digest: Some("r".to_owned()),
        prev_hash: "0".to_owned(),
        hash: format!("h{seq}"),
    }
}

pub async fn users_are_found_by_the_start_of_their_id_as_it_is_written(store: &dyn Database) {
    for id in ["usr_1", "usr_12", "usr%12", "USR_13", "usr", "v"] {
        insert(store, &user(id), &[memory(&format!("mem_{id}"), 1)]).await;
    }
    let some = async |prefix: &str, skip, limit| {
        let lines = store.users_by_prefix(prefix, Slice { skip, limit }).await.expect("read");
        lines.into_iter().map(|line| line.user.as_str().to_owned()).collect::<Vec<_>>()
    };
    let found = async |prefix: &str, limit| some(prefix, 0, limit).await;
    assert_eq!(found("usr_", 9).await, ["usr_1", "usr_12"]);
    assert_eq!(found("usr%", 9).await, ["usr%12"], "nothing in an id is a wildcard");
    assert_eq!(found("usr", 2).await, ["usr", "usr%12"]);
    assert_eq!(some("usr", 2, 9).await, ["usr_1", "usr_12"]);
    assert!(some("usr", 4, 9).await.is_empty());
    assert!(found("usx", 9).await.is_empty());
    for (prefix, count) in [("usr", 4), ("usr_", 2), ("usx", 0)] {
        assert_eq!(store.count_users_by_prefix(prefix).await.expect("read"), count, "{prefix}");
    }
    assert_eq!(store.user_line(&user("v")).await.expect("read").expect("there").memories, 1);
    assert!(store.user_line(&user("V")).await.expect("read").is_none(), "ids are compared exactly");
}

pub async fn a_glance_counts_what_was_there_before_a_moment(store: &dyn Store) {
    let (anna, later) = (&user("anna"), NOW.plus_ms(DAY_MS));
    let new = NewMemory { at: later, ..memory("mem_3", 3) };
    insert(store, anna, &[memory("mem_1", 1), memory("mem_2", 2), new]).await;
    insert(store, &user("budi"), &[memory("mem_4", 4)]).await;
    let note = |id: &str, at| NewNote { id: id.to_owned(), content: format!("note {id}"), surface: web(), at, memory: None };
    write!(store, |tx| {
        tx.insert_fact(&fact("gf_1", 1)).await?;
        tx.add_contribution("gf_1", anna, &web(), NOW).await?;
        tx.insert_note(anna, &note("note_1", NOW.plus_ms(7))).await?;
        tx.insert_note(anna, &note("note_2", later)).await
    });
    let glance = store.glance(anna, later).await.expect("read").expect("there");
    let told = ToldCounts { notes: 1, ..ToldCounts::default() };
    let expected =
        Glance { kinds: vec![(MemoryKind::Fact, 2)], told, blocks: 0, first_seen_at: NOW, newest_at: Some(NOW.plus_ms(7)) };
    assert_eq!(glance, expected);
    let all = store.glance(anna, later.plus_ms(1)).await.expect("read").expect("there");
    assert_eq!((all.kinds, all.told.notes, all.newest_at), (vec![(MemoryKind::Fact, 3)], 2, Some(later)));
    assert_eq!(store.glance(anna, NOW).await.expect("read"), None, "not known before");
    assert_eq!(store.glance(&user("carla"), later).await.expect("read"), None);
}

pub async fn holdings_count_what_is_held_about_one_user(store: &dyn Store) {
    let (anna, budi) = (user("anna"), user("budi"));
    insert(store, &anna, &[memory("mem_1", 1), memory("mem_2", 2)]).await;
    insert(store, &budi, &[memory("mem_3", 3)]).await;
    let telegram = Surface::new("telegram").expect("valid");
    let (anna, budi, telegram) = (&anna, &budi, &telegram);
    write!(store, |tx| {
        tx.insert_fact(&fact("gf_1", 1)).await?;
        tx.insert_fact(&fact("gf_2", 2)).await?;
        tx.add_contribution("gf_1", anna, telegram, NOW).await?;
        tx.add_contribution("gf_2", anna, &web(), NOW).await?;
        tx.add_contribution("gf_2", budi, &web(), NOW).await?;
        tx.enqueue(&exchange("ex_1", Some("anna"))).await?;
        tx.count_memory_recalls(anna, &["mem_1".to_owned()], NOW.plus_ms(DAY_MS)).await
    });
    let held = store.holdings(anna).await.expect("read").expect("there");
    assert_eq!(
        (held.line.memories, held.contributions, held.sole_contributions, held.messages, held.queued, held.parked),
        (2, 2, 1, 1, 1, 0)
    );
    assert_eq!((held.line.first_seen_at, held.newest_memory_at), (NOW, Some(NOW)));
    assert_eq!(held.last_active_at, Some(NOW.plus_ms(DAY_MS)), "a recall is activity");
    assert_eq!(held.kinds, [(MemoryKind::Fact, 2)]);
    assert_eq!(held.surfaces, ["telegram", "web"]);
    assert!(store.holdings(&user("carla")).await.expect("read").is_none());

    let first = store.contributions_of(anna, &page(1)).await.expect("read");
    assert_eq!((first[0].fact_id.as_str(), first[0].status, first[0].contributors), ("gf_1", FactStatus::Pending, 1));
    let rest = Page { after: Some("gf_1".to_owned()), limit: 9 };
    let rest = store.contributions_of(anna, &rest).await.expect("read");
    assert_eq!((rest.len(), rest[0].fact_id.as_str(), rest[0].contributors), (1, "gf_2", 2));
    assert!(store.contributions_of(&user("carla"), &page(9)).await.expect("read").is_empty());
}

pub async fn an_opening_is_one_operators_one_users_and_ends(store: &dyn Store) {
    write!(store, |tx| {
        tx.append_audit(&opened(1, "op_1", "d1")).await?;
        tx.keep_reason(1, "SUP-4471").await
    });
    let before = NOW.plus_ms(-HOUR_MS);
    let kept = store.opening("op_1", "user.opened", "d1", before).await.expect("read").expect("there");
    assert_eq!((kept.at, kept.reason.as_deref()), (NOW, Some("SUP-4471")));
    assert_eq!(write!(store, |tx| tx.known_opening("op_1", "user.opened", "d1", before).await), Some(kept));
    for (operator, action, digest, since) in [
        ("op_2", "user.opened", "d1", before),
        ("op_1", "user.text_shown", "d1", before),
        ("op_1", "user.opened", "d2", before),
        ("op_1", "user.opened", "d1", NOW),
    ] {
        assert!(store.opening(operator, action, digest, since).await.expect("read").is_none(), "{operator} {action} {digest}");
    }
}
