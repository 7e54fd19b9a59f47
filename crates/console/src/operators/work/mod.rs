//! Operators and one's own account, for the console's calls.

pub(crate) mod workload;

use leptos::prelude::use_context;

use crate::audit::work::entries_by_day;
use crate::notice::{Notice, Refused};
use crate::operators::shapes::{Account, Member, OperatorChange, OperatorPost, Staff};
use crate::operators::work::workload::work_table;
use crate::screens;
use crate::server::{PostedForm, SignedIn, fail, outward, say};
use access::operators::plausible;
use access::passwords::PASSWORD_MIN_CHARS;
use access::sessions;
use access::tries::AttemptSource;
use domain::access::rights::Rights;
use domain::problem::{Faults, Field, Problem};
use service::people::operators::Handed;

/// Number of own entries on the account page.
const RECENT: u32 = 10;

/// The result of a post to the operators' page.
pub(crate) type Outcome = OperatorPost;

/// The list; on a posted page, also the result of the post.
pub async fn staff(operator: &SignedIn) -> Result<Staff, Refused> {
    let posted = match use_context::<PostedForm>() {
        Some(form) => Some(form.0.staff.get_or_init(|| posted(operator, &form)).await.clone()),
        None => None,
    };
    if let Some(OperatorPost::Refused { problem, .. }) = &posted {
        say(problem.clone());
    }
    let operators = outward(&operator.console, operator.console.keepsake.people.operators(&operator.viewer).await)?;
    let load = outward(&operator.console, operator.console.keepsake.audit.workload(&operator.viewer).await)?;
    let work = work_table(&load, &operators);
    let members = operators.into_iter().map(|one| Member {
        me: one.id == operator.viewer.id(),
        id: one.id,
        name: one.name,
        email: one.email,
        rights: one.rights,
        disabled: one.disabled,
    });
    Ok(Staff {
        members: members.collect(),
        own: operator.viewer.rights(),
        asks_password: operator.asks_password().await?,
        posted,
        work,
    })
}

pub async fn disable(operator: &SignedIn, id: &str, present: String) -> Result<Notice, Refused> {
    let manager = operator.viewer.manager().map_err(say)?;
    operator.proved(present).await?;
    outward(&operator.console, operator.console.keepsake.people.shut_out(manager, id).await)?;
    leptos_axum::redirect(screens::OPERATORS.path);
    Ok(Notice::Staff(OperatorChange::Disabled))
}

pub async fn set_rights(operator: &SignedIn, id: &str, seen: &str, rights: &str, present: String) -> Result<Notice, Refused> {
    let manager = operator.viewer.manager().map_err(say)?;
    let (seen, rights) = (Rights::parse(seen).map_err(say)?, Rights::parse(rights).map_err(say)?);
    operator.proved(present).await?;
    outward(&operator.console, operator.console.keepsake.people.set_rights(manager, id, seen, rights).await)?;
    leptos_axum::redirect(screens::OPERATORS.path);
    Ok(Notice::Staff(OperatorChange::RightsChanged))
}

pub async fn account(operator: &SignedIn) -> Result<Account, Refused> {
    let keepsake = &operator.console.keepsake;
    let operators = outward(&operator.console, keepsake.people.operators(&operator.viewer).await)?;
    let own = operators.into_iter().find(|one| one.id == operator.viewer.id());
    let own = own.ok_or_else(|| say(Problem::Unauthenticated))?;
    let rows = outward(&operator.console, keepsake.audit.own_log(&operator.viewer, RECENT).await)?;
    Ok(Account {
        name: own.name,
        email: own.email,
        rights: own.rights,
        password_from: PASSWORD_MIN_CHARS,
        recent: entries_by_day(operator, rows).await?,
    })
}

/// Sets a new password and a new session id; the operator's other sessions end.
pub async fn change_password(operator: &SignedIn, present: String, password: String) -> Result<Notice, Refused> {
    let console = &operator.console;
    let session = operator.session_digest();
    let now = console.keepsake.clock.now();
    let permit =
        console.tries.take(operator.viewer.id(), AttemptSource::KnownDevice, console.keepsake.clock.steady()).map_err(say)?;
    let changed = console.keepsake.people.change_own_password(&operator.viewer, present, password, &session).await;
    let guessed = matches!(&changed, Err(service::Error::Refused(problem)) if problem.of_field(Field::PresentPassword).is_some());
    if !guessed {
        permit.give_back();
    }
    outward(console, changed)?;
    operator.session.cycle_id().await.map_err(|error| fail(console, error))?;
    sessions::prove(&operator.session, now).await.map_err(|error| fail(console, error))?;
    Ok(Notice::Staff(OperatorChange::PasswordChanged))
}

async fn posted(operator: &SignedIn, form: &PostedForm) -> OperatorPost {
    let field = |name: &str| form.field(name);
    let added = field("act") == "add";
    let handed = if added {
        add(operator, &field("email"), &field("name"), &field("rights"), field("present")).await
    } else {
        hand_over(operator, &field("operator"), field("present")).await
    };
    match handed {
        Ok(Handed { name, email, password }) => OperatorPost::Handed { name, email, password, added },
        Err(Refused(problem)) => {
            let reset = Some(field("operator")).filter(|_| !added);
            OperatorPost::Refused { problem, email: field("email"), name: field("name"), rights: field("rights"), reset }
        }
    }
}

async fn add(operator: &SignedIn, email: &str, name: &str, rights: &str, present: String) -> Result<Handed, Refused> {
    let manager = operator.viewer.manager().map_err(say)?;
    let mut faults = Faults::new();
    faults.note(plausible(email, name));
    let rights = faults.note(Rights::parse(rights));
    operator.judge_password(&mut faults, present).await?;
    faults.settle().map_err(say)?;
    outward(&operator.console, operator.console.keepsake.people.hire(manager, email, name, rights.unwrap_or_default()).await)
}

async fn hand_over(operator: &SignedIn, id: &str, present: String) -> Result<Handed, Refused> {
    let manager = operator.viewer.manager().map_err(say)?;
    operator.proved(present).await?;
    outward(&operator.console, operator.console.keepsake.people.reset_password(manager, id).await)
}
