//! The durable inbox.

use super::Database;
use super::sample::{NOW, erase, exchange, memory, user, web, wording, write};
use domain::erasure::ErasureScope;
use domain::facts::fact::{Candidate, FactKind};
use domain::facts::provenance::Origin;
use domain::memory::exchange::{ExchangeStatus, Gathering};
use domain::memory::{Content, Importance};
use ports::store::Store;
use ports::store::operate::inbox::{NewExchange, SaidAt, StoredAnswer, source_in};

pub async fn an_exchange_is_learned_once(store: &dyn Store) {
    write!(store, |tx| tx.enqueue(&exchange("ex_1", Some("anna"))).await);
    let due = store.due_exchanges(NOW, 9, Gathering::NONE).await.expect("read");
    assert_eq!(due.len(), 1);
    assert_eq!((due[0].exchange.message.as_str(), due[0].exchange.user.as_ref()), ("message ex_1", Some(&user("anna"))));
    assert!(write!(store, |tx| tx.settle_exchange("ex_1", NOW).await));
    assert!(!write!(store, |tx| tx.settle_exchange("ex_1", NOW).await));
    assert!(store.due_exchanges(NOW, 9, Gathering::NONE).await.expect("read").is_empty());
    let state = store.exchange_state("ex_1").await.expect("read").expect("known");
    assert_eq!((state.status, state.user), (ExchangeStatus::Learned, Some(user("anna"))));
}

pub async fn the_hosts_id_makes_sending_again_a_no_op(store: &dyn Store) {
    let mut first = exchange("ex_1", Some("anna"));
    first.external_digest = Some("digest".to_owned());
    let mut again = exchange("ex_2", Some("anna"));
    again.external_digest = Some("digest".to_owned());
    let (one, two) = (&first, &again);
    assert_eq!(write!(store, |tx| tx.enqueue(one).await), "ex_1");
    write!(store, |tx| tx.settle_exchange("ex_1", NOW).await);
    assert_eq!(write!(store, |tx| tx.enqueue(two).await), "ex_1");
    assert_eq!(store.backlog().await.expect("read").queued, 0);
}

pub async fn text_is_gone_when_learned(store: &dyn Store) {
    write!(store, |tx| tx.enqueue(&exchange("ex_1", None)).await);
    write!(store, |tx| tx.settle_exchange("ex_1", NOW).await);
    // A learned exchange is never due again, and its state no longer names the user.
    assert!(store.due_exchanges(NOW.plus_ms(i64::from(i32::MAX)), 9, Gathering::NONE).await.expect("read").is_empty());
    assert!(store.exchange_state("ex_1").await.expect("read").expect("known").user.is_none());
}

pub async fn a_postponed_exchange_waits_and_a_parked_one_is_not_due(store: &dyn Store) {
    write!(store, |tx| tx.enqueue(&exchange("ex_1", None)).await);
    write!(store, |tx| tx.postpone_exchange("ex_1", 1, NOW.plus_ms(2000)).await);
    assert!(store.due_exchanges(NOW, 9, Gathering::NONE).await.expect("read").is_empty());
    assert_eq!(store.due_exchanges(NOW.plus_ms(2000), 9, Gathering::NONE).await.expect("read")[0].tries, 1);
    write!(store, |tx| tx.park_exchange("ex_1", "provider_timed_out", NOW).await);
    assert!(store.due_exchanges(NOW.plus_ms(2000), 9, Gathering::NONE).await.expect("read").is_empty());
    let state = store.exchange_state("ex_1").await.expect("read").expect("known");
    assert_eq!((state.status, state.reason.as_deref()), (ExchangeStatus::Parked, Some("provider_timed_out")));
    let backlog = store.backlog().await.expect("read");
    assert_eq!((backlog.queued, backlog.parked), (0, 1));
}

pub async fn users_take_turns_and_an_attempt_counts_before_it_begins(store: &dyn Store) {
    write!(store, |tx| {
        for (id, who) in [("ex_1", "anna"), ("ex_2", "anna"), ("ex_3", "anna"), ("ex_4", "budi"), ("ex_5", "budi")] {
            tx.enqueue(&exchange(id, Some(who))).await?;
        }
        tx.enqueue(&exchange("ex_6", None)).await
    });
    let due = async |limit: u32| {
        let due = store.due_exchanges(NOW, limit, Gathering::NONE).await.expect("read");
        due.into_iter().map(|due| (due.id, due.tries)).collect::<Vec<_>>()
    };
    let ids: Vec<String> = due(9).await.into_iter().map(|(id, _)| id).collect();
    assert_eq!(ids, ["ex_1", "ex_4", "ex_6", "ex_2", "ex_5", "ex_3"]);
    assert!(write!(store, |tx| tx.begin_exchange("ex_1").await));
    assert_eq!(due(2).await, [("ex_1".to_owned(), 1), ("ex_4".to_owned(), 0)]);
    write!(store, |tx| tx.settle_exchange("ex_1", NOW).await);
    let memories = &["mem_1".to_owned(), "mem_2".to_owned()];
    write!(store, |tx| tx.note_exchange("ex_1", "some_left_out", memories).await);
    assert!(!write!(store, |tx| tx.begin_exchange("ex_1").await), "it is learned");
    let state = store.exchange_state("ex_1").await.expect("read").expect("known");
    assert_eq!((state.status, state.reason.as_deref()), (ExchangeStatus::Learned, Some("some_left_out")));
    assert_eq!(state.memories, memories);
    write!(store, |tx| tx.note_exchange("ex_1", "some_left_out", &[]).await);
    assert!(store.exchange_state("ex_1").await.expect("read").expect("known").memories.is_empty());
}

pub async fn exchanges_of_a_user_wait_until_enough_are_there(store: &dyn Store) {
    let gathering = Gathering { exchanges: 3, bytes: 100, idle_ms: 20_000 };
    let due = async |ms: i64| {
        let due = store.due_exchanges(NOW.plus_ms(ms), 32, gathering).await.expect("read");
        due.into_iter().map(|due| due.id).collect::<Vec<_>>()
    };
    let arrives = async |id: &str, who: Option<&str>, after_ms: i64, change: &dyn Fn(&mut NewExchange)| {
        let mut new = exchange(id, who);
        new.received_at = NOW.plus_ms(after_ms);
        change(&mut new);
        let new = &new;
        write!(store, |tx| tx.enqueue(new).await);
    };
    let plain = |_: &mut NewExchange| {};
    // Exchanges without a user do not wait.
    arrives("ex_nobody", None, 0, &plain).await;
    arrives("ex_a1", Some("anna"), 0, &plain).await;
    arrives("ex_a2", Some("anna"), 15_000, &plain).await;
    assert_eq!(due(34_999).await, ["ex_nobody"]);
    assert_eq!(due(35_000).await, ["ex_nobody", "ex_a1", "ex_a2"], "nothing came for so long");
    arrives("ex_a3", Some("anna"), 34_000, &plain).await;
    assert_eq!(due(34_000).await, ["ex_nobody", "ex_a1", "ex_a2", "ex_a3"], "enough of them");
    // A long exchange is enough by itself, and so is one that was tried before or comes from an import.
    let long = |new: &mut NewExchange| new.exchange.message = "ü".repeat(50);
    arrives("ex_b1", Some("budi"), 0, &plain).await;
    assert!(!due(0).await.contains(&"ex_b1".to_owned()));
    arrives("ex_b2", Some("budi"), 0, &long).await;
    assert_eq!(due(0).await, ["ex_nobody", "ex_b1", "ex_b2"]);
    arrives("ex_c1", Some("carla"), 0, &plain).await;
    assert!(!due(0).await.contains(&"ex_c1".to_owned()));
    write!(store, |tx| tx.begin_exchange("ex_c1").await);
    assert!(due(0).await.contains(&"ex_c1".to_owned()));
    arrives("ex_d1", Some("dewi"), 0, &|new| new.imported = true).await;
    assert!(due(0).await.contains(&"ex_d1".to_owned()));
    // A request does not wait longer because of later exchanges.
    arrives("ex_e1", Some("eka"), 0, &|new| new.asks = true).await;
    arrives("ex_e2", Some("eka"), 19_000, &plain).await;
    let eka = async |ms: i64| due(ms).await.into_iter().filter(|id| id.starts_with("ex_e")).collect::<Vec<_>>();
    assert!(eka(19_999).await.is_empty());
    assert_eq!(eka(20_000).await, ["ex_e1", "ex_e2"]);
    // A postponed exchange is not due.
    write!(store, |tx| tx.postpone_exchange("ex_e1", 0, NOW.plus_ms(60_000)).await);
    assert!(eka(20_000).await.is_empty());
}

pub async fn a_turn_is_as_many_as_are_read_together(store: &dyn Store) {
    write!(store, |tx| {
        for n in 0..3 {
            tx.enqueue(&exchange(&format!("ex_n{n}"), None)).await?;
        }
        for n in 0..7 {
            for who in ["anna", "budi"] {
                tx.enqueue(&exchange(&format!("ex_{who}{n}"), Some(who))).await?;
            }
        }
        Ok(())
    });
    let due = async |limit: u32, exchanges: u32| {
        let gathering = Gathering { exchanges, bytes: 1 << 20, idle_ms: 0 };
        let due = store.due_exchanges(NOW, limit, gathering).await.expect("read");
        due.into_iter().map(|due| due.id.trim_start_matches("ex_").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(due(7, 3).await, ["n0", "anna0", "anna1", "anna2", "budi0", "budi1", "budi2"]);
    assert_eq!(due(32, 3).await[7..], ["n1", "anna3", "budi3", "n2"], "four of each, or one turn");
    assert_eq!(due(32, 6).await.len(), 3 + 2 * 6);
    assert_eq!(due(4, 1).await, ["n0", "anna0", "budi0", "n1"]);
}

pub async fn what_was_parked_can_be_queued_again(store: &dyn Store) {
    write!(store, |tx| tx.enqueue(&exchange("ex_1", None)).await);
    write!(store, |tx| tx.begin_exchange("ex_1").await);
    write!(store, |tx| tx.park_exchange("ex_1", "provider_bad_answer", NOW).await);
    assert_eq!(write!(store, |tx| tx.requeue_parked(NOW).await), 1);
    let due = store.due_exchanges(NOW, 9, Gathering::NONE).await.expect("read");
    assert_eq!((due[0].tries, due[0].exchange.message.as_str()), (0, "message ex_1"));
    assert_eq!(store.exchange_state("ex_1").await.expect("read").expect("known").reason, None);
}

pub async fn what_arrives_for_the_team_is_taken_out_once_and_goes_with_its_user(store: &dyn Database) {
    let said = |text: &str| Candidate {
        origin: Origin::User,
        kind: FactKind::Howto,
        content: Content::new(text).expect("valid"),
        importance: Importance::DEFAULT,
    };
    let (first, second, third) = (said("Deploys run on Fridays."), said("Ports are open."), said("Logs are kept."));
    let (anna, budi) = (&user("anna"), &user("budi"));
    let (one, two, three) = (&first, &second, &third);
    write!(store, |tx| {
        tx.hold_arrival(Some(anna), &web(), Some("t1"), NOW, one).await?;
        tx.hold_arrival(Some(budi), &web(), None, NOW.plus_ms(1), two).await?;
        tx.hold_arrival(None, &web(), None, NOW, three).await
    });
    let waiting = store.arrivals(9).await.expect("read");
    assert_eq!((waiting[0].source.as_deref(), waiting[1].source.as_deref()), (Some("t1"), None));
    let told: Vec<_> = waiting.iter().map(|arrival| (arrival.user.clone(), arrival.candidate.clone(), arrival.at)).collect();
    assert_eq!(told[0], (Some(anna.clone()), first.clone(), NOW));
    assert_eq!((told[1].0.as_ref(), told[2].0.as_ref()), (Some(budi), None));
    assert_eq!(store.arrivals(1).await.expect("read").len(), 1);
    // Waiting statements count towards the user's daily limit.
    assert_eq!(write!(store, |tx| tx.pending_of_day(anna, NOW.day()).await), 1);
    let no = waiting[1].no;
    assert!(write!(store, |tx| tx.take_arrival(no).await));
    assert!(!write!(store, |tx| tx.take_arrival(no).await));
    erase(store, "anna", ErasureScope::Contributions).await;
    let left: Vec<_> = store.arrivals(9).await.expect("read").into_iter().map(|arrival| arrival.user).collect();
    assert_eq!(left, [None]);
}

pub async fn an_answer_is_kept_for_its_key(store: &dyn Store) {
    let kept = StoredAnswer { body_digest: "body".to_owned(), answer: "ex_1".to_owned() };
    let answer = &kept;
    assert!(write!(store, |tx| tx.kept_answer("key").await).is_none());
    write!(store, |tx| tx.keep_answer("key", answer, Some(&user("anna")), NOW).await);
    let found = write!(store, |tx| tx.kept_answer("key").await).expect("kept");
    assert_eq!((found.body_digest.as_str(), found.answer.as_str()), ("body", "ex_1"));
}

pub async fn old_rows_are_purged(store: &dyn Store) {
    let kept = StoredAnswer { body_digest: "body".to_owned(), answer: "ex_1".to_owned() };
    let answer = &kept;
    write!(store, |tx| {
        for id in ["ex_learned", "ex_parked", "ex_queued"] {
            tx.enqueue(&exchange(id, None)).await?;
        }
        tx.settle_exchange("ex_learned", NOW).await?;
        tx.park_exchange("ex_parked", "provider_bad_answer", NOW).await?;
        tx.keep_answer("key", answer, None, NOW).await
    });
    write!(store, |tx| tx.purge_inbox(NOW.plus_ms(1), NOW).await);
    assert!(store.exchange_state("ex_learned").await.expect("read").is_none());
    assert!(store.exchange_state("ex_parked").await.expect("read").is_some(), "its time has not come");
    assert!(write!(store, |tx| tx.kept_answer("key").await).is_none());
    write!(store, |tx| tx.purge_inbox(NOW.plus_ms(1), NOW.plus_ms(1)).await);
    assert!(store.exchange_state("ex_parked").await.expect("read").is_none());
    assert_eq!(store.due_exchanges(NOW, 9, Gathering::NONE).await.expect("read").len(), 1, "what waits is never purged");
}

pub async fn a_moment_of_a_conversation_names_what_was_said_then(store: &dyn Store) {
    let (anna, budi, web, then) = (&user("anna"), &user("budi"), &web(), NOW.plus_ms(7));
    let at = |id: &str, who: &str, at| {
        let mut new = exchange(id, Some(who));
        new.exchange.at = at;
        new
    };
    let waiting = [at("ex_1", "anna", NOW), at("ex_2", "anna", then), at("ex_3", "budi", NOW), at("ex_4", "anna", NOW)];
    for new in &waiting {
        write!(store, |tx| tx.enqueue(new).await);
    }
    write!(store, |tx| tx.settle_exchange("ex_4", NOW).await);
    let mut later = memory("mem_2", 2);
    later.at = then;
    let (first, later, others) = (&memory("mem_1", 1), &later, &memory("mem_3", 3));
    write!(store, |tx| {
        tx.insert_memory(anna, first).await?;
        tx.insert_memory(anna, later).await?;
        tx.insert_memory(budi, others).await
    });
    for (thread, moment, exchanges, memories) in [
        ("t1", NOW, vec!["ex_1"], vec!["mem_1"]),
        ("t1", then, vec!["ex_2"], vec!["mem_2"]),
        ("t2", NOW, vec![], vec![]),
        ("t1", NOW.plus_ms(1), vec![], vec![]),
    ] {
        let said = &SaidAt { user: anna, surface: web, thread, at: moment };
        let found = write!(store, |tx| Ok((tx.waiting_since(said).await?, tx.brought_at(said).await?)));
        assert_eq!(
            found,
            (exchanges.into_iter().map(str::to_owned).collect(), memories.into_iter().map(str::to_owned).collect())
        );
    }
    write!(store, |tx| tx.reword_memory(anna, "mem_1", &wording("changed", 1), NOW.plus_ms(9)).await);
    let said = &SaidAt { user: anna, surface: web, thread: "t1", at: NOW };
    assert!(write!(store, |tx| tx.brought_at(said).await).is_empty(), "it says something else by now");
    let for_team = &Candidate {
        kind: FactKind::Fact,
        content: Content::new("The kiln is fired on Fridays").expect("fits"),
        importance: Importance::DEFAULT,
        origin: Origin::Assistant,
    };
    let (here, there) = (&source_in(web, "t1"), &source_in(web, "t2"));
    write!(store, |tx| {
        tx.hold_arrival(Some(anna), web, Some(here), NOW, for_team).await?;
        for (who, source, at) in [(anna, here, then), (anna, there, NOW), (budi, here, NOW)] {
            tx.hold_arrival(Some(who), web, Some(source), at, for_team).await?;
        }
        Ok(())
    });
    assert_eq!(write!(store, |tx| tx.withdraw_arrivals(said).await), 1);
    let left: Vec<_> = store.arrivals(9).await.expect("read").into_iter().map(|left| (left.user, left.source, left.at)).collect();
    let stays = [(anna, here, then), (anna, there, NOW), (budi, here, NOW)];
    assert_eq!(left, stays.map(|(who, source, at)| (Some(who.clone()), Some(source.clone()), at)));
}
