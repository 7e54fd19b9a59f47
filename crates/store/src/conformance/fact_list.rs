//! Finding facts, and the history of one.

use super::sample::{NOW, axis, fact, web, write};
use domain::facts::fact::FactKind;
use domain::facts::provenance::Surface;
use domain::memory::Importance;
use domain::moment::DAY_MS;
use ports::store::Store;
use ports::store::facts::decisions::FactRewording;
use ports::store::facts::{FactFilter, FactOrder, Slice, SortKey, TextFilter};
use ports::store::operate::audit::AuditRow;

async fn found(store: &dyn Store, filter: FactFilter) -> Vec<String> {
    let ids = store.find_facts(&filter, Slice::ALL).await.expect("read");
    assert_eq!(store.count_matching(&filter).await.expect("read"), ids.len() as u64, "{filter:?}");
    ids.into_iter().map(|(id, _)| id).collect()
}

async fn with_words(store: &dyn Store, words: &str) -> Vec<String> {
    found(store, FactFilter { search: Some(TextFilter::Words(words.to_owned())), ..FactFilter::default() }).await
}

async fn insert(store: &dyn Store, id: &str, n: usize, content: &str) {
    let mut new = fact(id, n);
    content.clone_into(&mut new.content);
    new.at = NOW.plus_ms(i64::try_from(n).unwrap_or_default());
    let new = &new;
    write!(store, |tx| tx.insert_fact(new).await);
}

pub async fn facts_are_found_by_words_and_by_the_start_of_their_id(store: &dyn Store) {
    insert(store, "gf_a1", 1, "Preview environments use ports 7300–7399.").await;
    insert(store, "gf_a2", 2, "The Café terminal closes at nine.").await;
    insert(store, "gf_b1", 3, "Preview data is copied at night.").await;
    for (words, wanted) in [
        ("preview", vec!["gf_a1", "gf_b1"]),
        ("PREV ports", vec!["gf_a1"]),
        ("7399", vec!["gf_a1"]),
        ("cafe", vec!["gf_a2"]),
        ("preview OR cafe", vec![]),
        ("nine\"", vec!["gf_a2"]),
        ("review", vec![]),
        ("–", vec![]),
    ] {
        assert_eq!(with_words(store, words).await, wanted, "{words}");
    }
    let by_id = |start: &str| FactFilter { search: Some(TextFilter::Id(start.to_owned())), ..FactFilter::default() };
    assert_eq!(found(store, by_id("gf_a")).await, ["gf_a1", "gf_a2"]);
    assert_eq!(found(store, by_id("gf_b1")).await, ["gf_b1"]);
    assert!(found(store, by_id("gf_*")).await.is_empty());
}

pub async fn search_follows_edits_and_deletions(store: &dyn Store) {
    insert(store, "gf_1", 1, "The relay listens on amber.").await;
    let to = FactRewording {
        kind: FactKind::Fact,
        content: "The relay listens on violet.".to_owned(),
        importance: Importance::DEFAULT,
        vector: axis(1),
    };
    let to = &to;
    assert!(write!(store, |tx| tx.reword_fact("gf_1", 1, to, NOW).await));
    assert!(with_words(store, "amber").await.is_empty());
    assert_eq!(with_words(store, "violet").await, ["gf_1"]);
    assert!(write!(store, |tx| tx.delete_fact("gf_1", 2).await));
    assert!(with_words(store, "violet").await.is_empty() && with_words(store, "relay").await.is_empty());
}

pub async fn a_word_in_a_run_without_spaces_finds_its_fact(store: &dyn Store) {
    insert(store, "gf_zh", 0, "发布说明写在公司的知识库里。").await;
    insert(store, "gf_ja", 1, "リリースノートは社内ウィキにあります。").await;
    insert(store, "gf_ko", 2, "배포는 매주 화요일에 합니다.").await;
    for (word, found) in [
        ("知识", "gf_zh"),
        ("知识库", "gf_zh"),
        ("库", "gf_zh"),
        ("ウィキ", "gf_ja"),
        ("社内", "gf_ja"),
        ("화요일", "gf_ko"),
        ("里", "gf_zh"),
    ] {
        assert_eq!(with_words(store, word).await, [found], "{word}");
    }
    assert!(with_words(store, "知库").await.is_empty(), "its characters stand apart");
    assert!(write!(store, |tx| tx.delete_fact("gf_zh", 1).await));
    assert!(with_words(store, "知识").await.is_empty());
}

pub async fn lists_sort_and_slice_and_count(store: &dyn Store) {
    write!(store, |tx| {
        for (n, importance) in [2, 5, 1, 4].into_iter().enumerate() {
            let mut new = fact(&format!("gf_{n}"), n);
            new.importance = Importance::new(importance).expect("valid");
            new.kind = if n == 0 { FactKind::Howto } else { FactKind::Fact };
            new.at = NOW.plus_ms(i64::try_from(n).unwrap_or_default());
            tx.insert_fact(&new).await?;
        }
        tx.count_fact_recalls(&["gf_2".to_owned()], &web(), NOW).await
    });
    let sorted = async |key: SortKey, descending: bool, slice: Slice| {
        let filter = FactFilter { order: FactOrder::by(key, descending), ..FactFilter::default() };
        store.find_facts(&filter, slice).await.expect("read").into_iter().map(|(id, _)| id).collect::<Vec<_>>()
    };
    assert_eq!(sorted(SortKey::Created, true, Slice::ALL).await, ["gf_3", "gf_2", "gf_1", "gf_0"]);
    assert_eq!(sorted(SortKey::Importance, true, Slice { skip: 1, limit: 2 }).await, ["gf_3", "gf_0"]);
    assert_eq!(sorted(SortKey::Recalls, true, Slice { skip: 0, limit: 1 }).await, ["gf_2"]);
    assert_eq!(sorted(SortKey::Recalls, false, Slice { skip: 3, limit: 9 }).await, ["gf_2"]);
    assert_eq!(sorted(SortKey::Contributors, false, Slice { skip: 0, limit: 2 }).await, ["gf_0", "gf_1"]);
    let important = FactFilter { min_importance: Importance::new(4).ok(), ..FactFilter::default() };
    assert_eq!(found(store, important).await, ["gf_1", "gf_3"]);
    assert_eq!(found(store, FactFilter { kinds: vec![FactKind::Howto], ..FactFilter::default() }).await, ["gf_0"]);
}

pub async fn recalls_are_summed_by_surface_since_a_day(store: &dyn Store) {
    insert(store, "gf_1", 1, "A fact.").await;
    let (ids, mcp) = (["gf_1".to_owned()], Surface::new("mcp").expect("valid"));
    let (ids, mcp) = (&ids, &mcp);
    write!(store, |tx| {
        for days in [0, 1, 40] {
            tx.count_fact_recalls(ids, &web(), NOW.plus_ms(-days * DAY_MS)).await?;
        }
        tx.count_fact_recalls(ids, mcp, NOW).await
    });
    let since = NOW.plus_ms(-30 * DAY_MS);
    let recalls = store.recalls_by_surface("gf_1", since).await.expect("read");
    assert_eq!(recalls, [("web".to_owned(), 2), ("mcp".to_owned(), 1)]);
    assert!(store.recalls_by_surface("gf_2", since).await.expect("read").is_empty());
    let today = NOW.day();
    assert_eq!(store.recalls_by_day("gf_1", since).await.expect("read"), [(today - 1, 1), (today, 2)]);
    assert!(store.recalls_by_day("gf_2", since).await.expect("read").is_empty());
}

pub async fn the_record_of_one_fact_is_read_newest_first(store: &dyn Store) {
    for (seq, target) in [(1, "gf_1"), (2, "gf_2"), (3, "gf_1")] {
        let row = AuditRow {
            seq,
            at: NOW,
            actor_kind: "operator".to_owned(),
            actor_id: "op_1".to_owned(),
            action: "fact.approved".to_owned(),
            target: Some(target.to_owned()),
            user_digest: None,
            detail: None,
            reason_digest: None,
            prev_hash: "0".to_owned(),
            hash: format!("h{seq}"),
        };
        let row = &row;
        write!(store, |tx| tx.append_audit(row).await);
    }
    let of =
        async |limit: u32| -> Vec<i64> { store.audit_of("gf_1", limit).await.expect("read").iter().map(|row| row.seq).collect() };
    assert_eq!(of(9).await, [3, 1]);
    assert_eq!(of(1).await, [3]);
}

pub async fn one_contradiction_is_closed_and_others_stay(store: &dyn Store) {
    for n in 1..=3 {
        insert(store, &format!("gf_{n}"), n, "A fact.").await;
    }
    write!(store, |tx| {
        tx.flag_contradiction("gf_1", "gf_2", 0.9, NOW).await?;
        tx.flag_contradiction("gf_2", "gf_3", 0.9, NOW).await
    });
    let contradicted = FactFilter { contradicted: Some(true), ..FactFilter::default() };
    assert_eq!(found(store, contradicted.clone()).await, ["gf_1", "gf_2", "gf_3"]);
    assert!(write!(store, |tx| tx.resolve_pair("gf_2", "gf_1", NOW).await));
    assert!(!write!(store, |tx| tx.resolve_pair("gf_1", "gf_2", NOW).await), "once");
    assert_eq!(found(store, contradicted).await, ["gf_2", "gf_3"]);
}
