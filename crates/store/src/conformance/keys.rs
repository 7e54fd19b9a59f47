//! Callers' keys.

use super::sample::{NOW, key, user, write};
use domain::access::key::{KeyLife, KeysShown};
use domain::moment::{DAY_MS, Moment};
use ports::store::Store;
use ports::store::people::keys::{Key, KeyFilter, KeyUse};

fn in_days(days: i64) -> Moment {
    NOW.plus_ms(days * DAY_MS)
}

async fn insert(store: &dyn Store, keys: &[Key]) {
    write!(store, |tx| {
        for key in keys {
            assert!(tx.insert_key(key).await?, "{} is free", key.id);
        }
        Ok(())
    });
}

pub async fn keys_are_found_by_hash_and_by_id(store: &dyn Store) {
    let whole = Key {
        surface: Some("web".to_owned()),
        life: KeyLife { expires_at: Some(in_days(9)), revoked_at: Some(in_days(1)), replaced_by: Some("key_2".to_owned()) },
        replaces: Some("key_0".to_owned()),
        line: Some("key_00".to_owned()),
        used: KeyUse { first_at: Some(NOW), first_call: Some("POST /v1/recall".to_owned()), last_at: Some(in_days(1)) },
        ..key("key_1", Some("anna"))
    };
    insert(store, std::slice::from_ref(&whole)).await;
    let by_hash = store.key_by_hash("hash of key_1").await.expect("read").expect("there");
    let by_id = store.key("key_1").await.expect("read").expect("there");
    let in_tx = write!(store, |tx| tx.known_key("key_1").await).expect("there");
    for found in [by_hash, by_id, in_tx] {
        assert_eq!((found.id.as_str(), found.scopes.as_str(), found.user), ("key_1", "read write", Some(user("anna"))));
        assert_eq!((&found.surface, &found.created_by, found.created_at), (&whole.surface, &whole.created_by, NOW));
        assert_eq!((&found.life, &found.used), (&whole.life, &whole.used));
        assert_eq!((&found.replaces, &found.line, &found.name), (&whole.replaces, &whole.line, &whole.name));
    }
    assert!(store.key_by_hash("another").await.expect("read").is_none());
    assert!(store.key("key_2").await.expect("read").is_none());
}

pub async fn an_id_is_given_to_one_key(store: &dyn Store) {
    insert(store, &[key("key_1", None)]).await;
    let other = Key { hash: "other".to_owned(), ..key("key_1", None) };
    let other = &other;
    assert!(!write!(store, |tx| tx.insert_key(other).await));
    assert!(store.key_by_hash("other").await.expect("read").is_none());
}

pub async fn a_key_is_replaced_by_one_other(store: &dyn Store) {
    insert(store, &[Key { replaces: Some("key_0".to_owned()), ..key("key_1", None) }, key("key_2", None)]).await;
    let of = async |id: &str| store.key(id).await.expect("read").expect("there").replaces;
    let mut tx = store.begin().await.expect("begun");
    assert!(tx.set_replaced_key("key_2", Some("key_0")).await.is_err(), "another one replaced it");
    drop(tx);
    write!(store, |tx| {
        tx.set_replaced_key("key_1", None).await?;
        tx.set_replaced_key("key_2", Some("key_0")).await
    });
    assert_eq!((of("key_1").await, of("key_2").await.as_deref()), (None, Some("key_0")));
}

pub async fn keys_are_named_while_they_exist(store: &dyn Store) {
    insert(store, &[key("key_1", Some("anna"))]).await;
    let names = store.key_names(&["key_1".to_owned(), "key_2".to_owned()]).await.expect("read");
    assert_eq!(names, [("key_1".to_owned(), "name of key_1".to_owned())]);
}

pub async fn a_keys_life_is_set_and_told(store: &dyn Store) {
    insert(store, &[key("key_1", None)]).await;
    assert!(store.refresh().await.expect("looked").keys, "a new key is told");
    assert!(!store.refresh().await.expect("looked").keys, "once");
    let life = KeyLife { expires_at: Some(in_days(1)), revoked_at: Some(NOW), replaced_by: Some("key_2".to_owned()) };
    let life = &life;
    assert!(write!(store, |tx| tx.set_key_life("key_1", life).await));
    assert!(!write!(store, |tx| tx.set_key_life("key_9", life).await));
    assert_eq!(store.key("key_1").await.expect("read").expect("there").life, *life);
    assert!(store.refresh().await.expect("looked").keys);
}

pub async fn a_keys_first_call_is_kept_and_its_last_use_only_moves_on(store: &dyn Store) {
    insert(store, &[key("key_1", None)]).await;
    store.refresh().await.expect("looked");
    for (day, call) in [(3, "POST /v1/recall"), (4, "GET /v1/facts")] {
        write!(store, |tx| tx.note_first_call("key_1", in_days(day), call).await);
    }
    assert!(store.refresh().await.expect("looked").keys, "pages wait for the first call");
    for day in [5, 4] {
        write!(store, |tx| tx.note_key_use("key_1", in_days(day)).await);
    }
    assert!(!store.refresh().await.expect("looked").keys, "and not for others");
    let used = store.key("key_1").await.expect("read").expect("there").used;
    let first_call = Some("POST /v1/recall".to_owned());
    assert_eq!(used, KeyUse { first_at: Some(in_days(3)), first_call, last_at: Some(in_days(5)) });
    write!(store, |tx| {
        tx.note_first_call("key_9", NOW, "POST /v1/recall").await?;
        tx.note_key_use("key_9", NOW).await
    });
    assert!(store.key("key_9").await.expect("read").is_none(), "a key that is gone stays gone");
}

pub async fn keys_are_listed_by_their_state_newest_first_and_paged(store: &dyn Store) {
    let made = |id: &str, days: i64, life: KeyLife| Key { created_at: in_days(days), life, ..key(id, None) };
    let ends = |days: i64| KeyLife { expires_at: Some(in_days(days)), ..KeyLife::default() };
    let revoked = KeyLife { revoked_at: Some(NOW), ..ends(9) };
    let replaced = KeyLife { replaced_by: Some("key_2".to_owned()), ..ends(1) };
    let used = KeyUse { last_at: Some(in_days(-1)), ..KeyUse::default() };
    insert(
        store,
        &[
            made("key_1", -90, KeyLife::default()),
            Key { used, ..made("key_2", -90, ends(15)) },
            made("key_3", -3, ends(14)),
            made("key_4", -2, ends(0)),
            made("key_5", -40, revoked),
            made("key_6", -1, replaced),
        ],
    )
    .await;
    let list = async |shown: KeysShown, after: Option<&str>, limit: u32| {
        let filter = KeyFilter { shown, after: after.map(str::to_owned), limit };
        let keys = store.keys(&filter, NOW).await.expect("read");
        keys.into_iter().map(|key| key.id).collect::<Vec<_>>()
    };
    let expected: [(KeysShown, &[&str]); 5] = [
        (KeysShown::All, &["key_6", "key_4", "key_3", "key_5", "key_2", "key_1"]),
        (KeysShown::Active, &["key_6", "key_3", "key_2", "key_1"]),
        (KeysShown::Expiring, &["key_3"]),
        (KeysShown::Unused, &["key_1"]),
        (KeysShown::Ended, &["key_4", "key_5"]),
    ];
    let counts = store.count_keys(NOW).await.expect("counted");
    for ((shown, ids), count) in expected.into_iter().zip(counts) {
        assert_eq!(list(shown, None, 50).await, ids, "{shown:?}");
        assert_eq!(usize::try_from(count), Ok(ids.len()), "{shown:?}");
    }
    assert_eq!(list(KeysShown::All, Some("key_3"), 2).await, ["key_5", "key_2"]);
    assert_eq!(list(KeysShown::All, Some("key_2"), 2).await, ["key_1"], "of the same age, by id");
    assert_eq!(list(KeysShown::Active, Some("key_6"), 1).await, ["key_3"]);
}
