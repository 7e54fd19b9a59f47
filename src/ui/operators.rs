//! Operators and their rights.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use super::parts::field::{ErrorSummary, PasswordAgain, sentence};
use super::parts::heads::heads;
use super::parts::icon::{Icon, Icon16};
use super::parts::load::{load, loaded, missing};
use super::parts::note::Note;
use super::shell::{Head, LeftoverHere};
use crate::calls::operators::{Member, Posted, Staff, list_staff};
use crate::domain::problem::{Field, Problem};

/// The path of the page.
const HERE: &str = "/manage/operators";

#[component]
pub fn Operators() -> impl IntoView {
    let query = use_query_map().get_untracked();
    let asked = ["disable", "reset"].into_iter().find_map(|what| Some((what, query.get(what)?)));
    let page = load(|| (), |()| list_staff());
    view! {
        <Title text="Operators" />
        <Head title="Operators" lead=Signal::stored("Who may come in, and with what rights".to_owned()) />
        <LeftoverHere />
        {loaded(page, move |staff| view! { <Page staff asked=asked.clone() /> }, missing("The list"))}
    }
}

#[component]
fn Page(staff: Staff, #[prop(into)] asked: Option<(&'static str, String)>) -> impl IntoView {
    let Staff { members, may_edit, asks_password, posted } = staff;
    let (handed, refused, again) = match posted {
        Some(Posted::Refused { problem, reset: Some(id), .. }) => (None, None, Some((id, problem))),
        Some(Posted::Refused { problem, email, name, rights, .. }) => (None, Some((problem, email, name, rights)), None),
        handed => (handed, None, None),
    };
    let asked = again.as_ref().map(|(id, _)| ("reset", id.clone())).or(asked);
    let wrong = again.map(|(_, problem)| problem);
    let question = asked.filter(|_| may_edit && handed.is_none()).and_then(|(what, id)| {
        let member = members.iter().find(|member| member.id == id && !member.disabled)?;
        Some((what, member.clone()))
    });
    view! {
        <div class="column wide">
            {handed.map(|posted| view! { <HandedOver posted /> })}
            {question.map(|(what, member)| match what {
                "disable" => view! { <AskDisable member /> }.into_any(),
                _ => view! { <AskReset member asks_password wrong=wrong.clone() /> }.into_any(),
            })}
            <section class="box">
                <header><h2>{match members.len() { 1 => "1 operator".to_owned(), n => format!("{n} operators") }}</h2></header>
                <table class="ledger" data-testid="operators-table">
                    <caption class="sr">"Operators"</caption>
                    <thead>
                        <tr>
                            {heads([("Name", ""), ("Email", "spare"), ("Rights", "")])}
                            {may_edit.then(|| view! { <th scope="col"><span class="sr">"Actions"</span></th> })}
                        </tr>
                    </thead>
                    <tbody>{members.into_iter().map(|member| view! { <MemberRow member may_edit /> }).collect_view()}</tbody>
                </table>
            </section>
            {may_edit.then(|| view! { <AddOperator refused asks_password /> })}
        </div>
    }
}

#[component]
fn MemberRow(member: Member, may_edit: bool) -> impl IntoView {
    let words = match (member.disabled, member.may_edit) {
        (true, _) => "Disabled",
        (false, true) => "Editor",
        (false, false) => "View only",
    };
    let (id, name, disabled) = (member.id.clone(), member.name.clone(), member.disabled);
    view! {
        <tr data-testid="operator-row" data-operator-id=id class:off=disabled>
            <td>{name}{member.me.then(|| view! { <span class="by">" (you)"</span> })}</td>
            <td class="dim spare">{member.email.clone()}</td>
            <td>{words}</td>
            {may_edit.then(|| view! { <td class="number">{(!disabled).then(|| view! { <RowActions member /> })}</td> })}
        </tr>
    }
}

#[component]
fn RowActions(member: Member) -> impl IntoView {
    let (seen, wanted, words) =
        if member.may_edit { ("edit", "view", "Make view only") } else { ("view", "edit", "Make editor") };
    let Member { id, name, .. } = member;
    let (reset, disable) = (format!("{HERE}?reset={id}"), format!("{HERE}?disable={id}"));
    let names = [words, "Reset password", "Disable"].map(|verb| format!("{verb}: {name}"));
    let [set_name, reset_name, disable_name] = names;
    view! {
        <div class="row-actions">
            <form method="post" action="/calls/staff/rights">
                <input type="hidden" name="operator" value=id />
                <input type="hidden" name="seen" value=seen />
                <input type="hidden" name="rights" value=wanted />
                <button type="submit" class="button small" aria-label=set_name>{words}</button>
            </form>
            <a href=reset class="button small" data-dialog="true" aria-label=reset_name>"Reset password…"</a>
            <a href=disable class="button small danger" data-dialog="true" aria-label=disable_name>"Disable…"</a>
        </div>
    }
}

#[component]
fn AskDisable(member: Member) -> impl IntoView {
    view! {
        <Ask
            title=format!("Disable {}?", member.name)
            text="Open sessions end at once, and signing in is refused. What this operator did stays in the audit log."
            action="/calls/staff/disable"
            class="button danger"
            button="Disable operator"
        >
            <input type="hidden" name="operator" value=member.id />
        </Ask>
    }
}

/// Posted to this page: only this answer contains the password.
#[component]
fn AskReset(member: Member, asks_password: bool, #[prop(into)] wrong: Option<Problem>) -> impl IntoView {
    let not_right = wrong.as_ref().is_some_and(is_of_password);
    let other = wrong.filter(|problem| !is_of_password(problem));
    view! {
        {other.map(|problem| view! { <Note problem text=None /> })}
        <Ask
            title=format!("Reset the password of {}?", member.name)
            text="The present password stops working, open sessions end, and a new password is shown to you once."
            action=HERE
            class="button primary"
            button="Reset password"
        >
            <input type="hidden" name="act" value="reset" />
            <input type="hidden" name="operator" value=member.id />
            {asks_password.then(|| view! { <PasswordAgain wrong=not_right /> })}
        </Ask>
    }
}

fn is_of_password(problem: &Problem) -> bool {
    matches!(problem, Problem::Invalid { field: Field::PresentPassword, .. })
}

/// A question before something is done to an operator, with the hidden fields of its form.
#[component]
fn Ask(
    title: String,
    text: &'static str,
    action: &'static str,
    /// Of the button that does it.
    class: &'static str,
    button: &'static str,
    children: Children,
) -> impl IntoView {
    view! {
        <section class="box" aria-labelledby="question-title" data-question="true" data-testid="dialog">
            <header><h2 id="question-title">{title}</h2></header>
            <div class="box-body">
                <p>{text}</p>
                <form method="post" action=action>
                    {children()}
                    <div class="form-actions">
                        <button type="submit" class=class data-testid="dialog-confirm">{button}</button>
                        <a href=HERE class="button plain" autofocus=true data-cancels="true" data-testid="dialog-cancel">"Cancel"</a>
                    </div>
                </form>
            </div>
        </section>
    }
}

#[component]
fn HandedOver(posted: Posted) -> impl IntoView {
    let Posted::Handed { name, email, password, added } = posted else { return ().into_any() };
    let title = if added { format!("{name} was added") } else { format!("{name} has a new password") };
    view! {
        <div class="note wide ok" role="status" data-testid="handed">
            <Icon16 icon=Icon::Lock />
            <div class="note-text">
                <p class="note-title">{title}</p>
                <p>{email}</p>
                <p class="secret"><code data-testid="password">{password}</code></p>
                <p>"This is shown once. Hand it over in person, and have it changed under Account."</p>
            </div>
        </div>
    }
    .into_any()
}

#[component]
fn AddOperator(#[prop(into)] refused: Option<(Problem, String, String, String)>, asks_password: bool) -> impl IntoView {
    let (problem, email, name, rights) = match refused {
        Some((problem, email, name, rights)) => (Some(problem), email, name, rights),
        None => (None, String::new(), String::new(), String::new()),
    };
    let wrong = match &problem {
        Some(Problem::Invalid { field: Field::Name, .. }) => "new-name",
        Some(Problem::Invalid { field: Field::Rights, .. }) => "new-rights",
        Some(Problem::Invalid { field: Field::PresentPassword, .. }) => "present",
        _ => "new-email",
    };
    let at = |field: &'static str| {
        problem.as_ref().filter(|_| wrong == field).map(|problem| {
            view! { <p id=format!("{field}-error") class="field-error">{sentence(problem)}</p> }
        })
    };
    let invalid = |field: &str| (problem.is_some() && wrong == field).then_some("true");
    let described = |field: &str| (problem.is_some() && wrong == field).then(|| format!("{field}-error"));
    let edits = rights == "edit";
    view! {
        <section class="box">
            <header><h2>"Add an operator"</h2></header>
            <div class="box-body">
                {problem.clone().map(|problem| view! { <ErrorSummary problem field=wrong /> })}
                <form method="post" action=HERE novalidate=true data-testid="add-operator">
                    <input type="hidden" name="act" value="add" />
                    <div class="field">
                        <label for="new-email">"Email"</label>
                        {at("new-email")}
                        <input id="new-email" name="email" type="email" value=email autocomplete="off" aria-required="true" aria-invalid=invalid("new-email") aria-describedby=described("new-email") />
                    </div>
                    <div class="field">
                        <label for="new-name">"Name"</label>
                        {at("new-name")}
                        <input id="new-name" name="name" value=name autocomplete="off" aria-required="true" aria-invalid=invalid("new-name") aria-describedby=described("new-name") />
                    </div>
                    <fieldset class="radios" id="new-rights">
                        <legend>"Rights"</legend>
                        {at("new-rights")}
                        <label><input type="radio" name="rights" value="view" checked=!edits />"View only"<small>"users:view: sees counts and masks"</small></label>
                        <label><input type="radio" name="rights" value="edit" checked=edits />"Editor"<small>"users:edit: decides, shows text, erases"</small></label>
                    </fieldset>
                    {asks_password.then(|| view! { <PasswordAgain wrong=wrong == "present" /> })}
                    <button type="submit" class="button primary">"Add operator"</button>
                    <p class="hint-line">"A password is made and shown to you once."</p>
                </form>
            </div>
        </section>
    }
}
