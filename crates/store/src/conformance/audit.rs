//! The audit log: its chain of rows, searching it, and reasons.

use super::sample::{NOW, write};
use domain::moment::{DAY_MS, HOUR_MS, Moment};
use ports::store::Store;
use ports::store::operate::audit::{AuditFilter, AuditRow, AuditSearch};

struct SampleEntry<'a> {
    seq: i64,
    at: Moment,
    actor: &'a str,
    action: &'a str,
    target: Option<&'a str>,
    digest: Option<&'a str>,
}

async fn tell(store: &dyn Store, told: SampleEntry<'_>) {
    let row = AuditRow {
        seq: told.seq,
        at: told.at,
        actor_kind: "operator".to_owned(),
        actor_id: told.actor.to_owned(),
        action: told.action.to_owned(),
        target: told.target.map(str::to_owned),
        user_digest: told.digest.map(str::to_owned),
        detail: None,
        reason_digest: None,
        prev_hash: "0".to_owned(),
        hash: format!("h{}", told.seq),
    };
    let row = &row;
    write!(store, |tx| tx.append_audit(row).await);
}

async fn sample(store: &dyn Store) {
    let today = Moment(NOW.day() * DAY_MS);
    let (yesterday, late) = (today.plus_ms(-HOUR_MS), today.plus_ms(20 * 60 * 1000));
    let row = |seq, at, actor, action, target, digest| SampleEntry { seq, at, actor, action, target, digest };
    for told in [
        row(1, yesterday, "op_1", "operator.signed_in", None, None),
        row(2, yesterday, "op_1", "fact.approved", Some("gf_1"), None),
        row(3, late, "op_2", "user.opened", None, Some("d1")),
        // The system's actions carry only the hour, so this row has an earlier time than the previous one.
        row(4, today, "system", "fact.promoted", Some("gf_2"), None),
        row(5, late, "op_2", "fact.approved", Some("gf_2"), None),
    ] {
        tell(store, told).await;
    }
    write!(store, |tx| tx.keep_reason(3, "SUP-4471 access request").await);
}

pub async fn the_log_filters_and_pages_newest_first(store: &dyn Store) {
    sample(store).await;
    let today = Some(Moment(NOW.day() * DAY_MS));
    let seqs = async |filter: AuditFilter, limit| {
        let rows = store.audit_page(&filter, limit).await.expect("read");
        rows.into_iter().map(|row| row.row.seq).collect::<Vec<_>>()
    };
    let any = AuditFilter::default;
    assert_eq!(seqs(any(), 3).await, [5, 4, 3]);
    assert_eq!(seqs(AuditFilter { before: Some(3), ..any() }, 3).await, [2, 1]);
    assert_eq!(seqs(AuditFilter { since: today, ..any() }, 9).await, [5, 4, 3]);
    assert_eq!(seqs(AuditFilter { actions: vec!["fact.approved".to_owned()], ..any() }, 9).await, [5, 2]);
    assert_eq!(seqs(AuditFilter { actors: vec!["op_1".to_owned()], ..any() }, 9).await, [2, 1]);
    let both = AuditFilter { actions: vec!["fact.approved".to_owned()], actors: vec!["op_1".to_owned()], ..any() };
    assert_eq!(seqs(both, 9).await, [2]);
    let sought = |sought: AuditSearch| AuditFilter { sought: Some(sought), ..any() };
    let nothing = || AuditSearch { target: "-".to_owned(), reason: "-".to_owned(), actors: Vec::new() };
    assert_eq!(seqs(sought(AuditSearch { target: "gf_2".to_owned(), ..nothing() }), 9).await, [5, 4]);
    assert_eq!(
        seqs(sought(AuditSearch { actors: vec!["op_1".to_owned(), "system".to_owned()], ..nothing() }), 9).await,
        [4, 2, 1]
    );
    assert_eq!(seqs(sought(AuditSearch { reason: "sup-44".to_owned(), ..nothing() }), 9).await, [3]);
    assert!(seqs(sought(nothing()), 9).await.is_empty());
    let narrowed = AuditFilter { since: today, ..sought(AuditSearch { actors: vec!["op_1".to_owned()], ..nothing() }) };
    assert!(seqs(narrowed, 9).await.is_empty());

    let several = AuditFilter { actions: vec!["operator.signed_in".to_owned(), "user.opened".to_owned()], ..any() };
    assert_eq!(seqs(several.clone(), 9).await, [3, 1]);
    let of_one = AuditFilter { actors: vec!["op_1".to_owned(), "system".to_owned()], ..several };
    assert_eq!(seqs(of_one, 9).await, [1]);
    assert_eq!(seqs(AuditFilter { until: today, ..any() }, 9).await, [2, 1]);
    let on_target = AuditFilter { target: Some("gf_2".to_owned()), actions: vec!["fact.approved".to_owned()], ..any() };
    assert_eq!(seqs(on_target.clone(), 9).await, [5]);
    for (filter, count) in [(any(), 5), (on_target, 1), (AuditFilter { before: Some(3), until: today, ..any() }, 2)] {
        assert_eq!(store.count_audit(&filter).await.expect("read"), count, "{filter:?}");
    }
}

pub async fn what_operators_did_is_counted_by_day(store: &dyn Store) {
    sample(store).await;
    let today = NOW.day();
    let row = |seq, action| SampleEntry {
        seq,
        at: Moment(today * DAY_MS + HOUR_MS),
        actor: "op_2",
        action,
        target: None,
        digest: None,
    };
    for told in [row(6, "fact.approved"), row(7, "fact.undone"), row(8, "fact.edited")] {
        tell(store, told).await;
    }
    let actions = ["fact.approved".to_owned(), "fact.undone".to_owned()];
    let counted = async |since: i64| {
        let actions = store.actions_by_day(&actions, Moment(since * DAY_MS)).await.expect("read");
        actions
            .into_iter()
            .map(|actions| (actions.operator_id, actions.day - today, actions.action, actions.times))
            .collect::<Vec<_>>()
    };
    let told = |who: &str, day: i64, action: &str, times: i64| (who.to_owned(), day, action.to_owned(), times);
    let of_today = [told("op_2", 0, "fact.approved", 2), told("op_2", 0, "fact.undone", 1)];
    assert_eq!(counted(today).await, of_today);
    assert_eq!(counted(today - 1).await, [&[told("op_1", -1, "fact.approved", 1)][..], &of_today].concat());
    assert!(counted(today + 1).await.is_empty());
}

pub async fn rows_of_one_bulk_decision_are_one_entry(store: &dyn Store) {
    let row = |seq, at, actor, action, target| SampleEntry { seq, at, actor, action, target: Some(target), digest: None };
    let later = NOW.plus_ms(1);
    for told in [
        row(1, NOW, "op_1", "fact.approved", "gf_1"),
        row(2, NOW, "op_1", "fact.approved", "gf_2"),
        row(3, NOW, "op_1", "fact.rejected", "gf_3"),
        row(4, NOW, "op_1", "fact.approved", "gf_4"),
        row(5, NOW, "op_2", "fact.approved", "gf_5"),
        row(6, later, "op_2", "fact.approved", "gf_6"),
        row(7, later, "op_2", "fact.approved", "gf_7"),
        row(8, later, "op_2", "fact.approved", "gf_8"),
        row(9, later, "op_2", "setting.changed", "one"),
        row(10, later, "op_2", "setting.changed", "two"),
    ] {
        tell(store, told).await;
    }
    let bulk = || vec!["fact.approved".to_owned(), "fact.rejected".to_owned()];
    let entries = async |filter: AuditFilter, limit| {
        let lines = store.audit_page(&filter, limit).await.expect("read");
        lines.into_iter().map(|line| (line.row.seq, line.rows())).collect::<Vec<_>>()
    };
    let all = AuditFilter { bulk: bulk(), ..AuditFilter::default() };
    assert_eq!(entries(all.clone(), 99).await, [(10, 1), (9, 1), (8, 3), (5, 1), (4, 1), (3, 1), (2, 2)]);
    assert_eq!(store.count_audit(&all).await.expect("read"), 7);
    assert_eq!(
        entries(AuditFilter { before: Some(6), ..all.clone() }, 2).await,
        [(5, 1), (4, 1)],
        "a page starts below an entry"
    );
    let approved = AuditFilter { actions: vec!["fact.approved".to_owned()], ..all };
    assert_eq!(entries(approved, 99).await, [(8, 3), (5, 1), (4, 1), (2, 2)]);
    assert_eq!(store.count_audit(&AuditFilter::default()).await.expect("read"), 10, "without it every row is an entry");
}

pub async fn rows_about_a_user_come_with_their_reasons(store: &dyn Store) {
    sample(store).await;
    let rows = store.audit_about("d1", None, 9).await.expect("read");
    assert_eq!((rows.len(), rows[0].row.seq, rows[0].reason.as_deref()), (1, 3, Some("SUP-4471 access request")));
    assert!(store.audit_about("d1", Some(3), 9).await.expect("read").is_empty());
    assert_eq!(store.count_audit_about("d1").await.expect("read"), 1);
    assert_eq!(store.count_audit_about("d2").await.expect("read"), 0);
}

fn row(seq: i64, hash: &str) -> AuditRow {
    AuditRow {
        seq,
        at: NOW,
        actor_kind: "system".to_owned(),
        actor_id: "system".to_owned(),
        action: "fact.promoted".to_owned(),
        target: Some("gf_1".to_owned()),
        user_digest: None,
        detail: None,
        reason_digest: None,
        prev_hash: "0".to_owned(),
        hash: hash.to_owned(),
    }
}

pub async fn the_audit_log_cannot_be_changed(store: &dyn Store) {
    assert!(write!(store, |tx| tx.audit_head().await).is_none());
    write!(store, |tx| tx.append_audit(&row(1, "h1")).await);
    write!(store, |tx| tx.append_audit(&row(2, "h2")).await);
    assert_eq!(write!(store, |tx| tx.audit_head().await), Some((2, "h2".to_owned())));
    assert_eq!(store.audit_after(1, 9).await.expect("read"), [row(2, "h2")]);
    let mut tx = store.begin().await.expect("begun");
    assert!(tx.append_audit(&row(2, "h3")).await.is_err(), "a number is given once");
    let beside_a_user = AuditRow { user_digest: Some("d".to_owned()), ..row(3, "h3") };
    assert!(tx.append_audit(&beside_a_user).await.is_err(), "never a user beside a team fact");
}

pub async fn a_reason_stands_beside_its_row_alone(store: &dyn Store) {
    let row = AuditRow {
        seq: 1,
        at: NOW,
        actor_kind: "operator".to_owned(),
        actor_id: "op_1".to_owned(),
        action: "user.asked_as".to_owned(),
        target: None,
        user_digest: Some("d".to_owned()),
        detail: None,
        reason_digest: Some("r".to_owned()),
        prev_hash: "0".to_owned(),
        hash: "h1".to_owned(),
    };
    let entry = &row;
    write!(store, |tx| {
        tx.append_audit(entry).await?;
        tx.keep_reason(1, "SUP-4471").await
    });
    assert_eq!(store.audit_after(0, 9).await.expect("read"), std::slice::from_ref(&row));
    let mut tx = store.begin().await.expect("begun");
    assert!(tx.keep_reason(2, "SUP-1").await.is_err(), "there is no such row");
}
