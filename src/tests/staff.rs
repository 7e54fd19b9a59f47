//! Operators at the console: added, shut out, given rights and passwords, and never left without an editor.

use keepsake::domain::problem::Problem;
use keepsake::ports::store::desk::{DeskReads, Rights};
use keepsake::ports::store::record::RecordReads;
use keepsake::service::audit::Actor;
use keepsake::service::{Error, staff};

use crate::house::{House, PASSWORD};
use crate::visit::{Visit, sign_in};

const HERE: &str = "/manage/operators";
const ADD: &str = "act=add&email=tomas%40example.org&name=Tom%C3%A1s+Lind&rights=edit";

fn password(html: &str) -> String {
    let shown = html.split("data-testid=\"password\">").nth(1).expect("a password is shown");
    shown.split('<').next().expect("text").to_owned()
}

async fn actions(house: &House) -> Vec<String> {
    house.store.audit_after(0, 10_000).await.expect("read").into_iter().map(|row| row.action).collect()
}

#[tokio::test]
async fn an_added_operator_has_a_password_that_is_shown_once() {
    let house = House::new().await;
    let desk = Visit::editor(&house).await;
    let added = desk.submit(HERE, HERE, ADD).await;
    assert_eq!((added.status, added.cache.as_str(), added.location), (200, "no-store", None));
    let password = password(&added.body);
    assert!(password.len() >= 20);
    assert!(!desk.page(HERE).await.body.contains(&password), "once");
    let rows = house.store.audit_after(0, 10_000).await.expect("read");
    assert!(!format!("{rows:?}").contains(&password) && !format!("{rows:?}").contains("tomas@"));
    assert!(sign_in(&house, "tomas@example.org", &password).await.is_some());
    let again = desk.submit(HERE, HERE, ADD).await;
    assert!(again.body.contains("belongs to an operator already") && again.body.contains("tomas@example.org"), "kept, and said");
    assert_eq!(again.status, 422);
}

#[tokio::test]
async fn a_viewer_sees_the_list_and_changes_nothing() {
    let house = House::new().await;
    let (editor, viewer) = (Visit::editor(&house).await, Visit::viewer(&house).await);
    let list = viewer.page(HERE).await;
    assert!(list.body.contains("Priya Raman") && list.body.contains("Jun Abe"));
    assert!(!list.body.contains("Add an operator") && !list.body.contains("Make view only"));
    let before = actions(&house).await;
    assert_eq!(viewer.call(HERE, ADD).await.status, 403);
    assert_eq!(viewer.submit(HERE, HERE, ADD).await.status, 303);
    for (path, form) in [
        ("/calls/staff/disable", format!("operator={}", editor.id)),
        ("/calls/staff/rights", format!("operator={}&seen=edit&rights=view", editor.id)),
        ("/calls/staff/rights", format!("operator={}&seen=view&rights=edit", viewer.id)),
    ] {
        assert_eq!(viewer.call(path, &form).await.status, 403, "{path}");
    }
    assert_eq!(actions(&house).await, before);
    assert_eq!(house.store.operators().await.expect("read").len(), 2);
}

#[tokio::test]
async fn a_disabled_operator_is_out_at_once_and_cannot_come_back() {
    let house = House::new().await;
    let (editor, viewer) = (Visit::editor(&house).await, Visit::viewer(&house).await);
    assert_eq!(viewer.page("/review").await.status, 200);
    let asked = editor.page(&format!("{HERE}?disable={}", viewer.id)).await.body;
    assert!(asked.contains("Disable Jun Abe?"));
    let done = editor.submit(HERE, "/calls/staff/disable", &format!("operator={}", viewer.id)).await;
    assert_eq!((done.status, done.location.as_deref()), (303, Some(HERE)));
    assert_eq!(viewer.page("/review").await.status, 303);
    assert!(sign_in(&house, "jun@example.org", PASSWORD).await.is_none());
    assert!(editor.page(HERE).await.body.contains("Operator disabled."), "and it is said");
    assert_eq!(actions(&house).await.iter().filter(|action| *action == "operator.disabled").count(), 1);
}

#[tokio::test]
async fn rights_count_on_the_next_request() {
    let house = House::new().await;
    let (editor, viewer) = (Visit::editor(&house).await, Visit::viewer(&house).await);
    let give = format!("operator={}&seen=view&rights=edit", viewer.id);
    assert_eq!(editor.call("/calls/staff/rights", &give).await.status, 200);
    assert!(viewer.page(HERE).await.body.contains("Add an operator"));
    let stale = format!("operator={}&seen=edit&rights=view", editor.id);
    assert_eq!(viewer.call("/calls/staff/rights", &stale).await.status, 200);
    assert_eq!(editor.call("/calls/staff/rights", &stale).await.status, 403, "demoted, at once");
    assert_eq!(viewer.call("/calls/staff/rights", &format!("operator={}&seen=view&rights=owner", editor.id)).await.status, 422);
    assert!(actions(&house).await.contains(&"operator.rights_changed".to_owned()));
}

#[tokio::test]
async fn the_last_editor_stays() {
    let house = House::new().await;
    let (editor, _viewer) = (Visit::editor(&house).await, Visit::viewer(&house).await);
    for (path, form) in [
        ("/calls/staff/disable", format!("operator={}", editor.id)),
        ("/calls/staff/rights", format!("operator={}&seen=edit&rights=view", editor.id)),
    ] {
        let answer = editor.call(path, &form).await;
        assert_eq!(answer.status, 409, "{path}");
        assert!(answer.body.contains("last_editor"));
    }
    assert_eq!(editor.stored().await.rights, Rights::Edit);
    staff::disable_operator(house.store.as_ref(), house.clock.as_ref(), &Actor::CommandLine, "priya@example.org")
        .await
        .expect("the command line may");
}

#[tokio::test]
async fn two_editors_who_shut_each_other_out_leave_one() {
    for _ in 0..10 {
        let house = House::new().await;
        let one = Visit::editor(&house).await;
        let other = Visit::of(&house, "tomas@example.org", "Tomás Lind", Rights::Edit).await;
        let proof = async |visit: &Visit<'_>| {
            keepsake::access::operators::viewer(house.store.as_ref(), &visit.id).await.expect("read").expect("there")
        };
        let (first, second) = (proof(&one).await, proof(&other).await);
        let (first, second) = (first.editor().expect("edits"), second.editor().expect("edits"));
        let (a, b) = tokio::join!(
            house.keepsake.shut_out(first, &other.id),
            house.keepsake.set_rights(second, &one.id, Rights::Edit, Rights::View)
        );
        let refused = [a, b].into_iter().filter(|outcome| matches!(outcome, Err(Error::Refused(Problem::LastEditor)))).count();
        assert_eq!(refused, 1);
        let operators = house.store.operators().await.expect("read");
        assert_eq!(operators.iter().filter(|operator| operator.rights == Rights::Edit && !operator.disabled).count(), 1);
    }
}

#[tokio::test]
async fn a_reset_ends_the_operators_sessions() {
    let house = House::new().await;
    let (editor, viewer) = (Visit::editor(&house).await, Visit::viewer(&house).await);
    let reset = editor.submit(HERE, HERE, &format!("act=reset&operator={}", viewer.id)).await;
    let password = password(&reset.body);
    assert_eq!(viewer.page("/review").await.status, 303, "open sessions end");
    assert!(sign_in(&house, "jun@example.org", PASSWORD).await.is_none());
    assert!(sign_in(&house, "jun@example.org", &password).await.is_some());
    assert_eq!(editor.page("/review").await.status, 200);
}

#[tokio::test]
async fn changing_ones_own_password_needs_the_present_one_and_ends_other_sessions() {
    let house = House::new().await;
    let desk = Visit::viewer(&house).await;
    let elsewhere =
        Visit { house: &house, cookie: sign_in(&house, "jun@example.org", PASSWORD).await.expect("in"), id: desk.id.clone() };
    let present = PASSWORD.replace(' ', "+");
    let form = |present: &str, new: &str| format!("account=password&present={present}&password={new}");
    let wrong = desk.call("/calls/account/password", &form("not-the-one", "a+long+new+password")).await;
    assert_eq!(wrong.status, 422);
    assert_eq!(desk.call("/calls/account/password", &form(&present, "short")).await.status, 422);
    let lost = desk.submit("/account", "/calls/account/password", &form("typed-by-hand", "a+long+new+password")).await;
    assert_eq!((lost.status, lost.location.as_deref()), (303, Some("/account")));
    let html = desk.page("/account").await.body;
    assert!(html.contains("Present password is not right.") && !html.contains("typed-by-hand") && !html.contains("a long new"));
    assert_eq!(elsewhere.page("/account").await.status, 200);

    let done = desk.call("/calls/account/password", &form(&present, "a+long+new+password")).await;
    assert_eq!(done.status, 200, "{}", done.body);
    let renewed = Visit { house: &house, cookie: done.cookie.expect("a new session id"), id: desk.id.clone() };
    assert_eq!(renewed.page("/account").await.status, 200);
    assert_eq!(desk.page("/account").await.status, 303, "the old id is dead");
    assert_eq!(elsewhere.page("/account").await.status, 303, "the other session is over");
    assert!(sign_in(&house, "jun@example.org", "a long new password").await.is_some());
    assert!(renewed.page("/account").await.body.contains("Changed a password"), "among the latest entries");
}

#[tokio::test]
async fn guessing_the_present_password_is_slowed() {
    let house = House::new().await;
    let desk = Visit::viewer(&house).await;
    let mut last = 0;
    for _ in 0..6 {
        last = desk.call("/calls/account/password", "present=guess&password=a+long+new+password").await.status;
    }
    assert_eq!(last, 429);
}
