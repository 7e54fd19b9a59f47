//! A restore carries over keys, links of chats and webhooks from the database that it replaces.

use access::callers::Scope;
use domain::access::key::{KeyLife, Overlap};
use domain::facts::provenance::Surface;
use ports::store::Store;
use ports::store::chat::links::LinkReads;
use ports::store::operate::webhooks::WebhookReads;
use ports::store::people::keys::KeyReads;
use service::audit::Actor;
use service::database::restore::{Admitted, Unknown, carry_over};
use service::people::keys::{KeyRequest, NewKey, RevocationReach, revoke_key, rotate_key};

use crate::fixture::{Fixture, NOON, cli, user};

/// Restores the backup once more.
async fn again(backup: &Fixture) -> Fixture {
    let restored = Fixture::new().await;
    carry(&restored, &admitted(backup).await).await;
    restored
}

async fn admitted(fixture: &Fixture) -> Admitted {
    Admitted::of(fixture.store.as_ref(), fixture.clock.as_ref()).await.expect("read")
}

async fn carry(restored: &Fixture, before: &Admitted) {
    let known = carry_over(restored.store.as_ref(), restored.clock.as_ref(), Some(before)).await.expect("carried over");
    assert_eq!(known, Unknown::default());
}

async fn works(fixture: &Fixture, key: &NewKey) -> bool {
    fixture.call("GET", "/v1/facts", &key.secret, None).await.0 == 200
}

async fn key(fixture: &Fixture) -> NewKey {
    fixture.key_as(KeyRequest { scopes: Scope::ALL.to_vec(), ..KeyRequest::default() }).await
}

async fn rotated(fixture: &Fixture, id: &str) -> NewKey {
    let (store, clock) = (fixture.store.as_ref(), fixture.clock.as_ref());
    let rotated = rotate_key(store, clock, &fixture.keepsake.digester, &Actor::CommandLine, id, None, Overlap::None).await;
    rotated.expect("rotated")
}

#[tokio::test]
async fn no_key_works_again_that_was_revoked() {
    let live = Fixture::new().await;
    let (kept, ended) = (key(&live).await, key(&live).await);
    let restored = again(&live).await;
    let erased = key(&restored).await;
    revoke_key(live.store.as_ref(), live.clock.as_ref(), &Actor::CommandLine, &ended.id, RevocationReach::Key)
        .await
        .expect("revoked");
    let added = key(&live).await;
    carry(&restored, &admitted(&live).await).await;
    for (key, expected) in [(&kept, true), (&ended, false), (&erased, false), (&added, true)] {
        assert_eq!(works(&restored, key).await, expected, "{}", key.id);
    }
    let life = restored.store.key(&erased.id).await.expect("read").expect("there").life;
    assert_eq!(life, KeyLife { revoked_at: Some(NOON), ..KeyLife::default() });
}

#[tokio::test]
async fn a_key_that_was_replaced_in_both_databases_is_replaced_by_the_newer_one() {
    // An old backup was restored and the key rotated there; then a newer backup, in which it was rotated too.
    let live = Fixture::new().await;
    let first = key(&live).await;
    let (newer_backup, once_more) = (again(&live).await, again(&live).await);
    let lost = rotated(&newer_backup, &first.id).await;
    let stands = rotated(&live, &first.id).await;
    for _ in 0..2 {
        carry(&newer_backup, &admitted(&live).await).await;
        for (key, expected) in [(&first, false), (&lost, false), (&stands, true)] {
            assert_eq!(works(&newer_backup, key).await, expected, "{}", key.id);
        }
        let replaces = async |key: &NewKey| newer_backup.store.key(&key.id).await.expect("read").expect("there").replaces;
        assert_eq!((replaces(&lost).await, replaces(&stands).await.as_ref()), (None, Some(&first.id)));
    }
    // The same backup once more, over the restored database.
    let lost_again = rotated(&once_more, &first.id).await;
    carry(&once_more, &admitted(&newer_backup).await).await;
    assert!(works(&once_more, &stands).await && !works(&once_more, &lost_again).await);
}

async fn linked(fixture: &Fixture, who: &str, chat: &str) {
    let code = fixture.keepsake.links.make_link_code(&cli(), &user(who)).await.expect("made").code;
    assert!(fixture.keepsake.links.link_chat(&surface(), chat, &code).await.expect("linked"));
}

fn surface() -> Surface {
    Surface::new("telegram").expect("valid")
}

async fn chats(fixture: &Fixture) -> Vec<String> {
    let chats = fixture.store.linked_chats().await.expect("read");
    chats.into_iter().map(|chat| format!("{} {}", chat.chat, chat.user.as_str())).collect()
}

#[tokio::test]
async fn no_chat_is_linked_again_that_was_unlinked_or_given_to_somebody_else() {
    let live = Fixture::new().await;
    for (who, chat) in [("anna", "1"), ("anna", "2"), ("budi", "3")] {
        linked(&live, who, chat).await;
    }
    let restored = again(&live).await;
    assert_eq!(chats(&restored).await, ["1 anna", "2 anna", "3 budi"]);
    let waiting = restored.keepsake.links.make_link_code(&cli(), &user("anna")).await.expect("made").code;
    assert!(live.keepsake.links.unlink_chat(&surface(), "2").await.expect("unlinked"));
    linked(&live, "citra", "3").await;
    linked(&live, "citra", "4").await;
    carry(&restored, &admitted(&live).await).await;
    assert_eq!(chats(&restored).await, ["1 anna", "3 citra", "4 citra"]);
    assert!(!restored.keepsake.links.link_chat(&surface(), "5", &waiting).await.expect("tried"), "a code of the backup");
}

#[tokio::test]
async fn no_webhook_is_told_again_that_was_removed_or_disabled() {
    let live = Fixture::new().await;
    let add = async |url: &str| {
        let wants = ["fact.approved".to_owned()];
        live.keepsake.notify.add_webhook(&Actor::CommandLine, url, &wants).await.expect("added").id
    };
    let disable = async |id: &str| {
        let mut tx = live.store.begin().await.expect("begun");
        tx.disable_webhook(id, NOON, "gone").await.expect("disabled");
        tx.commit().await.expect("committed");
    };
    let (kept, removed, gone) = (add("https://a.example").await, add("https://b.example").await, add("https://c.example").await);
    let back = add("https://d.example").await;
    disable(&back).await;
    let restored = again(&live).await;
    live.keepsake.notify.remove_webhook(&Actor::CommandLine, &removed).await.expect("removed");
    live.keepsake.notify.enable_webhook(&Actor::CommandLine, &back).await.expect("enabled");
    disable(&gone).await;
    let added = add("https://e.example").await;
    carry(&restored, &admitted(&live).await).await;
    let told: Vec<_> =
        restored.store.webhooks().await.expect("read").into_iter().map(|webhook| (webhook.id, webhook.disabled_why)).collect();
    let mut expected = vec![(kept, None), (gone, Some("gone".to_owned())), (back, None), (added, None)];
    expected.sort();
    assert_eq!(told, expected);
}

#[tokio::test]
async fn without_the_database_that_was_replaced_it_is_said_what_nobody_knows() {
    let restored = Fixture::new().await;
    let kept = key(&restored).await;
    linked(&restored, "anna", "1").await;
    let wants = ["fact.approved".to_owned()];
    restored.keepsake.notify.add_webhook(&Actor::CommandLine, "https://a.example", &wants).await.expect("added");
    let unknown = carry_over(restored.store.as_ref(), restored.clock.as_ref(), None).await.expect("carried over");
    assert_eq!(unknown, Unknown { operators: Vec::new(), keys: 1, chats: 1, webhooks: 1 });
    assert!(works(&restored, &kept).await);
    assert!(chats(&restored).await.is_empty(), "one of them may have been unlinked since");
}
