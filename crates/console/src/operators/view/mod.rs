//! Operators and their rights.

mod workload;

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use crate::notice::grouped;
use crate::operators::call::list_staff;
use crate::operators::shapes::{Member, OperatorPost, Staff};
use crate::operators::view::workload::Workload;
use crate::parts::field::{PasswordAgain, Typed, Wrong};
use crate::parts::heads::heads;
use crate::parts::icon::{Icon, Icon16};
use crate::parts::load::{load, loaded, missing};
use crate::parts::note::Note;
use crate::screens;
use crate::shell::{Head, LeftoverHere};
use domain::access::rights::{Right, Rights};
use domain::problem::{Field, Problem};

/// The path of the page.
const HERE: &str = screens::OPERATORS.path;

#[component]
pub fn Operators() -> impl IntoView {
    let refused = Typed::refused("asked").and_then(|(problem, flash)| {
        let what = QUESTIONS.into_iter().find(|what| flash.field("asked") == Some(what))?;
        Some(OperatorQuestion { what, id: flash.field("operator")?.to_owned(), wrong: Some(problem) })
    });
    let query = use_query_map().get_untracked();
    let asked = || QUESTIONS.into_iter().find_map(|what| Some(OperatorQuestion { what, id: query.get(what)?, wrong: None }));
    let told = refused.is_some();
    let asked = refused.or_else(asked);
    let page = load(|| (), |()| list_staff());
    view! {
        <Title text=screens::OPERATORS.title />
        <Head title=screens::OPERATORS.title lead=Signal::stored("Who can sign in, and what they can do".to_owned()) />
        {(!told).then(|| view! { <LeftoverHere /> })}
        {loaded(page, move |staff| view! { <Page staff asked=asked.clone() /> }, missing("The list"))}
    }
}

/// Confirmations of an action on an operator, by their names in the URL.
const QUESTIONS: [&str; 3] = ["rights", "reset", "disable"];

/// A confirmation, and the problem if its form was refused.
#[derive(Clone)]
struct OperatorQuestion {
    what: &'static str,
    id: String,
    wrong: Option<Problem>,
}

#[component]
fn Page(staff: Staff, #[prop(into)] asked: Option<OperatorQuestion>) -> impl IntoView {
    let Staff { members, own, asks_password, posted, work } = staff;
    let may_manage = own.include(Right::Manage);
    let (handed, refused, again) = match posted {
        Some(OperatorPost::Refused { problem, reset: Some(id), .. }) => (None, None, Some((id, problem))),
        Some(OperatorPost::Refused { problem, email, name, rights, .. }) => (None, Some((problem, email, name, rights)), None),
        handed => (handed, None, None),
    };
    let again = again.map(|(id, problem)| OperatorQuestion { what: "reset", id, wrong: Some(problem) });
    let asked = again.or(asked);
    let wrong = asked.as_ref().and_then(|question| question.wrong.clone());
    let question = asked.filter(|_| may_manage && handed.is_none()).and_then(|question| {
        let member = members.iter().find(|member| member.id == question.id && !member.disabled && own.cover(member.rights))?;
        Some((question, member.clone()))
    });
    view! {
        <div class="column wide">
            {handed.map(|posted| view! { <HandedOver posted /> })}
            {match question {
                Some((question, member)) => view! { <Ask question member own asks_password /> }.into_any(),
                // The operator in question no longer exists, or may no longer be changed by the operator who asks.
                None => wrong.map(|problem| view! { <Note problem text=None /> }).into_any(),
            }}
            <section class="box">
                <header><h2>{match members.len() { 1 => "1 operator".to_owned(), n => format!("{} operators", grouped(n)) }}</h2></header>
                <table class="ledger" data-testid="operators-table">
                    <caption class="sr">"Operators"</caption>
                    <thead>
                        <tr>
                            {heads([("Name", ""), ("Email", "spare"), ("Rights", "")])}
                            {may_manage.then(|| view! { <th scope="col"><span class="sr">"Actions"</span></th> })}
                        </tr>
                    </thead>
                    <tbody>{members.into_iter().map(|member| view! { <MemberRow member own /> }).collect_view()}</tbody>
                </table>
            </section>
            <Workload work />
            {may_manage.then(|| view! { <AddOperator refused own asks_password /> })}
        </div>
    }
}

#[component]
fn MemberRow(member: Member, own: Rights) -> impl IntoView {
    let words = if member.disabled { "Disabled" } else { member.rights.role() };
    let acts = !member.disabled && own.cover(member.rights);
    let (id, name, disabled) = (member.id.clone(), member.name.clone(), member.disabled);
    view! {
        <tr data-testid="operator-row" data-operator-id=id class:off=disabled>
            <td>{name}{member.me.then(|| view! { <span class="by">" (you)"</span> })}</td>
            <td class="dim spare">{member.email.clone()}</td>
            <td>{words}</td>
            {own.include(Right::Manage).then(|| view! { <td class="number">{acts.then(|| view! { <RowActions member /> })}</td> })}
        </tr>
    }
}

#[component]
fn RowActions(member: Member) -> impl IntoView {
    let Member { id, name, .. } = member;
    let actions = [
        ("rights", "Change rights", "button small"),
        ("reset", "Reset password", "button small"),
        ("disable", "Disable", "button small danger"),
    ];
    let links = actions.map(|(what, words, class)| {
        view! { <a href=format!("{HERE}?{what}={id}") class=class data-dialog="true" aria-label=format!("{words}: {name}")>{words}"…"</a> }
    });
    view! { <div class="row-actions">{links.into_iter().collect_view()}</div> }
}

/// Confirmation before an action on an operator. The form for a new password is posted to this page: only this answer contains
/// the password.
#[component]
fn Ask(question: OperatorQuestion, member: Member, own: Rights, asks_password: bool) -> impl IntoView {
    let OperatorQuestion { what, wrong, .. } = question;
    let not_right = wrong.as_ref().is_some_and(is_of_password);
    let other = wrong.filter(|problem| !is_of_password(problem));
    let Member { id, name, rights, .. } = member;
    let (title, text, action, class, button) = match what {
        "disable" => (
            format!("Disable {name}?"),
            "Open sessions end at once, and signing in is refused. What this operator did stays in the audit log.",
            "/calls/staff/disable",
            "button danger",
            "Disable operator",
        ),
        "rights" => (
            format!("Change the rights of {name}?"),
            "They take effect with the operator's next request.",
            "/calls/staff/rights",
            "button primary",
            "Change rights",
        ),
        _ => (
            format!("Reset the password of {name}?"),
            "The current password stops working, open sessions end, and a new password is shown to you once.",
            HERE,
            "button primary",
            "Reset password",
        ),
    };
    view! {
        {other.map(|problem| view! { <Note problem text=None /> })}
        <section class="box" aria-labelledby="question-title" data-question="true" data-testid="dialog">
            <header><h2 id="question-title">{title}</h2></header>
            <div class="box-body">
                <p>{text}</p>
                <form method="post" action=action>
                    <input type="hidden" name="operator" value=id />
                    <input type="hidden" name="asked" value=what />
                    <input type="hidden" name="act" value=what />
                    {(what == "rights").then(|| view! {
                        <input type="hidden" name="seen" value=rights.as_str() />
                        <fieldset class="radios">
                            <legend>"Rights"</legend>
                            <RightsChoice own chosen=rights />
                        </fieldset>
                    })}
                    {asks_password.then(|| view! { <PasswordAgain wrong=not_right /> })}
                    <div class="form-actions">
                        <button type="submit" class=class data-testid="dialog-confirm">{button}</button>
                        <a href=HERE class="button plain" autofocus=true data-cancels="true" data-testid="dialog-cancel">"Cancel"</a>
                    </div>
                </form>
            </div>
        </section>
    }
}

/// Choice of the rights that an operator with the rights `own` can give.
#[component]
fn RightsChoice(own: Rights, chosen: Rights) -> impl IntoView {
    let given = Rights::ALL.into_iter().filter(move |rights| own.cover(*rights));
    given
        .map(|rights| {
            view! {
                <label>
                    <input type="radio" name="rights" value=rights.as_str() checked=rights == chosen />
                    {rights.role()}
                    <small>{rights.means()}</small>
                </label>
            }
        })
        .collect_view()
}

fn is_of_password(problem: &Problem) -> bool {
    matches!(problem, Problem::Invalid { field: Field::PresentPassword, .. })
}

#[component]
fn HandedOver(posted: OperatorPost) -> impl IntoView {
    let OperatorPost::Handed { name, email, password, added } = posted else { return ().into_any() };
    let title = if added { format!("{name} was added") } else { format!("{name} has a new password") };
    view! {
        <div class="note wide ok" role="status" data-testid="handed">
            <Icon16 icon=Icon::Lock />
            <div class="note-text">
                <p class="note-title">{title}</p>
                <p>{email}</p>
                <p class="secret"><code data-testid="password">{password}</code></p>
                <p>"This is shown once. Give it to them in person, and ask them to change it under Account."</p>
            </div>
        </div>
    }
    .into_any()
}

#[component]
fn AddOperator(
    #[prop(into)] refused: Option<(Problem, String, String, String)>,
    own: Rights,
    asks_password: bool,
) -> impl IntoView {
    let (problem, email, name, rights) = match refused {
        Some((problem, email, name, rights)) => (Some(problem), email, name, rights),
        None => (None, String::new(), String::new(), String::new()),
    };
    let wrong = Wrong::new(problem.as_ref(), |problem| match problem {
        Problem::Invalid { field: Field::Name, .. } => "new-name",
        Problem::Invalid { field: Field::Rights, .. } => "new-rights",
        Problem::Invalid { field: Field::PresentPassword, .. } => "present",
        _ => "new-email",
    });
    let chosen = Rights::parse(&rights).unwrap_or_default();
    view! {
        <section class="box">
            <header><h2>"Add an operator"</h2></header>
            <div class="box-body">
                {wrong.summary()}
                <form method="post" action=HERE novalidate=true data-testid="add-operator">
                    <input type="hidden" name="act" value="add" />
                    <div class="field">
                        <label for="new-email">"Email"</label>
                        {wrong.at("new-email")}
                        <input id="new-email" name="email" type="email" value=email autocomplete="off" aria-required="true" aria-invalid=wrong.invalid("new-email") aria-describedby=wrong.described("new-email", false) />
                    </div>
                    <div class="field">
                        <label for="new-name">"Name"</label>
                        {wrong.at("new-name")}
                        <input id="new-name" name="name" value=name autocomplete="off" aria-required="true" aria-invalid=wrong.invalid("new-name") aria-describedby=wrong.described("new-name", false) />
                    </div>
                    <fieldset class="radios" id="new-rights" tabindex="-1" aria-describedby=wrong.described("new-rights", false)>
                        <legend>"Rights"</legend>
                        {wrong.at("new-rights")}
                        <RightsChoice own chosen />
                    </fieldset>
                    {asks_password.then(|| view! { <PasswordAgain wrong=wrong.has("present") /> })}
                    <button type="submit" class="button primary">"Add operator"</button>
                    <p class="hint-line">"A password is made and shown to you once."</p>
                </form>
            </div>
        </section>
    }
}
