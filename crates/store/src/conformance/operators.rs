//! Operators and their sessions.

use super::sample::{NOW, write};
use domain::access::rights::Rights;
use ports::sessions::{Sessions, StoredSession};
use ports::store::Store;
use ports::store::people::operators::Operator;

fn operator(id: &str, rights: Rights) -> Operator {
    Operator {
        id: id.to_owned(),
        email: format!("{id}@example.org"),
        name: id.to_owned(),
        rights,
        password_hash: "$argon2id$".to_owned(),
        disabled: false,
    }
}

pub async fn operators_are_found_by_email_and_id(store: &dyn Store) {
    assert!(write!(store, |tx| tx.insert_operator(&operator("op_1", Rights::Edit), NOW).await));
    assert!(
        !write!(store, |tx| tx
            .insert_operator(&Operator { email: "OP_1@example.org".to_owned(), ..operator("op_2", Rights::Edit) }, NOW)
            .await),
        "the email is taken"
    );
    let found = store.operator_by_email("Op_1@Example.org").await.expect("read").expect("there");
    assert_eq!((found.id.as_str(), found.rights, found.disabled), ("op_1", Rights::Edit, false));
    assert!(write!(store, |tx| tx.set_password("op_1", "$new").await));
    assert!(write!(store, |tx| tx.disable_operator("op_1", NOW).await));
    assert!(!write!(store, |tx| tx.disable_operator("op_1", NOW).await));
    let after = store.operator("op_1").await.expect("read").expect("there");
    assert_eq!((after.password_hash.as_str(), after.disabled), ("$new", true));
    assert_eq!(store.operators().await.expect("read").len(), 1);
}

pub async fn rights_change_and_other_editors_are_counted(store: &dyn Store) {
    for (id, rights) in [("op_1", Rights::Edit), ("op_2", Rights::Edit), ("op_3", Rights::View)] {
        assert!(write!(store, |tx| tx.insert_operator(&operator(id, rights), NOW).await));
    }
    assert_eq!(write!(store, |tx| tx.count_other_editors("op_1").await), 1);
    assert!(write!(store, |tx| tx.disable_operator("op_2", NOW).await));
    assert_eq!(write!(store, |tx| tx.count_other_editors("op_1").await), 0, "a disabled editor is none");
    assert!(write!(store, |tx| tx.set_rights("op_3", Rights::Edit).await));
    assert_eq!(write!(store, |tx| tx.count_other_editors("op_1").await), 1);
    assert_eq!(write!(store, |tx| tx.known_operator("op_3").await).expect("there").rights, Rights::Edit);
    for rights in Rights::ALL {
        assert!(write!(store, |tx| tx.set_rights("op_3", rights).await));
        assert_eq!(store.operator("op_3").await.expect("read").expect("there").rights, rights);
        let others = i64::from(rights == Rights::Edit);
        assert_eq!(write!(store, |tx| tx.count_other_editors("op_1").await), others, "an editor has every right");
    }
    assert!(!write!(store, |tx| tx.set_rights("op_4", Rights::Edit).await));
    assert!(write!(store, |tx| tx.known_operator("op_4").await).is_none());
}

pub async fn an_operators_sessions_end_but_for_one(store: &(impl Store + Sessions)) {
    for (id, owner) in [("s1", "op_1"), ("s2", "op_1"), ("s3", "op_2")] {
        let session = StoredSession {
            id: id.to_owned(),
            record: "{}".to_owned(),
            expires_at: NOW.plus_ms(10),
            operator: Some(owner.to_owned()),
        };
        assert!(store.create_session(&session).await.expect("written"));
    }
    assert_eq!(write!(store, |tx| tx.end_sessions("op_1", Some("s1")).await), 1);
    let mut left = Vec::new();
    for id in ["s1", "s2", "s3"] {
        left.push(store.load_session(id, NOW).await.expect("read").is_some());
    }
    assert_eq!(left, [true, false, true]);
    assert_eq!(write!(store, |tx| tx.end_sessions("op_1", None).await), 1);
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
