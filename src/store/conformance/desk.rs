//! Operators, keys, settings, sessions.

use super::sample::{NOW, user, write};
use crate::ports::sessions::{Sessions, StoredSession};
use crate::ports::store::Store;
use crate::ports::store::desk::{Key, Operator, Rights, StoredSetting};

fn operator(id: &str, email: &str) -> Operator {
    Operator {
        id: id.to_owned(),
        email: email.to_owned(),
        name: "Priya Raman".to_owned(),
        rights: Rights::Edit,
        password_hash: "$argon2id$".to_owned(),
        disabled: false,
    }
}

pub async fn operators_are_found_by_email_and_id(store: &dyn Store) {
    assert!(write!(store, |tx| tx.insert_operator(&operator("op_1", "priya@example.org"), NOW).await));
    assert!(!write!(store, |tx| tx.insert_operator(&operator("op_2", "PRIYA@example.org"), NOW).await), "the email is taken");
    let found = store.operator_by_email("Priya@Example.org").await.expect("read").expect("there");
    assert_eq!((found.id.as_str(), found.rights, found.disabled), ("op_1", Rights::Edit, false));
    assert!(write!(store, |tx| tx.set_password("op_1", "$new").await));
    assert!(write!(store, |tx| tx.disable_operator("op_1", NOW).await));
    assert!(!write!(store, |tx| tx.disable_operator("op_1", NOW).await));
    let after = store.operator("op_1").await.expect("read").expect("there");
    assert_eq!((after.password_hash.as_str(), after.disabled), ("$new", true));
    assert_eq!(store.operators().await.expect("read").len(), 1);
}

pub async fn keys_are_found_by_hash(store: &dyn Store) {
    let key = Key {
        id: "key_1".to_owned(),
        name: "web chat".to_owned(),
        scopes: "read write".to_owned(),
        user: Some(user("anna")),
        hash: "abc".to_owned(),
        created_at: NOW,
    };
    let new = &key;
    write!(store, |tx| tx.insert_key(new).await);
    let found = store.key_by_hash("abc").await.expect("read").expect("there");
    assert_eq!((found.id.as_str(), found.scopes.as_str(), found.user), ("key_1", "read write", Some(user("anna"))));
    assert!(store.key_by_hash("abd").await.expect("read").is_none());
}

pub async fn settings_keep_a_version(store: &dyn Store) {
    assert!(write!(store, |tx| tx.setting("recall.web").await).is_none());
    for (version, value) in [(1, "false"), (2, "true")] {
        let new = StoredSetting { key: "recall.web".to_owned(), value: value.to_owned(), version };
        let new = &new;
        write!(store, |tx| tx.write_setting(new, None, "op_1", "set_1", NOW).await);
    }
    let stored = write!(store, |tx| tx.setting("recall.web").await).expect("there");
    assert_eq!((stored.value.as_str(), stored.version), ("true", 2));
    assert_eq!(store.stored_settings().await.expect("read"), [stored]);
}

pub async fn sessions_live_until_they_expire(store: &(impl Store + Sessions)) {
    let session = StoredSession { id: "s1".to_owned(), record: "{}".to_owned(), expires_at: NOW.plus_ms(10), operator: None };
    assert!(store.create_session(&session).await.expect("written"));
    assert!(!store.create_session(&session).await.expect("written"), "an id is never given twice");
    let changed = StoredSession { record: "{\"a\":1}".to_owned(), operator: Some("op_1".to_owned()), ..session.clone() };
    store.save_session(&changed).await.expect("written");
    assert_eq!(store.load_session("s1", NOW).await.expect("read"), Some(changed));
    assert_eq!(store.load_session("s1", NOW.plus_ms(10)).await.expect("read"), None);
    store.delete_expired_sessions(NOW.plus_ms(10)).await.expect("written");
    store.save_session(&session).await.expect("written");
    assert_eq!(store.load_session("s1", NOW).await.expect("read"), None, "saving does not bring back what was ended");
    assert!(store.create_session(&session).await.expect("written"));
    store.delete_session("s1").await.expect("written");
    assert_eq!(store.load_session("s1", NOW).await.expect("read"), None);
}
