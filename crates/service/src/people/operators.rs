//! Operators: added and disabled, with a row in the audit log. These functions need only the store, so that they work before
//! there is an embedder.

use crate::Result;
use crate::audit::{self, Actor, Entry};
use crate::people::People;
use crate::reading::refuse_secret_in;
use crate::transactions::atomically;
use access::operators::{Manager, Viewer, plausible};
use access::passwords;
use domain::access::rights::Rights;
use domain::problem::{Faults, Field, Problem};
use ports::clock::Clock;
pub use ports::store::people::operators::Operator;
use ports::store::{Store, WriteTx};

/// Letters per group in a generated password.
const PASSWORD_GROUP: usize = 5;

/// An operator to add.
pub struct NewOperator<'a> {
    pub email: &'a str,
    pub name: &'a str,
    pub rights: Rights,
    pub password: String,
}

/// Adds an operator and returns the new id; refuses an email that is taken.
pub async fn add_operator(store: &dyn Store, clock: &dyn Clock, actor: &Actor, new: NewOperator<'_>) -> Result<String> {
    let (email, name) = plausible(new.email, new.name)?;
    refuse_secret_in(name).await?;
    let operator = Operator {
        id: clock.id("op"),
        email: email.to_owned(),
        name: name.to_owned(),
        rights: new.rights,
        password_hash: passwords::hash(new.password).await?,
        disabled: false,
    };
    let now = clock.now();
    atomically!(store, [operator], |tx| {
        if !tx.insert_operator(operator, now).await? {
            return Err(Problem::invalid(Field::Email, "belongs to an operator already").into());
        }
        Ok(audit::append(tx, now, Entry::of(actor, "operator.added").on(&operator.id)).await?)
    })
    .await?;
    Ok(operator.id)
}

/// Sets a new password for an operator and ends the operator's sessions.
pub async fn set_password(store: &dyn Store, clock: &dyn Clock, actor: &Actor, email: &str, password: String) -> Result<()> {
    let operator = find(store, email).await?;
    replace_password(store, clock, actor, None, &operator.id, password).await
}

async fn replace_password(
    store: &dyn Store,
    clock: &dyn Clock,
    actor: &Actor,
    by: Option<&Manager>,
    id: &str,
    password: String,
) -> Result<()> {
    let hash = passwords::hash(password).await?;
    let now = clock.now();
    atomically!(store, [hash], |tx| {
        let operator = known(tx, id).await?;
        by.map_or(Ok(()), |manager| manager.must_cover(operator.rights))?;
        tx.set_password(id, hash).await?;
        tx.end_sessions(id, None).await?;
        Ok(audit::append(tx, now, Entry::of(actor, "operator.password_changed").on(id)).await?)
    })
    .await
}

/// Disables an operator and ends open sessions. Repeating it is not an error. The console refuses to disable the last editor; the
/// command line allows it, because it can add another.
pub async fn disable_operator(store: &dyn Store, clock: &dyn Clock, actor: &Actor, email: &str) -> Result<()> {
    let operator = find(store, email).await?;
    disable(store, clock, actor, None, &operator.id).await
}

async fn disable(store: &dyn Store, clock: &dyn Clock, actor: &Actor, by: Option<&Manager>, id: &str) -> Result<()> {
    let now = clock.now();
    atomically!(store, |tx| {
        let operator = known(tx, id).await?;
        if operator.disabled {
            return Ok(());
        }
        by.map_or(Ok(()), |manager| manager.must_cover(operator.rights))?;
        keep_an_editor(tx, actor, &operator).await?;
        tx.disable_operator(id, now).await?;
        tx.end_sessions(id, None).await?;
        Ok(audit::append(tx, now, Entry::of(actor, "operator.disabled").on(id)).await?)
    })
    .await
}

/// Refuses to remove the last editor, except from the command line.
async fn keep_an_editor(tx: &mut dyn WriteTx, actor: &Actor, operator: &Operator) -> Result<()> {
    let edits = operator.rights == Rights::Edit && !operator.disabled;
    if edits && !matches!(actor, Actor::CommandLine) && tx.count_other_editors(&operator.id).await? == 0 {
        return Err(Problem::LastEditor.into());
    }
    Ok(())
}

async fn known(tx: &mut dyn WriteTx, id: &str) -> Result<Operator> {
    Ok(tx.known_operator(id).await?.ok_or_else(|| Problem::not_found("operator"))?)
}

/// A password of 100 random bits, in groups that are easy to read out.
fn new_password(clock: &dyn Clock) -> String {
    let letters: Vec<char> = clock.id("").trim_start_matches('_').chars().collect();
    letters.chunks(PASSWORD_GROUP).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join("-")
}

/// An operator with a generated password. This is the only time that the password is known.
pub struct Handed {
    pub name: String,
    pub email: String,
    pub password: String,
}

impl People {
    pub async fn operators(&self, _viewer: &Viewer) -> Result<Vec<Operator>> {
        Ok(self.store.operators().await?)
    }

    /// Adds an operator with a random password.
    pub async fn hire(&self, manager: &Manager, email: &str, name: &str, rights: Rights) -> Result<Handed> {
        manager.must_cover(rights)?;
        let (clock, password) = (self.clock.as_ref(), new_password(self.clock.as_ref()));
        let new = NewOperator { email, name, rights, password: password.clone() };
        add_operator(self.store.as_ref(), clock, &manager.into(), new).await?;
        Ok(Handed { name: name.trim().to_owned(), email: email.trim().to_owned(), password })
    }

    /// Sets a random password for an operator and ends the operator's sessions.
    pub async fn reset_password(&self, manager: &Manager, id: &str) -> Result<Handed> {
        let operator = self.store.operator(id).await?.filter(|operator| !operator.disabled);
        let operator = operator.ok_or_else(|| Problem::not_found("operator"))?;
        let password = new_password(self.clock.as_ref());
        let (store, clock) = (self.store.as_ref(), self.clock.as_ref());
        replace_password(store, clock, &manager.into(), Some(manager), id, password.clone()).await?;
        Ok(Handed { name: operator.name, email: operator.email, password })
    }

    /// Disables an operator.
    pub async fn shut_out(&self, manager: &Manager, id: &str) -> Result<()> {
        disable(self.store.as_ref(), self.clock.as_ref(), &manager.into(), Some(manager), id).await
    }

    /// Changes an operator's rights if they are still as shown; takes effect on the operator's next request.
    pub async fn set_rights(&self, manager: &Manager, id: &str, seen: Rights, wanted: Rights) -> Result<()> {
        let now = self.clock.now();
        atomically!(self.store.as_ref(), |tx| {
            let operator = known(tx, id).await?;
            if operator.rights == wanted {
                return Ok(());
            }
            if operator.rights != seen {
                return Err(Problem::Stale { version: 0 }.into());
            }
            manager.must_cover(operator.rights)?;
            manager.must_cover(wanted)?;
            keep_an_editor(tx, &manager.into(), &operator).await?;
            tx.set_rights(id, wanted).await?;
            let entry =
                Entry::of(manager, "operator.rights_changed").on(id).saying(format!("{} → {}", seen.as_str(), wanted.as_str()));
            Ok(audit::append(tx, now, entry).await?)
        })
        .await
    }

    /// Whether this is the calling operator's password.
    pub async fn is_own_password(&self, viewer: &Viewer, password: String) -> Result<bool> {
        let operator = self.store.operator(viewer.id()).await?.ok_or(Problem::Unauthenticated)?;
        Ok(passwords::matches(password, Some(operator.password_hash)).await)
    }

    /// Changes the calling operator's own password if the current one is right, and ends all other sessions.
    pub async fn change_own_password(&self, viewer: &Viewer, present: String, new: String, session: &str) -> Result<()> {
        let mut faults = Faults::new();
        if !self.is_own_password(viewer, present).await? {
            faults.add(Problem::invalid(Field::PresentPassword, "is not right"));
        }
        faults.note(passwords::check(&new));
        faults.settle()?;
        let hash = passwords::hash(new).await?;
        let now = self.clock.now();
        atomically!(self.store.as_ref(), [hash], |tx| {
            tx.set_password(viewer.id(), hash).await?;
            tx.end_sessions(viewer.id(), Some(session)).await?;
            Ok(audit::append(tx, now, Entry::of(viewer, "operator.password_changed").on(viewer.id())).await?)
        })
        .await
    }
}

async fn find(store: &dyn Store, email: &str) -> Result<Operator> {
    Ok(store.operator_by_email(email.trim()).await?.ok_or_else(|| Problem::not_found("operator"))?)
}
