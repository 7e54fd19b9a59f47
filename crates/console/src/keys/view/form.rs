//! The form of a new key. It is posted to the page of that key, which shows the secret once.

use leptos::prelude::*;

use crate::keys::shapes::{Desk, KeyForm, key_path};
use crate::parts::field::{PasswordAgain, Wrong};
use domain::problem::{Field, Problem};

/// Every scope, and what it allows.
const SCOPES: [(&str, &str); 4] = [
    ("read", "recalls, and lists memories and team facts"),
    ("write", "sends messages to learn from, saves and forgets"),
    ("erase", "erases everything about a user"),
    ("export", "exports everything held about a user"),
];

/// Returns the id of the field that a problem is about.
fn field_of(problem: &Problem) -> &'static str {
    match problem {
        Problem::Invalid { field: Field::Scope, .. } => "key-scopes",
        Problem::Invalid { field: Field::UserId, .. } => "key-user",
        Problem::Invalid { field: Field::Surface, .. } => "key-surface",
        Problem::Invalid { field: Field::Expires, .. } => "key-expires",
        Problem::Invalid { field: Field::PresentPassword, .. } => "present",
        _ => "key-name",
    }
}

#[component]
pub fn AddKey(
    /// Values of the fields.
    form: KeyForm,
    /// Why the form was refused.
    #[prop(into)]
    problem: Option<Problem>,
    desk: Desk,
) -> impl IntoView {
    let KeyForm { name, scopes, user, surface, expires } = form;
    let wrong = Wrong::new(problem.as_ref(), field_of);
    let boxes = SCOPES.map(|(scope, opens)| {
        let on = scopes.iter().any(|chosen| chosen == scope);
        view! { <label><input type="checkbox" name="scope" value=scope checked=on />{scope}<small>{opens}</small></label> }
    });
    view! {
        <section class="box">
            <header><h2>"Add a key"</h2></header>
            <div class="box-body">
                {wrong.summary()}
                <form method="post" action=key_path(&desk.fresh) novalidate=true data-testid="add-key">
                    <input type="hidden" name="act" value="add" />
                    <div class="field">
                        <label for="key-name">"Name"</label>
                        {wrong.at("key-name")}
                        <input id="key-name" name="name" value=name autocomplete="off" aria-required="true" aria-invalid=wrong.invalid("key-name") aria-describedby=wrong.described("key-name", true) />
                        <p id="key-name-hint" class="hint-line">"Which program it is for. Every operator sees the name."</p>
                    </div>
                    <fieldset class="radios" id="key-scopes" tabindex="-1" aria-describedby=wrong.described("key-scopes", false)>
                        <legend>"Scopes"</legend>
                        {wrong.at("key-scopes")}
                        {boxes.into_iter().collect_view()}
                    </fieldset>
                    <div class="field">
                        <label for="key-user">"User id"</label>
                        {wrong.at("key-user")}
                        <input id="key-user" name="user" value=user autocomplete="off" autocapitalize="none" spellcheck="false" aria-invalid=wrong.invalid("key-user") aria-describedby=wrong.described("key-user", true) />
                        <p id="key-user-hint" class="hint-line">"The only user that the key speaks for. Empty: it may name any user, so keep it on a server."</p>
                    </div>
                    <div class="field">
                        <label for="key-surface">"Surface"</label>
                        {wrong.at("key-surface")}
                        <input id="key-surface" name="surface" value=surface autocomplete="off" autocapitalize="none" spellcheck="false" aria-invalid=wrong.invalid("key-surface") aria-describedby=wrong.described("key-surface", true) />
                        <p id="key-surface-hint" class="hint-line">"The only surface that the key speaks for, such as web or telegram. Empty: any."</p>
                    </div>
                    <div class="field">
                        <label for="key-expires">"Expires"</label>
                        {wrong.at("key-expires")}
                        <input id="key-expires" name="expires" value=expires autocomplete="off" aria-invalid=wrong.invalid("key-expires") aria-describedby=wrong.described("key-expires", true) />
                        <p id="key-expires-hint" class="hint-line">"A number of days such as 90, or its last day such as 2027-03-31. Empty: never."</p>
                    </div>
                    {desk.asks_password.then(|| view! { <PasswordAgain wrong=wrong.has("present") /> })}
                    <button type="submit" class="button primary">"Add key"</button>
                    <p class="hint-line">"The key is shown to you once."</p>
                </form>
            </div>
        </section>
    }
}
