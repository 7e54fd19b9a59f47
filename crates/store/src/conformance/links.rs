//! Chats linked to users, and the positions of bots.

use super::Database;
use super::sample::{NOW, erase, user, web, write};
use domain::erasure::ErasureScope;
use domain::facts::provenance::Surface;
use domain::moment::MINUTE_MS;
use ports::store::Store;
use ports::store::chat::links::NextUpdate;

pub async fn a_chat_is_linked_to_one_user_and_a_user_to_many_chats(store: &dyn Store) {
    let (anna, budi) = (&user("anna"), &user("budi"));
    let elsewhere = &Surface::new("elsewhere").expect("valid");
    write!(store, |tx| {
        tx.link_chat(anna, &web(), "1", NOW).await?;
        tx.link_chat(anna, &web(), "2", NOW).await?;
        tx.link_chat(budi, elsewhere, "1", NOW).await
    });
    assert_eq!(store.user_of_chat(&web(), "1").await.expect("read").as_ref(), Some(anna));
    assert_eq!(store.user_of_chat(elsewhere, "1").await.expect("read").as_ref(), Some(budi));
    assert_eq!(store.user_of_chat(&web(), "3").await.expect("read"), None);
    assert_eq!(store.count_chats(anna).await.expect("read"), 2);
    let all = store.linked_chats().await.expect("read");
    let all: Vec<_> = all.iter().map(|one| (one.surface.as_str(), one.chat.as_str(), one.user.as_str(), one.linked_at)).collect();
    assert_eq!(all, [("elsewhere", "1", "budi", NOW), ("web", "1", "anna", NOW), ("web", "2", "anna", NOW)]);
    write!(store, |tx| tx.link_chat(budi, &web(), "1", NOW).await);
    assert_eq!(store.user_of_chat(&web(), "1").await.expect("read").as_ref(), Some(budi));
    assert_eq!(write!(store, |tx| tx.unlink_chat(&web(), "1").await).as_ref(), Some(budi));
    assert_eq!(write!(store, |tx| tx.unlink_chat(&web(), "1").await), None);
    assert_eq!(write!(store, |tx| tx.unlink_chats(anna).await), 1);
    assert_eq!((store.count_chats(anna).await.expect("read"), store.count_chats(&user("nobody")).await.expect("read")), (0, 0));
}

pub async fn a_code_is_taken_once_and_a_user_has_one(store: &dyn Store) {
    let (anna, budi, until) = (&user("anna"), &user("budi"), NOW.plus_ms(10 * MINUTE_MS));
    write!(store, |tx| {
        tx.put_link_code(anna, "h1", NOW, NOW).await?;
        tx.put_link_code(anna, "h2", NOW, until).await?;
        tx.put_link_code(budi, "h3", NOW, NOW).await
    });
    assert_eq!(write!(store, |tx| tx.take_link_code("h1").await), None);
    assert_eq!(write!(store, |tx| tx.take_link_code("h2").await), Some((anna.clone(), until)));
    assert_eq!(write!(store, |tx| tx.take_link_code("h2").await), None);
    write!(store, |tx| tx.purge_link_codes(NOW.plus_ms(1)).await);
    assert_eq!(write!(store, |tx| tx.take_link_code("h3").await), None);
    write!(store, |tx| {
        tx.put_link_code(anna, "h4", NOW, until).await?;
        tx.unlink_chats(anna).await
    });
    assert_eq!(write!(store, |tx| tx.take_link_code("h4").await), None);
}

pub async fn a_bot_never_reads_backwards(store: &dyn Store) {
    assert_eq!(store.next_update("7").await.expect("read"), None);
    for (next, at) in [(5, NOW), (3, NOW.plus_ms(1))] {
        write!(store, |tx| tx.note_update("7", next, at).await);
    }
    assert_eq!(store.next_update("7").await.expect("read"), Some(NextUpdate { next: 5, took_at: NOW.plus_ms(1) }));
    assert_eq!(store.next_update("8").await.expect("read"), None);
    write!(store, |tx| tx.forget_updates("7").await);
    assert_eq!(store.next_update("7").await.expect("read"), None);
}

pub async fn links_and_codes_go_with_their_user(store: &dyn Database) {
    let (anna, budi) = (&user("anna"), &user("budi"));
    write!(store, |tx| {
        tx.link_chat(anna, &web(), "1", NOW).await?;
        tx.link_chat(budi, &web(), "2", NOW).await?;
        tx.put_link_code(anna, "h1", NOW, NOW).await
    });
    let lighter = erase(store, "anna", ErasureScope::Contributions).await;
    assert_eq!((lighter.found["chat_links"], lighter.found["link_codes"]), (1, 1));
    assert_eq!(store.user_of_chat(&web(), "1").await.expect("read").as_ref(), Some(anna), "it stays");
    let all = erase(store, "anna", ErasureScope::Everything).await;
    assert_eq!((all.left["chat_links"], all.left["link_codes"]), (0, 0));
    assert_eq!(store.user_of_chat(&web(), "1").await.expect("read"), None);
    assert_eq!(store.user_of_chat(&web(), "2").await.expect("read").as_ref(), Some(budi));
    assert_eq!(write!(store, |tx| tx.take_link_code("h1").await), None);
}
