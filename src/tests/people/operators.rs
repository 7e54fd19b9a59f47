//! Operators in the console: added, disabled, given rights and passwords, with at least one editor left at all times; and their
//! sessions.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, header};
use domain::access::rights::Rights;
use domain::moment::{HOUR_MS, MINUTE_MS};
use domain::problem::Problem;
use futures::StreamExt;
use ports::store::operate::audit::AuditReads;
use ports::store::people::operators::OperatorReads;
use service::Error;
use service::audit::Actor;
use service::people::operators;

use crate::fixture::visit::{Visit, sign_in};
use crate::fixture::{Fixture, PASSWORD};

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
    assert!(!list.body.contains("Add an operator") && !list.body.contains("Change rights"));
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
async fn a_manager_gives_no_right_that_he_lacks_and_takes_nobody_over_who_has_it() {
    let fixture = Fixture::new().await;
    let (editor, viewer) = (Visit::editor(&fixture).await, Visit::viewer(&fixture).await);
    let manager = Visit::of(&fixture, "noor@example.org", "Noor Haddad", Rights::Manage).await;
    let reviewer = Visit::of(&fixture, "remy@example.org", "Remy Lam", Rights::Review).await;
    let list = manager.page(HERE).await.body;
    assert!(list.contains("Change rights: Jun Abe") && !list.contains("Change rights: Priya Raman"));
    assert!(!list.contains("value=\"edit\"") && !list.contains("value=\"review\""), "what he cannot give is not offered");
    let before = actions(&fixture).await;
    let rights = "/calls/staff/rights";
    for (path, form) in [
        (rights, format!("operator={}&seen=manage&rights=edit", manager.id)),
        (rights, format!("operator={}&seen=view&rights=review", viewer.id)),
        (rights, format!("operator={}&seen=edit&rights=view", editor.id)),
        ("/calls/staff/disable", format!("operator={}", reviewer.id)),
        (HERE, format!("act=reset&operator={}", editor.id)),
        (HERE, ADD.to_owned()),
    ] {
        assert_eq!(manager.call(path, &form).await.status, 403, "{form}");
    }
    assert_eq!(actions(&fixture).await, before);
    let give = format!("operator={}&seen=view&rights=manage", viewer.id);
    assert_eq!(manager.call(rights, &give).await.status, 200, "his own he may give");
    assert_eq!(viewer.stored().await.rights, Rights::Manage);
}

#[tokio::test]
async fn without_script_a_refusal_about_somebody_else_is_said() {
    let fixture = Fixture::new().await;
    let _editor = Visit::editor(&fixture).await;
    let manager = Visit::of(&fixture, "noor@example.org", "Noor Haddad", Rights::Manage).await;
    let reviewer = Visit::of(&fixture, "remy@example.org", "Remy Lam", Rights::Review).await;
    let form = format!("operator={}&asked=rights&seen=review&rights=view", reviewer.id);
    assert_eq!(manager.submit(HERE, "/calls/staff/rights", &form).await.status, 303);
    let page = manager.page(HERE).await.body;
    assert!(page.contains("You need facts:review.") && !page.contains("data-testid=\"dialog\""));
    assert_eq!(reviewer.stored().await.rights, Rights::Review);
}

#[tokio::test]
async fn changing_rights_and_disabling_ask_for_the_password_again() {
    let fixture = Fixture::new().await;
    let (editor, viewer) = (Visit::editor(&fixture).await, Visit::viewer(&fixture).await);
    fixture.clock.advance_ms(11 * 60_000);
    let given = PASSWORD.replace(' ', "+");
    for (what, path, form) in [
        ("rights", "/calls/staff/rights", format!("operator={}&asked=rights&seen=view&rights=review", viewer.id)),
        ("disable", "/calls/staff/disable", format!("operator={}&asked=disable", viewer.id)),
    ] {
        let question = format!("{HERE}?{what}={}", viewer.id);
        assert!(editor.page(&question).await.body.contains("password-again"));
        let refused = editor.submit(&question, path, &format!("{form}&present=wrong+password")).await;
        assert_eq!(refused.status, 303);
        let again = editor.page(HERE).await.body;
        assert!(
            again.contains("That is not your password.") && again.contains("data-testid=\"dialog\""),
            "{what} is asked again"
        );
        assert!(
            matches!(viewer.stored().await, stored if !stored.disabled && (what == "disable" || stored.rights == Rights::View))
        );
        assert_eq!(editor.call(path, &format!("{form}&present={given}")).await.status, 200, "{what}");
        fixture.clock.advance_ms(11 * 60_000);
    }
    assert!(viewer.stored().await.disabled && viewer.stored().await.rights == Rights::Review);
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
            access::operators::viewer(fixture.store.as_ref(), &visit.id).await.expect("read").expect("there")
        };
        let (first, second) = (proof(&one).await, proof(&other).await);
        let (first, second) = (first.manager().expect("manages"), second.manager().expect("manages"));
        let (a, b) = tokio::join!(
            fixture.keepsake.people.shut_out(first, &other.id),
            fixture.keepsake.people.set_rights(second, &one.id, Rights::Edit, Rights::View)
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
async fn the_database_does_not_hold_what_opens_a_session() {
    let fixture = Fixture::new().await;
    let visit = Visit::viewer(&fixture).await;
    let (_, id) = visit.cookie.split_once('=').expect("a cookie");
    assert_eq!(visit.page("/review").await.status, 200);
    for file in std::fs::read_dir(fixture.folder.path()).expect("a folder") {
        let bytes = std::fs::read(file.expect("an entry").path()).unwrap_or_default();
        assert!(memchr::memmem::find(&bytes, id.as_bytes()).is_none());
    }
}

#[tokio::test]
async fn a_session_ends_seven_days_after_signing_in_however_much_it_is_used() {
    let fixture = Fixture::new().await;
    let visit = Visit::viewer(&fixture).await;
    for hour in (6..7 * 24).step_by(6) {
        fixture.clock.advance_ms(6 * HOUR_MS);
        assert_eq!(visit.page("/review").await.status, 200, "after {hour} hours");
    }
    fixture.clock.advance_ms(6 * HOUR_MS);
    let ended = visit.page("/review").await;
    assert_eq!((ended.status, ended.location.as_deref()), (303, Some("/login?next=%2Freview&ended=1")));
}

#[tokio::test]
async fn ten_minutes_after_signing_in_a_reset_asks_for_the_password_again() {
    let fixture = Fixture::new().await;
    let (editor, viewer) = (Visit::editor(&fixture).await, Visit::viewer(&fixture).await);
    let reset = |present: &str| format!("act=reset&operator={}&present={present}", viewer.id);
    let asked = async || editor.page(&format!("{HERE}?reset={}", viewer.id)).await.body.contains("Your password");
    assert!(!asked().await);
    fixture.clock.advance_ms(10 * MINUTE_MS);
    assert!(asked().await);
    for wrong in ["", "guess"] {
        let refused = editor.submit(HERE, HERE, &reset(wrong)).await;
        assert_eq!(refused.status, 422, "{wrong:?}");
        assert!(refused.body.contains("That is not your password.") && refused.body.contains("Reset the password of Jun Abe?"));
    }
    assert_eq!(viewer.page("/review").await.status, 200, "nothing was reset");
    let refused = editor.submit(HERE, HERE, ADD).await;
    assert!(refused.status == 422 && refused.body.contains("tomas@example.org"), "adding asks too, and keeps what was typed");
    let done = editor.submit(HERE, HERE, &reset(&PASSWORD.replace(' ', "+"))).await;
    assert_eq!(done.status, 200);
    assert_eq!(viewer.page("/review").await.status, 303);
    assert!(!asked().await, "once in ten minutes");
    fixture.clock.advance_ms(10 * MINUTE_MS);
    let key = fixture.key(&[access::callers::Scope::Write], None).await;
    let anna = serde_json::json!({ "user_id": "usr_anna", "surface": "web", "content": "likes tea" });
    fixture.call("POST", "/v1/memories", &key, Some(anna)).await;
    editor.call("/calls/users/open", "user=usr_anna&reason=SUP-1").await;
    let page = "/manage/users/usr_anna/erase?mode=everything";
    let refused = editor.submit(page, page, "mode=everything&preview=x&ticket=SUP-1&typed_id=usr_anna").await;
    assert!(refused.status == 422 && refused.body.contains("That is not your password."), "{}", refused.body);
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
    assert!(html.contains("Current password is not right.") && !html.contains("typed-by-hand") && !html.contains("a long new"));
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
async fn a_stranger_who_guesses_does_not_lock_an_operator_out() {
    let fixture = Fixture::new().await;
    let visit = Visit::viewer(&fixture).await;
    let try_it = async |password: &str, device: Option<&str>| {
        let form = format!("email=jun%40example.org&password={}", password.replace(' ', "+"));
        let mut request = Request::post("/calls/sign_in")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(header::ACCEPT, "application/json");
        if let Some(device) = device {
            request = request.header(header::COOKIE, format!("keepsake_device={device}"));
        }
        let response = fixture.send(request.body(Body::from(form)).expect("well formed")).await;
        let cookies = response.headers().get_all(header::SET_COOKIE).iter().filter_map(|cookie| cookie.to_str().ok());
        let device = cookies
            .filter_map(|cookie| cookie.strip_prefix("keepsake_device=")?.split(';').next().map(str::to_owned))
            .next_back();
        (response.status().as_u16(), device)
    };
    let (status, device) = try_it(PASSWORD, None).await;
    let device = device.expect("the device is known from now on");
    assert_eq!(status, 200);
    for expected in [401, 401, 401, 401, 401, 429] {
        assert_eq!(try_it("a guess of a stranger", None).await.0, expected);
    }
    assert_eq!(try_it(PASSWORD, None).await.0, 429, "from elsewhere, the right one waits too");
    assert_eq!(try_it(PASSWORD, Some(&device)).await.0, 200);
    assert_eq!(try_it(PASSWORD, Some("0123456789abcdef")).await.0, 429);
    let stopped = actions(&fixture).await.into_iter().filter(|action| action == "operator.sign_ins_stopped").count();
    assert_eq!(stopped, 1, "on record, once");
    let renewed = "another long password";
    operators::set_password(
        fixture.store.as_ref(),
        fixture.clock.as_ref(),
        &Actor::CommandLine,
        "jun@example.org",
        renewed.to_owned(),
    )
    .await
    .expect("set");
    assert_eq!(try_it(renewed, Some(&device)).await.0, 429, "a new password voids what devices hold");
    assert_eq!(visit.page("/review").await.status, 303);
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

#[tokio::test]
async fn a_stream_ends_with_its_session_a_new_password_and_a_disabled_operator() {
    let fixture = Fixture::new().await;
    let (store, clock) = (fixture.store.as_ref(), fixture.clock.as_ref());
    let listen = async |cookie: &str| {
        let request = Request::get("/events").header(header::COOKIE, cookie).body(Body::empty()).expect("well formed");
        let mut stream = fixture.send(request).await.into_body().into_data_stream();
        stream.next().await.expect("a word").expect("read");
        stream
    };
    let (visit, other) = (Visit::viewer(&fixture).await, fixture.sign_in("jun@example.org").await);
    let (mut signed_out, mut stays) = (listen(&visit.cookie).await, listen(&other).await);
    assert_eq!(visit.call("/calls/sign_out", "").await.status, 200);
    assert!(signed_out.next().await.is_none());
    let quiet = tokio::time::timeout(Duration::from_millis(1500), stays.next()).await;
    assert!(quiet.is_err(), "another session of the same operator listens on");
    operators::set_password(store, clock, &Actor::CommandLine, "jun@example.org", PASSWORD.to_owned()).await.expect("set");
    assert!(stays.next().await.is_none());
    let mut disabled = listen(&fixture.sign_in("jun@example.org").await).await;
    operators::disable_operator(store, clock, &Actor::CommandLine, "jun@example.org").await.expect("disabled");
    assert!(disabled.next().await.is_none());
}
