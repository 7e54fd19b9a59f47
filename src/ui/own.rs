//! One's own account: name, rights, password, and what was recorded lately.

use leptos::form::ActionForm;
use leptos::prelude::*;
use leptos_meta::Title;

use super::parts::field::{ErrorSummary, Typed, sentence};
use super::parts::focus::{HEADING, focus};
use super::parts::last::Done;
use super::parts::load::load;
use super::parts::log::LogTable;
use super::parts::problem::ProblemPanel;
use super::shell::{Desk, Head};
use crate::calls::Refused;
use crate::calls::staff::{Account, ChangePassword, open_account};
use crate::domain::problem::{Field, Problem};

/// A field that only says which form it was.
const FORM: &str = "account";

#[component]
pub fn AccountPage() -> impl IntoView {
    let changes = RwSignal::new(0_usize);
    let page = load(move || changes.get(), |_| open_account());
    view! {
        <Title text="Account" />
        <Head title="Account" />
        <Transition fallback=|| view! { <div class="column" aria-busy="true"><div class="box loading"><span class="bone text"></span><span class="bone meta"></span></div></div> }>
            {move || Suspend::new(async move {
                match page.await {
                    Ok(account) => view! { <Page account changes /> }.into_any(),
                    Err(Refused(problem)) => view! { <ProblemPanel problem missing="The account" /> }.into_any(),
                }
            })}
        </Transition>
    }
}

#[component]
fn Page(account: Account, changes: RwSignal<usize>) -> impl IntoView {
    let Account { name, email, may_edit, password_from, recent } = account;
    let rights = if may_edit { "Editor (users:edit)" } else { "View only (users:view)" };
    view! {
        <div class="column wide">
            <section class="box">
                <dl class="pairs">
                    <div><dt>"Name"</dt><dd>{name}</dd></div>
                    <div><dt>"Email"</dt><dd>{email}</dd></div>
                    <div><dt>"Rights"</dt><dd>{rights}</dd></div>
                </dl>
            </section>
            <Password password_from changes />
            <section class="box">
                <header><h2>"Your latest entries"</h2><p class="lead">"What the audit log recorded of you"</p></header>
                <LogTable days=recent caption="Your latest entries of the audit log" />
            </section>
        </div>
    }
}

#[component]
fn Password(password_from: usize, changes: RwSignal<usize>) -> impl IntoView {
    let change = ServerAction::<ChangePassword>::new();
    let desk = expect_context::<Desk>();
    let (left, _) = Typed::left(FORM);
    let problem = Memo::new(move |_| match change.value().get() {
        Some(Err(refused)) => Some(refused.0),
        Some(Ok(_)) => None,
        None => left.clone(),
    });
    Effect::new(move || {
        if let Some(Ok(notice)) = change.value().get() {
            desk.leftover.set(None);
            desk.done.set(Some(Done { notice, text: None }));
            focus(HEADING);
            changes.update(|times| *times += 1);
        }
    });
    let wrong = Memo::new(move |_| match problem.get() {
        Some(Problem::Invalid { field: Field::Password, .. }) => Some("password"),
        Some(_) => Some("present"),
        None => None,
    });
    let words = move |field: &'static str| {
        (wrong.get() == Some(field)).then(|| problem.get()).flatten().map(|problem| {
            view! { <p id=format!("{field}-error") class="field-error">{sentence(&problem)}</p> }
        })
    };
    let invalid = move |field: &'static str| (wrong.get() == Some(field)).then_some("true");
    view! {
        <section class="box">
            <header><h2>"Change password"</h2></header>
            <div class="box-body">
                {move || problem.get().zip(wrong.get()).map(|(problem, field)| view! { <ErrorSummary problem field /> })}
                <ActionForm action=change attr:novalidate=true attr:data-testid="change-password">
                    <input type="hidden" name=FORM value="password" />
                    <div class="field">
                        <label for="present">"Present password"</label>
                        {move || words("present")}
                        <input id="present" name="present" type="password" autocomplete="current-password" aria-required="true" aria-invalid=move || invalid("present") aria-describedby=move || invalid("present").map(|_| "present-error") />
                    </div>
                    <div class="field">
                        <label for="password">"New password"</label>
                        {move || words("password")}
                        <input id="password" name="password" type="password" autocomplete="new-password" aria-required="true" aria-invalid=move || invalid("password") aria-describedby="password-hint" />
                        <p id="password-hint" class="hint-line">{format!("{password_from} characters or more. Your other sessions end.")}</p>
                    </div>
                    <button type="submit" class="button primary" aria-busy=move || change.pending().get().then_some("true")>"Change password"</button>
                </ActionForm>
            </div>
        </section>
    }
}
