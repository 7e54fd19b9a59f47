//! Copies, the ledger file beside the database, and restoring in place.

use super::Database;
use super::sample::{insert, memory, user};
use crate::at;
use ports::store::copies::Label;
use ports::store::location::DatabaseLocation;

fn label() -> Label {
    Label { at: "2026-11-20T12:00:00Z".to_owned(), key_id: "k1".to_owned() }
}

pub async fn the_ledger_beside_the_database_keeps_its_lines(database: &dyn Database) {
    assert!(database.notes_beside().await.expect("read").is_empty());
    database.note_beside("one").await.expect("written");
    database.note_beside("two").await.expect("written");
    assert_eq!(database.notes_beside().await.expect("read"), ["one", "two"]);
}

pub async fn a_copy_is_whole_and_says_what_it_is(database: &dyn Database) {
    insert(database, &user("anna"), &[memory("mem_1", 1)]).await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("copy.db");
    database.copy_to(&file, &label()).await.expect("copied");
    assert!(database.copy_to(&file, &label()).await.is_err(), "nothing is written over");
    let other = folder.path().join("other.db");
    let label = label();
    let (one, two) = tokio::join!(database.copy_to(&other, &label), database.copy_to(&other, &label));
    assert!(one.is_ok() != two.is_ok(), "one of two is made");
    let names: Vec<_> = std::fs::read_dir(folder.path()).expect("read").map(|file| file.expect("read").file_name()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    assert_eq!(database.note("backup.key_id").await.expect("read"), None, "the original says nothing of it");
    let place = at(None, folder.path(), 0).expect("served");
    let copy = place.inspect(&file).await;
    assert_eq!((copy.problem, copy.key_id.as_deref(), copy.at), (None, Some("k1"), Some(label.at)));
    assert_eq!(place.inspect(&other).await.problem, None);
    std::fs::write(&file, b"no database").expect("written");
    assert!(place.inspect(&file).await.problem.is_some());
}

pub async fn a_place_opens_and_takes_a_copy(database: &dyn Database) {
    insert(database, &user("anna"), &[memory("mem_1", 1)]).await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("copy.db");
    database.copy_to(&file, &label()).await.expect("copied");

    let place: Box<dyn DatabaseLocation> = at(None, folder.path(), 0).expect("served");
    let taken = place.take().expect("taken");
    assert!(taken.is_some() && place.take().expect("asked").is_none(), "for one process at a time");
    drop(taken);
    assert!(place.take().expect("taken").is_some());
    let (one, other) = (place.share().expect("shared"), place.share().expect("shared"));
    assert!(one.is_some() && other.is_some(), "many use a database");
    assert!(place.take_alone().expect("asked").is_none(), "while somebody uses it");
    drop((one, other));
    let alone = place.take_alone().expect("taken");
    assert!(alone.is_some() && place.share().expect("asked").is_none(), "while somebody has it alone");
    drop(alone);
    assert!(!place.is_taken() && place.name().contains(&folder.path().display().to_string()));
    let before = place.open().await.expect("opens");
    insert(before.store.as_ref(), &user("budi"), &[memory("mem_2", 1)]).await;
    before.custody.close().await;
    assert!(place.is_taken());
    let brought = place.bring(&file).await.expect("brought");
    insert(brought.store.as_ref(), &user("carla"), &[memory("mem_3", 1)]).await;
    brought.custody.close().await;
    let still = place.open().await.expect("opens");
    assert_eq!(still.custody.user_ids("", 9).await.expect("read"), [user("budi")], "until it is put in place");
    still.custody.close().await;
    let kept = place.put_in_place().await.expect("put").expect("the old one is kept");
    assert!(place.put_in_place().await.is_err(), "nothing was brought");
    let after = place.open().await.expect("opens");
    let users = after.custody.user_ids("", 9).await.expect("read");
    assert_eq!(users, [user("anna"), user("carla")], "with what was changed in it");
    assert_eq!(after.custody.missing_commits().await.expect("read"), 0, "it is older on purpose");
    let old = place.inspect(kept.as_ref()).await;
    assert_eq!(old.problem, None);
    assert!(after.custody.drop_replaced().await.expect("dropped"));
    assert!(!after.custody.drop_replaced().await.expect("nothing there"));
    assert!(place.inspect(kept.as_ref()).await.problem.is_some());

    let lines = ["one".to_owned(), "two".to_owned()];
    place.replace_ledger_beside(&lines).await.expect("written");
    assert_eq!(place.ledger_beside().await.expect("read"), lines);
    assert_eq!(after.custody.notes_beside().await.expect("read"), lines);
}

pub async fn a_database_put_in_place_by_hand_is_told_from_a_newer_one(database: &dyn Database) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("copy.db");
    database.copy_to(&file, &label()).await.expect("copied");
    let place: Box<dyn DatabaseLocation> = at(None, folder.path(), 0).expect("served");
    let newer = place.open().await.expect("opens");
    for n in 0..5 {
        insert(newer.store.as_ref(), &user("anna"), &[memory(&format!("mem_{n}"), n)]).await;
    }
    assert_eq!(newer.custody.missing_commits().await.expect("read"), 0);
    newer.custody.close().await;
    std::fs::copy(&file, place.name()).expect("copied");
    let older = place.open().await.expect("opens");
    let missing = older.custody.missing_commits().await.expect("read");
    assert!(missing >= 5, "{missing}");
    older.custody.accept_as_it_is().await.expect("accepted");
    assert_eq!(older.custody.missing_commits().await.expect("read"), 0);
}

pub async fn a_sound_database_passes_its_checks(database: &dyn Database) {
    insert(database, &user("anna"), &[memory("mem_1", 1)]).await;
    for whole in [false, true] {
        assert_eq!(database.check(whole).await.expect("checked"), Vec::<String>::new());
    }
}
