//! Operators in the console: added, disabled, given rights and passwords, with at least one editor left at all times.

use keepsake::domain::problem::Problem;
use keepsake::ports::store::audit::AuditReads;
use keepsake::ports::store::operators::{OperatorReads, Rights};
use keepsake::service::audit::Actor;
use keepsake::service::{Error, operators};

use crate::fixture::{Fixture, PASSWORD};
use crate::visit::{Visit, sign_in};

const HERE: &str = "/manage/operators";
const ADD: &str = "act=add&email=tomas%40example.org&name=Tom%C3%A1s+Lind&rights=edit";

fn password(html: &str) -> String {
    let shown = html.split("data-testid=\"password\">").nth(1).expect("a password is shown");
    shown.split('<').next().expect("text").to_owned()
}

async fn actions(fixture: &Fixture) -> Vec<String> {
    fixture.store.audit_after(0, 10_000).await.expect("read").into_iter().map(|row| row.action).collect()
}

#[tokio::test]
async fn an_added_operator_has_a_password_that_is_shown_once() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    let added = visit.submit(HERE, HERE, ADD).await;
    assert_eq!((added.status, added.cache.as_str(), added.location), (200, "no-store", None));
    let password = password(&added.body);
    assert!(password.len() >= 20);
    assert!(!visit.page(HERE).await.body.contains(&password), "once");
    let rows = fixture.store.audit_after(0, 10_000).await.expect("read");
    assert!(!format!("{rows:?}").contains(&password) && !format!("{rows:?}").contains("tomas@"));
    assert!(sign_in(&fixture, "tomas@example.org", &password).await.is_some());
    let again = visit.submit(HERE, HERE, ADD).await;
    assert!(again.body.contains("belongs to an operator already") && again.body.contains("tomas@example.org"), "kept, and said");
    assert_eq!(again.status, 422);
}

#[tokio::test]
async fn a_viewer_sees_the_list_and_changes_nothing() {
    let fixture = Fixture::new().await;
    let (editor, viewer) = (Visit::editor(&fixture).await, Visit::viewer(&fixture).await);
    let list = viewer.page(HERE).await;
    assert!(list.body.contains("Priya Raman") && list.body.contains("Jun Abe"));
    assert!(!list.body.contains("Add an operator") && !list.body.contains("Make view only"));
    let before = actions(&fixture).await;
    assert_eq!(viewer.call(HERE, ADD).await.status, 403);
    assert_eq!(viewer.submit(HERE, HERE, ADD).await.status, 303);
    for (path, form) in [
        ("/calls/staff/disable", format!("operator={}", editor.id)),
        ("/calls/staff/rights", format!("operator={}&seen=edit&rights=view", editor.id)),
        ("/calls/staff/rights", format!("operator={}&seen=view&rights=edit", viewer.id)),
    ] {
        assert_eq!(viewer.call(path, &form).await.status, 403, "{path}");
    }
    assert_eq!(actions(&fixture).await, before);
    assert_eq!(fixture.store.operators().await.expect("read").len(), 2);
}

#[tokio::test]
async fn a_disabled_operator_is_out_at_once_and_cannot_come_back() {
    let fixture = Fixture::new().await;
    let (editor, viewer) = (Visit::editor(&fixture).await, Visit::viewer(&fixture).await);
    assert_eq!(viewer.page("/review").await.status, 200);
    let asked = editor.page(&format!("{HERE}?disable={}", viewer.id)).await.body;
    assert!(asked.contains("Disable Jun Abe?"));
    let done = editor.submit(HERE, "/calls/staff/disable", &format!("operator={}", viewer.id)).await;
    assert_eq!((done.status, done.location.as_deref()), (303, Some(HERE)));
    assert_eq!(viewer.page("/review").await.status, 303);
    assert!(sign_in(&fixture, "jun@example.org", PASSWORD).await.is_none());
    assert!(editor.page(HERE).await.body.contains("Operator disabled."), "and it is said");
    assert_eq!(actions(&fixture).await.iter().filter(|action| *action == "operator.disabled").count(), 1);
}

#[tokio::test]
async fn rights_count_on_the_next_request() {
    let fixture = Fixture::new().await;
    let (editor, viewer) = (Visit::editor(&fixture).await, Visit::viewer(&fixture).await);
    let give = format!("operator={}&seen=view&rights=edit", viewer.id);
    assert_eq!(editor.call("/calls/staff/rights", &give).await.status, 200);
    assert!(viewer.page(HERE).await.body.contains("Add an operator"));
    let stale = format!("operator={}&seen=edit&rights=view", editor.id);
    assert_eq!(viewer.call("/calls/staff/rights", &stale).await.status, 200);
    assert_eq!(editor.call("/calls/staff/rights", &stale).await.status, 403, "demoted, at once");
    assert_eq!(viewer.call("/calls/staff/rights", &format!("operator={}&seen=view&rights=owner", editor.id)).await.status, 422);
    assert!(actions(&fixture).await.contains(&"operator.rights_changed".to_owned()));
}

#[tokio::test]
async fn the_last_editor_stays() {
    let fixture = Fixture::new().await;
    let (editor, _viewer) = (Visit::editor(&fixture).await, Visit::viewer(&fixture).await);
    for (path, form) in [
        ("/calls/staff/disable", format!("operator={}", editor.id)),
        ("/calls/staff/rights", format!("operator={}&seen=edit&rights=view", editor.id)),
    ] {
        let answer = editor.call(path, &form).await;
        assert_eq!(answer.status, 409, "{path}");
        assert!(answer.body.contains("last_editor"));
    }
    assert_eq!(editor.stored().await.rights, Rights::Edit);
    operators::disable_operator(fixture.store.as_ref(), fixture.clock.as_ref(), &Actor::CommandLine, "priya@example.org")
        .await
        .expect("the command line may");
}

#[tokio::test]
async fn two_editors_who_shut_each_other_out_leave_one() {
    for _ in 0..10 {
        let fixture = Fixture::new().await;
        let one = Visit::editor(&fixture).await;
        let other = Visit::of(&fixture, "tomas@example.org", "Tomás Lind", Rights::Edit).await;
        let proof = async |visit: &Visit<'_>| {
            keepsake::access::operators::viewer(fixture.store.as_ref(), &visit.id).await.expect("read").expect("there")
        };
        let (first, second) = (proof(&one).await, proof(&other).await);
        let (first, second) = (first.editor().expect("edits"), second.editor().expect("edits"));
        let (a, b) = tokio::join!(
            fixture.keepsake.shut_out(first, &other.id),
            fixture.keepsake.set_rights(second, &one.id, Rights::Edit, Rights::View)
        );
        let refused = [a, b].into_iter().filter(|outcome| matches!(outcome, Err(Error::Refused(Problem::LastEditor)))).count();
        assert_eq!(refused, 1);
        let operators = fixture.store.operators().await.expect("read");
        assert_eq!(operators.iter().filter(|operator| operator.rights == Rights::Edit && !operator.disabled).count(), 1);
    }
}

#[tokio::test]
async fn a_reset_ends_the_operators_sessions() {
    let fixture = Fixture::new().await;
    let (editor, viewer) = (Visit::editor(&fixture).await, Visit::viewer(&fixture).await);
    let reset = editor.submit(HERE, HERE, &format!("act=reset&operator={}", viewer.id)).await;
    let password = password(&reset.body);
    assert_eq!(viewer.page("/review").await.status, 303, "open sessions end");
    assert!(sign_in(&fixture, "jun@example.org", PASSWORD).await.is_none());
    assert!(sign_in(&fixture, "jun@example.org", &password).await.is_some());
    assert_eq!(editor.page("/review").await.status, 200);
}

#[tokio::test]
async fn changing_ones_own_password_needs_the_present_one_and_ends_other_sessions() {
    let fixture = Fixture::new().await;
    let visit = Visit::viewer(&fixture).await;
    let elsewhere = Visit {
        fixture: &fixture,
        cookie: sign_in(&fixture, "jun@example.org", PASSWORD).await.expect("in"),
        id: visit.id.clone(),
    };
    let present = PASSWORD.replace(' ', "+");
    let form = |present: &str, new: &str| format!("account=password&present={present}&password={new}");
    let wrong = visit.call("/calls/account/password", &form("not-the-one", "a+long+new+password")).await;
    assert_eq!(wrong.status, 422);
    assert_eq!(visit.call("/calls/account/password", &form(&present, "short")).await.status, 422);
    let lost = visit.submit("/account", "/calls/account/password", &form("typed-by-hand", "a+long+new+password")).await;
    assert_eq!((lost.status, lost.location.as_deref()), (303, Some("/account")));
    let html = visit.page("/account").await.body;
    assert!(html.contains("Present password is not right.") && !html.contains("typed-by-hand") && !html.contains("a long new"));
    assert_eq!(elsewhere.page("/account").await.status, 200);

    let done = visit.call("/calls/account/password", &form(&present, "a+long+new+password")).await;
    assert_eq!(done.status, 200, "{}", done.body);
    let renewed = Visit { fixture: &fixture, cookie: done.cookie.expect("a new session id"), id: visit.id.clone() };
    assert_eq!(renewed.page("/account").await.status, 200);
    assert_eq!(visit.page("/account").await.status, 303, "the old id is dead");
    assert_eq!(elsewhere.page("/account").await.status, 303, "the other session is over");
    assert!(sign_in(&fixture, "jun@example.org", "a long new password").await.is_some());
    assert!(renewed.page("/account").await.body.contains("Changed a password"), "among the latest entries");
}

#[tokio::test]
async fn guessing_the_present_password_is_slowed() {
    let fixture = Fixture::new().await;
    let visit = Visit::viewer(&fixture).await;
    let mut last = 0;
    for _ in 0..6 {
        last = visit.call("/calls/account/password", "present=guess&password=a+long+new+password").await.status;
    }
    assert_eq!(last, 429);
}
