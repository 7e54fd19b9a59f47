//! Data for tuning: settings history, similarities of past writes, and near misses.

use super::sample::{NOW, axis, fact, insert, memory, user, wording, write};
use domain::moment::DAY_MS;
use ports::store::Store;
use ports::store::facts::FactMerge;
use ports::store::memories::{MemoryMerge, MergeCause};
use ports::store::operate::settings::Measure;
use ports::store::operate::settings::StoredSetting;

pub async fn the_history_of_settings_is_newest_first_and_knows_what_belonged_together(store: &dyn Store) {
    for (key, version, value, change) in
        [("merge.global", 1, "0.91", "set_1"), ("merge.personal", 1, "0.88", "set_1"), ("merge.global", 2, "0.92", "set_2")]
    {
        let new = StoredSetting { key: key.to_owned(), value: value.to_owned(), version };
        let new = &new;
        write!(store, |tx| tx.write_setting(new, Some("0.90"), "op_1", change, NOW).await);
    }
    let history = store.settings_history(None, 9).await.expect("read");
    let shown: Vec<_> = history.iter().map(|row| (row.key.as_str(), row.new.as_str(), row.change_id.as_deref())).collect();
    assert_eq!(
        shown,
        [
            ("merge.global", "0.92", Some("set_2")),
            ("merge.personal", "0.88", Some("set_1")),
            ("merge.global", "0.91", Some("set_1"))
        ]
    );
    assert_eq!((history[0].by.as_str(), history[0].old.as_deref(), history[0].at), ("op_1", Some("0.90"), NOW));
    let older = store.settings_history(Some(history[0].seq), 1).await.expect("read");
    assert_eq!(older, [history[1].clone()]);
    let mut last = store.last_changes().await.expect("read");
    last.sort_by_key(|row| row.seq);
    assert_eq!(last, [history[1].clone(), history[0].clone()]);
    assert_eq!(store.setting_version("merge.global", 1).await.expect("read"), Some(history[2].clone()));
    assert_eq!(store.setting_version("merge.global", 7).await.expect("read"), None);
}

pub async fn similarities_of_past_writes_come_back_as_numbers(store: &dyn Store) {
    insert(store, &user("anna"), &[memory("mem_1", 1)]).await;
    let old = NOW.plus_ms(-9 * DAY_MS);
    for (n, (cause, similarity, at)) in [
        (MergeCause::Merge, 0.875, NOW),
        (MergeCause::Correction, 0.75, NOW),
        (MergeCause::Change, 0.375, NOW),
        (MergeCause::Merge, 0.5, old),
    ]
    .into_iter()
    .enumerate()
    {
        let merge = MemoryMerge {
            id: format!("mrg_{n}"),
            memory_id: "mem_1".to_owned(),
            cause,
            similarity,
            at,
            before: wording("statement mem_1", 1),
            before_updated_at: NOW,
            incoming: wording("another statement", 2),
        };
        let entry = &merge;
        write!(store, |tx| tx.record_merge(&user("anna"), entry).await);
    }
    write!(store, |tx| {
        tx.insert_fact(&fact("gf_1", 1)).await?;
        tx.insert_fact(&fact("gf_2", 2)).await?;
        let merge = FactMerge {
            id: "mrg_9".to_owned(),
            fact_id: "gf_1".to_owned(),
            content: "Said otherwise.".to_owned(),
            vector: axis(1),
            similarity: 0.9375,
            at: NOW,
        };
        tx.record_fact_merge(&merge, None).await?;
        tx.flag_contradiction("gf_1", "gf_2", 0.8125, NOW).await
    });
    let since = NOW.plus_ms(-DAY_MS);
    for (measure, expected) in [
        (Measure::Personal, 0.875),
        (Measure::Correction, 0.75),
        (Measure::Change, 0.375),
        (Measure::Global, 0.9375),
        (Measure::Related, 0.8125),
    ] {
        assert_eq!(store.passed(measure, since).await.expect("read"), [expected], "{measure:?}");
    }
    assert_eq!(store.passed(Measure::Personal, old).await.expect("read").len(), 2);
}

pub async fn writes_that_stayed_apart_are_counted_by_their_nearness(store: &dyn Store) {
    let old = NOW.plus_ms(-9 * DAY_MS);
    write!(store, |tx| {
        for hundredth in [0, 77, 77] {
            tx.count_near_miss(Measure::Global, NOW, hundredth, 1).await?;
        }
        tx.count_near_miss(Measure::Global, old, 77, 1).await?;
        for measure in [Measure::Personal, Measure::Correction, Measure::Change, Measure::Recall] {
            tx.count_near_miss(measure, NOW, 40, 1).await?;
            tx.count_near_miss(measure, NOW, 40, 2).await?;
        }
        Ok(())
    });
    let since = NOW.plus_ms(-DAY_MS);
    assert_eq!(store.near_misses(Measure::Global, since).await.expect("read"), [(0, 1), (77, 2)]);
    assert_eq!(store.near_misses(Measure::Global, old).await.expect("read"), [(0, 1), (77, 3)]);
    assert_eq!(store.near_misses(Measure::Change, since).await.expect("read"), [(40, 3)]);
    assert_eq!(store.near_misses(Measure::Recall, since).await.expect("read"), [(40, 3)]);
    assert_eq!(store.near_misses(Measure::Related, since).await.expect("read"), []);
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
