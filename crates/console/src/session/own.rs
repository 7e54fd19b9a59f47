//! One's own account: name, rights, password, and recent log entries.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::operators::call::open_account;
use crate::operators::shapes::Account;
use crate::parts::entries::LogTable;
use crate::parts::field::{Typed, Wrong};
use crate::parts::load::{load, loaded, missing};
use crate::screens;
use crate::shell::Head;
use domain::problem::{Field, Problem};

/// A field that only identifies the form.
const FORM: &str = "account";

#[component]
pub fn AccountPage() -> impl IntoView {
    let page = load(|| (), |()| open_account());
    view! {
        <Title text=screens::ACCOUNT.title />
        <Head title=screens::ACCOUNT.title />
        {loaded(page, |account| view! { <Page account /> }, missing("The account"))}
    }
}

#[component]
fn Page(account: Account) -> impl IntoView {
    let Account { name, email, rights, password_from, recent } = account;
    let rights = format!("{} ({})", rights.role(), rights.means());
    view! {
        <div class="column wide">
            <section class="box">
                <dl class="pairs">
                    <div><dt>"Name"</dt><dd>{name}</dd></div>
                    <div><dt>"Email"</dt><dd>{email}</dd></div>
                    <div><dt>"Rights"</dt><dd>{rights}</dd></div>
                </dl>
            </section>
            <Password password_from />
            <section class="box">
                <header><h2>"Your latest entries"</h2><p class="lead">"What the audit log recorded of you"</p></header>
                <LogTable days=recent caption="Your latest entries of the audit log" />
            </section>
        </div>
    }
}

#[component]
fn Password(password_from: usize) -> impl IntoView {
    let (problem, _) = Typed::left(FORM);
    let wrong = Wrong::new(problem.as_ref(), |problem| match problem {
        Problem::Invalid { field: Field::Password, .. } => "password",
        _ => "present",
    });
    view! {
        <section class="box">
            <header><h2>"Change password"</h2></header>
            <div class="box-body">
                {wrong.summary()}
                <form method="post" action="/calls/account/password" novalidate=true data-testid="change-password">
                    <input type="hidden" name=FORM value="password" />
                    <div class="field">
                        <label for="present">"Current password"</label>
                        {wrong.at("present")}
                        <input id="present" name="present" type="password" autocomplete="current-password" aria-required="true" aria-invalid=wrong.invalid("present") aria-describedby=wrong.described("present", false) />
                    </div>
                    <div class="field">
                        <label for="password">"New password"</label>
                        {wrong.at("password")}
                        <input id="password" name="password" type="password" autocomplete="new-password" aria-required="true" aria-invalid=wrong.invalid("password") aria-describedby=wrong.described("password", true) />
                        <p id="password-hint" class="hint-line">{format!("{password_from} characters or more. Your other sessions end.")}</p>
                    </div>
                    <button type="submit" class="button primary">"Change password"</button>
                </form>
            </div>
        </section>
    }
}
