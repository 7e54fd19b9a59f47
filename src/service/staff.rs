//! Who may come in: operators and keys, added and shut out with a row in the audit log. These need the store alone, so that
//! they work before there is an embedder.

use super::audit::{self, Actor, Entry};
use super::{Error, Result};
use crate::access::callers::{NewKey, Scope};
use crate::access::operators::plausible;
use crate::access::{callers, passwords};
use crate::domain::moment::Moment;
use crate::domain::people::UserId;
use crate::domain::problem::{Field, Problem};
use crate::ports::clock::Clock;
use crate::ports::store::desk::{Operator, Rights};
use crate::ports::store::{Store, WriteTx, atomically};

/// An operator to add.
pub struct NewOperator<'a> {
    pub email: &'a str,
    pub name: &'a str,
    pub rights: Rights,
    pub password: String,
}

/// Adds an operator and returns his id; refuses an email that is taken.
pub async fn add_operator(store: &dyn Store, clock: &dyn Clock, actor: &Actor, new: NewOperator<'_>) -> Result<String> {
    let (email, name) = plausible(new.email, new.name)?;
    let operator = Operator {
        id: clock.id("op"),
        email: email.to_owned(),
        name: name.to_owned(),
        rights: new.rights,
        password_hash: passwords::hash(new.password).await?,
        disabled: false,
    };
    let now = clock.now();
    atomically::<_, Error, _>(store, |tx| {
        let operator = &operator;
        Box::pin(async move {
            if !tx.insert_operator(operator, now).await? {
                return Err(Problem::invalid(Field::Email, "belongs to an operator already").into());
            }
            record(tx, now, actor, "operator.added", &operator.id).await
        })
    })
    .await?;
    Ok(operator.id)
}

/// Gives an operator a new password.
pub async fn set_password(store: &dyn Store, clock: &dyn Clock, actor: &Actor, email: &str, password: String) -> Result<()> {
    let operator = find(store, email).await?;
    let hash = passwords::hash(password).await?;
    let now = clock.now();
    atomically::<_, Error, _>(store, |tx| {
        let (operator, hash) = (&operator, &hash);
        Box::pin(async move {
            tx.set_password(&operator.id, hash).await?;
            record(tx, now, actor, "operator.password_changed", &operator.id).await
        })
    })
    .await
}

/// Shuts an operator out, open sessions included. Again is no error.
pub async fn disable_operator(store: &dyn Store, clock: &dyn Clock, actor: &Actor, email: &str) -> Result<()> {
    let operator = find(store, email).await?;
    let now = clock.now();
    atomically::<_, Error, _>(store, |tx| {
        let operator = &operator;
        Box::pin(async move {
            if tx.disable_operator(&operator.id, now).await? {
                record(tx, now, actor, "operator.disabled", &operator.id).await?;
            }
            Ok(())
        })
    })
    .await
}

/// Makes a key and stores a hash of it.
pub async fn add_key(
    store: &dyn Store,
    clock: &dyn Clock,
    actor: &Actor,
    name: &str,
    scopes: &[Scope],
    user: Option<UserId>,
) -> Result<NewKey> {
    let (new, key) = callers::make_key(clock, name, scopes, user)?;
    let now = clock.now();
    atomically::<_, Error, _>(store, |tx| {
        let key = &key;
        Box::pin(async move {
            tx.insert_key(key).await?;
            record(tx, now, actor, "key.added", &key.id).await
        })
    })
    .await?;
    Ok(new)
}

async fn record(tx: &mut dyn WriteTx, now: Moment, actor: &Actor, action: &'static str, target: &str) -> Result<()> {
    let entry = Entry { actor: actor.clone(), action, target: Some(target.to_owned()), user_digest: None, detail: None };
    Ok(audit::append(tx, now, entry).await?)
}

async fn find(store: &dyn Store, email: &str) -> Result<Operator> {
    Ok(store.operator_by_email(email.trim()).await?.ok_or_else(|| Problem::not_found("operator"))?)
}
