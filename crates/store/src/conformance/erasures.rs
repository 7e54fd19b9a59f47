//! The ledger, and the rows that an erasure and an export find.

use std::collections::BTreeSet;

use super::Database;
use super::sample::{NOW, erase, erasure, exchange, fact, insert, key, memory, own, page, subject, user, web, write};
use domain::erasure::inventory::{TABLES, table};
use domain::erasure::receipt::{CheckResult, RowCounts};
use domain::erasure::{ErasureScope, FactCounts, Status};
use ports::store::erasure::{CheckLine, Conclusion, Erased, FactIds};
use ports::store::memories::MemoryFilter;
use ports::store::operate::inbox::StoredAnswer;
use ports::store::people::{Cell, Withheld};

fn erased() -> Erased {
    Erased {
        rows: vec![RowCounts { name: "memories".to_owned(), before: 3, removed: 3, left: 0 }],
        facts: FactIds { deleted: vec!["gf_1".to_owned()], kept: vec!["gf_2".to_owned(), "gf_3".to_owned()] },
        at: NOW.plus_ms(3),
        needles: vec![1, 2, 3],
    }
}

fn conclusion(from: Status, to: Status) -> Conclusion {
    let line = CheckLine { name: "rows".to_owned(), result: CheckResult::Passed, detail: "9 tables read".to_owned(), at: NOW };
    Conclusion { from, to, tries: 1, lines: vec![line], at: NOW.plus_ms(5) }
}

pub async fn the_ledger_is_written_first_and_outlives_the_user(store: &dyn Database) {
    let (order, done) = (&erasure("er_1", "anna", ErasureScope::Everything), &erased());
    own!(store, |tx| tx.write_erasure(order).await);
    assert_eq!(store.erasure("er_1").await.expect("read").as_ref(), Some(order));
    assert!(store.erasure("er_2").await.expect("read").is_none());
    assert!(own!(store, |tx| tx.mark_erased("er_1", done).await));
    let running = store.erasure("er_1").await.expect("read").expect("there");
    assert_eq!((running.status, running.user, running.erased_at), (Status::Running, None, Some(NOW.plus_ms(3))));
    assert_eq!(store.needles("er_1").await.expect("read"), Some(vec![1, 2, 3]));
    assert!(!own!(store, |tx| tx.mark_erased("er_1", done).await), "once");

    let late = &conclusion(Status::Unverified, Status::Verified);
    assert!(!own!(store, |tx| tx.conclude("er_1", late).await), "somebody else was faster");
    let left = &conclusion(Status::Running, Status::Partial);
    assert!(own!(store, |tx| tx.conclude("er_1", left).await));
    assert!(store.needles("er_1").await.expect("read").is_some(), "what is not proved is looked for again");
    assert_eq!(store.erased_facts("er_1").await.expect("read").as_ref(), Some(&done.facts));
    let clean = &Conclusion { at: NOW.plus_ms(9), ..conclusion(Status::Partial, Status::Verified) };
    assert!(own!(store, |tx| tx.conclude("er_1", clean).await));
    let verified = store.erasure("er_1").await.expect("read").expect("there");
    assert_eq!((verified.status, verified.finished_at), (Status::Verified, Some(NOW.plus_ms(5))));
    assert_eq!(store.needles("er_1").await.expect("read"), None);
    let (rows, facts, lines) = store.erasure_parts("er_1").await.expect("read");
    assert_eq!((rows, facts, lines.len()), (done.rows.clone(), FactCounts { deleted: 1, kept: 2 }, 2));
    assert_eq!(store.erased_facts("er_1").await.expect("read"), None, "a receipt names no fact");

    assert_eq!(own!(store, |tx| tx.purge_erasures(NOW).await), 0);
    assert_eq!(own!(store, |tx| tx.purge_erasures(NOW.plus_ms(6)).await), 1);
    assert!(store.erasure_parts("er_1").await.expect("read").0.is_empty());
}

pub async fn a_taken_back_order_leaves_nothing_and_a_done_one_stays(store: &dyn Database) {
    let (order, done) = (&erasure("er_1", "anna", ErasureScope::Everything), &erased());
    own!(store, |tx| tx.write_erasure(order).await);
    assert!(own!(store, |tx| tx.drop_erasure("er_1").await));
    assert!(store.erasure("er_1").await.expect("read").is_none());
    own!(store, |tx| tx.write_erasure(order).await);
    own!(store, |tx| tx.mark_erased("er_1", done).await);
    assert!(!own!(store, |tx| tx.drop_erasure("er_1").await));
    let clean = &conclusion(Status::Running, Status::Verified);
    own!(store, |tx| tx.conclude("er_1", clean).await);
    assert!(!own!(store, |tx| tx.drop_rehearsal("er_1").await), "somebody asked for it");
    let mut rehearsed = erasure("er_2", "canary", ErasureScope::Everything);
    rehearsed.by.kind = "system".to_owned();
    let rehearsed = &rehearsed;
    own!(store, |tx| tx.write_erasure(rehearsed).await);
    assert!(!own!(store, |tx| tx.drop_rehearsal("er_2").await), "not proved");
    own!(store, |tx| tx.mark_erased("er_2", done).await);
    own!(store, |tx| tx.conclude("er_2", clean).await);
    assert!(own!(store, |tx| tx.drop_rehearsal("er_2").await));
}

pub async fn a_fence_stands_while_an_erasure_is_not_proved(store: &dyn Database) {
    let digest = &subject("anna").digest;
    assert_eq!(store.fence(digest).await.expect("read"), (0, false));
    let (order, done) = (&erasure("er_1", "anna", ErasureScope::Everything), &erased());
    own!(store, |tx| tx.write_erasure(order).await);
    assert_eq!(store.fence(digest).await.expect("read"), (0, true));
    own!(store, |tx| tx.raise_epoch(digest).await);
    own!(store, |tx| tx.mark_erased("er_1", done).await);
    assert_eq!(write!(store, |tx| tx.known_fence(digest).await), (1, true));
    assert_eq!(store.fence(&subject("budi").digest).await.expect("read"), (0, false));
    let unfinished = &conclusion(Status::Running, Status::Unverified);
    own!(store, |tx| tx.conclude("er_1", unfinished).await);
    assert_eq!(store.fence(digest).await.expect("read"), (1, false));
}

pub async fn the_lighter_erasure_leaves_memories_and_the_personal_half_of_what_waits(store: &dyn Database) {
    insert(store, &user("anna"), &[memory("mem_1", 1)]).await;
    write!(store, |tx| {
        tx.insert_fact(&fact("gf_own", 1)).await?;
        tx.insert_fact(&fact("gf_both", 2)).await?;
        tx.add_contribution("gf_own", &user("anna"), &web(), NOW).await?;
        tx.add_contribution("gf_both", &user("anna"), &web(), NOW).await?;
        tx.add_contribution("gf_both", &user("budi"), &web(), NOW).await?;
        tx.enqueue(&exchange("ex_1", Some("anna"))).await?;
        tx.enqueue(&exchange("ex_2", Some("budi"))).await
    });
    let texts = store.touched_with_texts(&user("anna")).await.expect("read");
    let texts: Vec<_> = texts.iter().map(|fact| (fact.id.as_str(), fact.content.as_str(), fact.contributors)).collect();
    assert_eq!(texts, [("gf_both", "Statement gf_both.", 2), ("gf_own", "Statement gf_own.", 1)]);
    let taken = erase(store, "anna", ErasureScope::Contributions).await;
    assert_eq!((taken.found["contributions"], taken.facts.counts().deleted, taken.facts.counts().kept), (2, 1, 1));
    assert_eq!(store.list_memories(&user("anna"), &MemoryFilter::at(NOW), &page(9)).await.expect("read").len(), 1);
    assert_eq!(store.fact("gf_both").await.expect("read").expect("stays").contributors, 1);
    assert!(store.fact("gf_own").await.expect("read").is_none());
    assert_eq!(write!(store, |tx| tx.exchange_terms("ex_1").await), Some((1, false)));
    assert_eq!(write!(store, |tx| tx.exchange_terms("ex_2").await), Some((0, true)));
    assert_eq!(write!(store, |tx| tx.exchange_terms("ex_3").await), None);
}

pub async fn an_export_gives_what_the_inventory_gives(store: &dyn Database) {
    insert(store, &user("anna"), &[memory("mem_1", 1)]).await;
    insert(store, &user("budi"), &[memory("mem_2", 2)]).await;
    write!(store, |tx| {
        tx.insert_fact(&fact("gf_1", 1)).await?;
        tx.add_contribution("gf_1", &user("anna"), &web(), NOW).await?;
        tx.insert_key(&key("key_1", Some("anna"))).await.map(drop)
    });
    let counts = store.count_exported(&subject("anna")).await.expect("counted");
    let count = |name: &str| counts.iter().find(|(table, _)| *table == name).map(|(_, rows)| *rows);
    assert_eq!([count("memories"), count("facts"), count("keys"), count("exchanges")], [Some(1), Some(1), Some(1), Some(0)]);
    assert_eq!(count("settings"), None, "no row is about a user");
    for table in TABLES {
        let page = store.held_page(&subject("anna"), table, None, 9).await.expect("read");
        assert_eq!(page.rows.len() as u64, count(table.name).unwrap_or_default(), "{}", table.name);
        assert_eq!(page.columns, table.exported().collect::<Vec<_>>(), "{}", table.name);
    }
    let memories = store.held_page(&subject("anna"), table("memories").expect("listed"), None, 9).await.expect("read");
    assert_eq!(*memories.cell(&memories.rows[0], "content"), Cell::Text("statement mem_1".to_owned()));
    assert_eq!(*memories.cell(&memories.rows[0], "vector"), Cell::Null, "not given");
    let beside = store.beside();
    let given =
        |own: &Withheld| TABLES.iter().any(|table| table.name == own.table && table.exported().any(|name| name == own.column));
    assert!(beside.iter().all(|own| !own.why.is_empty() && !given(own)));
    assert_eq!(store.user_ids("", 9).await.expect("read"), [user("anna"), user("budi")]);
    assert_eq!(store.user_ids("anna", 9).await.expect("read"), [user("budi")]);
}

pub async fn pages_of_an_export_have_every_row_once(store: &dyn Database) {
    let memories: Vec<_> = (1..=7).map(|n| memory(&format!("mem_{n}"), n)).collect();
    insert(store, &user("anna"), &memories).await;
    insert(store, &user("budi"), &[memory("mem_9", 2)]).await;
    write!(store, |tx| {
        for n in 1..=5 {
            let id = format!("gf_{n}");
            tx.insert_fact(&fact(&id, 1)).await?;
            tx.add_contribution(&id, &user("anna"), &web(), NOW).await?;
        }
        tx.add_contribution("gf_2", &user("budi"), &web(), NOW).await
    });
    for (name, column, rows) in [("memories", "id", 7), ("facts", "id", 5), ("contributions", "fact_id", 5)] {
        let (mut found, mut after, mut pages) = (Vec::new(), None, 0);
        loop {
            let page = store.held_page(&subject("anna"), table(name).expect("listed"), after.as_ref(), 2).await.expect("read");
            found.extend(page.rows.iter().map(|row| format!("{:?}", page.cell(row, column))));
            pages += 1;
            assert!(page.rows.len() <= 2 && pages <= 4, "{name}");
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        let once = found.iter().collect::<BTreeSet<_>>().len();
        assert_eq!((found.len(), once), (rows, rows), "{name}: {found:?}");
    }
}

pub async fn fingerprints_are_taken_of_everything_that_goes(store: &dyn Database) {
    insert(store, &user("anna"), &[memory("mem_1", 1)]).await;
    write!(store, |tx| {
        tx.insert_fact(&fact("gf_1", 1)).await?;
        tx.add_contribution("gf_1", &user("anna"), &web(), NOW).await?;
        tx.enqueue(&exchange("ex_1", Some("anna"))).await
    });
    let subject = &subject("anna");
    let seen = own!(store, |tx| {
        let mut seen = Vec::new();
        tx.values_to_go(subject, ErasureScope::Everything, &["gf_1".to_owned()], &mut |value| seen.push(value.to_vec())).await?;
        Ok(seen)
    });
    for text in ["statement mem_1", "Statement gf_1.", "message ex_1", "anna"] {
        assert!(seen.iter().any(|value| value == text.as_bytes()), "{text}");
    }
    assert_eq!(seen.iter().filter(|value| value.len() == 1536).count(), 2, "vectors of the memory and of the fact");
}

pub async fn unfinished_work_is_listed_first(store: &dyn Database) {
    let done = &erased();
    for (id, whose) in [("er_1", "anna"), ("er_2", "budi"), ("er_3", "anna")] {
        let order = &erasure(id, whose, ErasureScope::Everything);
        own!(store, |tx| tx.write_erasure(order).await);
        own!(store, |tx| tx.mark_erased(id, done).await);
    }
    for (id, to) in [("er_1", Status::Partial), ("er_3", Status::Verified)] {
        let end = &conclusion(Status::Running, to);
        own!(store, |tx| tx.conclude(id, end).await);
    }
    let ids = |list: Vec<ports::store::erasure::Erasure>| list.into_iter().map(|e| e.id).collect::<Vec<_>>();
    assert_eq!(ids(store.list_erasures(0, 9).await.expect("read")), ["er_2", "er_1", "er_3"]);
    assert_eq!(ids(store.list_erasures(1, 1).await.expect("read")), ["er_1"]);
    assert_eq!(ids(store.open_erasures().await.expect("read")), ["er_2"]);
    assert_eq!(ids(store.erasures_about(&subject("anna").digest).await.expect("read")), ["er_3", "er_1"]);
    let counts = store.count_erasures().await.expect("read");
    assert!(counts.contains(&(Status::Partial, 1)) && counts.len() == 3);
}

pub async fn deleting_a_user_leaves_nothing_that_hangs_on_it(store: &dyn Database) {
    insert(store, &user("anna"), &[memory("mem_1", 1), memory("mem_2", 2)]).await;
    insert(store, &user("budi"), &[memory("mem_3", 3)]).await;
    let key = key("key_1", Some("anna"));
    let kept = StoredAnswer { body_digest: "b".to_owned(), answer: "ex_1".to_owned() };
    let (key, kept) = (&key, &kept);
    write!(store, |tx| {
        tx.enqueue(&exchange("ex_1", Some("anna"))).await?;
        tx.insert_key(key).await?;
        tx.keep_answer("k", kept, Some(&user("anna")), NOW).await?;
        tx.insert_fact(&fact("gf_1", 1)).await?;
        tx.add_contribution("gf_1", &user("anna"), &web(), NOW).await
    });
    assert_eq!(erase(store, "anna", ErasureScope::Everything).await.found["memories"], 2);
    assert_eq!(erase(store, "anna", ErasureScope::Everything).await.found["memories"], 0, "again is no error");
    assert!(store.exchange_state("ex_1").await.expect("read").is_none());
    assert!(store.key_by_hash("hash of key_1").await.expect("read").is_none());
    assert!(write!(store, |tx| tx.kept_answer("k").await).is_none());
    assert_eq!(
        store.list_memories(&user("budi"), &MemoryFilter::at(NOW), &page(9)).await.expect("read").len(),
        1,
        "others keep theirs"
    );
    store.ping().await.expect("answers");
    store.disk_was_full();
    store.note_full_disk();
    store.ping().await.expect("there is room for a write of usual size");
}

pub async fn an_epoch_only_rises(store: &dyn Database) {
    assert_eq!(write!(store, |tx| tx.epoch("d1").await), 0);
    assert_eq!(own!(store, |tx| tx.raise_epoch("d1").await), 1);
    assert_eq!(own!(store, |tx| tx.raise_epoch("d1").await), 2);
    assert_eq!(write!(store, |tx| tx.epoch("d2").await), 0);
}

pub async fn a_dropped_transaction_changes_nothing(store: &dyn Database) {
    let mut tx = store.begin_custody().await.expect("begun");
    tx.raise_epoch("d1").await.expect("written");
    tx.insert_memory(&user("anna"), &memory("mem_1", 1)).await.expect("written");
    drop(tx);
    assert_eq!(write!(store, |tx| tx.epoch("d1").await), 0);
    assert!(store.list_memories(&user("anna"), &MemoryFilter::at(NOW), &page(9)).await.expect("read").is_empty());
    let changed = store.refresh().await.expect("read");
    assert!(changed.fact_ids.is_empty() && !changed.settings);
}
