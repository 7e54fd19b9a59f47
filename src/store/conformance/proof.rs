//! Looking for what must be gone.

use std::sync::Arc;

use super::sample::{NOW, erase, exchange, fact, insert, memory, user, web, write};
use crate::domain::erasure::Scope;
use crate::domain::fingerprint::{Hit, Needles, Search};
use crate::ports::store::Store;
use crate::ports::store::proof::Strays;

const BASE: u64 = 0x0123_4567_89ab_cdef;

fn search(id: &str, texts: &[&str]) -> Arc<Search> {
    let mut needles = Needles::of_id(BASE, id);
    for text in texts {
        needles.take(BASE, text.as_bytes());
    }
    Arc::new(Search::new(needles, BASE))
}

pub async fn what_is_left_is_found_wherever_it_lies(store: &dyn Store) {
    insert(store, &user("anna"), &[memory("mem_1", 1)]).await;
    write!(store, |tx| {
        tx.insert_fact(&fact("gf_1", 1)).await?;
        tx.add_contribution("gf_1", &user("anna"), &web(), NOW).await?;
        tx.enqueue(&exchange("ex_1", Some("anna"))).await?;
        tx.set_note("odd", "left by anna, once").await
    });
    let number = erase(store, "nobody", Scope::Everything).await.number;
    assert_eq!(number, None);
    let looked_for = search("anna", &["statement mem_1"]);
    let (values, hits) = store.search_values(looked_for.clone()).await.expect("read");
    let places: Vec<_> = hits.iter().map(|hit| (hit.table.as_str(), hit.column.as_str())).collect();
    assert!(values > 10 && places.contains(&("memories", "content")) && places.contains(&("meta", "value")), "{places:?}");
    assert!(hits.iter().any(|hit| (hit.table.as_str(), hit.hit) == ("users", Hit::Whole)));
    assert!(hits.iter().any(|hit| (hit.table.as_str(), hit.hit) == ("meta", Hit::Word)));
    let files = store.search_files(looked_for.clone()).await.expect("read");
    assert!(files.files >= 2 && files.hits.iter().any(|hit| hit.file.starts_with("keepsake.db")), "{files:?}");

    let taken = erase(store, "anna", Scope::Everything).await;
    let number = taken.number.expect("there was a user");
    assert_eq!(store.rows_of_number(number, false).await.expect("read").1, []);
    assert_eq!(store.strays(&taken.facts.gone_ids()).await.expect("read"), Strays::default());
    write!(store, |tx| tx.set_note("odd", "").await);
    store.tidy_index().await.expect("tidied");
    store.drop_caches().await.expect("dropped");
    assert!(store.truncate_log().await.expect("emptied"));
    let (_, hits) = store.search_values(looked_for.clone()).await.expect("read");
    assert_eq!(hits, []);
    assert_eq!(store.search_files(looked_for).await.expect("read").hits, []);

    insert(store, &user("budi"), &[memory("mem_2", 1)]).await;
    // Numbers are given out in order, with gaps.
    for next in number + 1..number + 20 {
        let (tables, found) = store.rows_of_number(next, false).await.expect("read");
        if !found.is_empty() {
            assert!(tables > 5 && found.contains(&("memories".to_owned(), 1)), "{found:?}");
            assert!(store.rows_of_number(next, true).await.expect("read").1.is_empty(), "memories are no contribution");
            return;
        }
    }
    panic!("a row that is there was not found");
}

pub async fn freed_pages_are_zero_and_a_rewrite_leaves_none(store: &dyn Store) {
    let many: Vec<_> = (0..200).map(|n| memory(&format!("mem_{n}"), n)).collect();
    insert(store, &user("anna"), &many).await;
    erase(store, "anna", Scope::Everything).await;
    assert!(store.truncate_log().await.expect("emptied"));
    let pages = store.free_pages().await.expect("read");
    assert!(pages.pages > 50 && pages.dirty == 0, "{pages:?}");
    store.rewrite().await.expect("rewritten");
    assert!(store.truncate_log().await.expect("emptied"));
    assert_eq!(store.free_pages().await.expect("read").pages, 0);
}

pub async fn the_ledger_beside_the_database_keeps_its_lines(store: &dyn Store) {
    assert!(store.notes_beside().await.expect("read").is_empty());
    store.note_beside("one").await.expect("written");
    store.note_beside("two").await.expect("written");
    assert_eq!(store.notes_beside().await.expect("read"), ["one", "two"]);
}

pub async fn a_copy_is_whole_and_carries_its_notes(store: &dyn Store) {
    insert(store, &user("anna"), &[memory("mem_1", 1)]).await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("copy.db");
    store.copy_to(&file, &[("backup.key_id", "k1".to_owned())]).await.expect("copied");
    assert!(store.copy_to(&file, &[]).await.is_err(), "nothing is written over");
    assert_eq!(crate::store::sqlite::inspect_copy(&file).await.key_id.as_deref(), Some("k1"));
    assert_eq!(store.note("backup.key_id").await.expect("read"), None, "the original carries none");
    let copy = crate::store::sqlite::SqliteStore::open(&file).await.expect("opens");
    let copy: &dyn Store = &copy;
    assert_eq!(copy.note("backup.key_id").await.expect("read").as_deref(), Some("k1"));
    assert_eq!(copy.user_ids("", 9).await.expect("read"), [user("anna")]);
    std::fs::write(&file, b"no database").expect("written");
    assert!(crate::store::sqlite::inspect_copy(&file).await.problem.is_some());
}
