//! Callers' keys.

use super::sample::{NOW, user, write};
use crate::ports::store::Store;
use crate::ports::store::keys::Key;

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

pub async fn keys_are_named_while_they_exist(store: &dyn Store) {
    let key = Key {
        id: "key_1".to_owned(),
        name: "web chat".to_owned(),
        scopes: "read".to_owned(),
        user: Some(user("anna")),
        hash: "abc".to_owned(),
        created_at: NOW,
    };
    let key = &key;
    write!(store, |tx| tx.insert_key(key).await);
    let names = store.key_names(&["key_1".to_owned(), "key_2".to_owned()]).await.expect("read");
    assert_eq!(names, [("key_1".to_owned(), "web chat".to_owned())]);
}
