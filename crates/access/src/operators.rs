//! Operators: sign-in and rights.

use super::digest::Digester;
use super::passwords;
use domain::access::rights::{Right, Rights};
use domain::problem::{Faults, Field, Problem};
use ports::store::people::operators::Operator;
use ports::store::{Store, StoreError};

/// Longest name and email in characters.
const NAME_MAX_CHARS: usize = 100;

/// Proof that the caller is an operator who may view.
#[derive(Debug, Clone)]
pub struct Viewer {
    id: String,
    name: String,
    rights: Rights,
    reviewer: Reviewer,
    manager: Manager,
}

/// Proof that the caller is an operator who may decide on facts.
#[derive(Debug, Clone)]
pub struct Reviewer {
    id: String,
}

/// Proof that the caller is an operator who may erase, read what is held about a person, and change settings and operators.
#[derive(Debug, Clone)]
pub struct Manager {
    id: String,
    rights: Rights,
}

impl Viewer {
    fn of(operator: &Operator) -> Self {
        let (id, rights) = (operator.id.clone(), operator.rights);
        Self {
            name: operator.name.clone(),
            rights,
            reviewer: Reviewer { id: id.clone() },
            manager: Manager { id: id.clone(), rights },
            id,
        }
    }

    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    #[must_use]
    pub fn rights(&self) -> Rights {
        self.rights
    }

    #[must_use]
    pub fn may(&self, right: Right) -> bool {
        self.rights.include(right)
    }

    pub fn reviewer(&self) -> Result<&Reviewer, Problem> {
        self.needs(Right::Review).map(|()| &self.reviewer)
    }

    pub fn manager(&self) -> Result<&Manager, Problem> {
        self.needs(Right::Manage).map(|()| &self.manager)
    }

    fn needs(&self, right: Right) -> Result<(), Problem> {
        if self.may(right) { Ok(()) } else { Err(Problem::ViewOnly { needs: right }) }
    }
}

impl Reviewer {
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }
}

impl Manager {
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Refuses rights that this operator lacks: no one may grant more than their own, or take over an operator with more.
    pub fn must_cover(&self, rights: Rights) -> Result<(), Problem> {
        if self.rights.cover(rights) { Ok(()) } else { Err(Problem::ViewOnly { needs: Right::Review }) }
    }
}

/// Why a sign-in failed.
#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    #[error(transparent)]
    Refused(#[from] Problem),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Checks email and password. A disabled operator gets the same answer as a wrong password.
pub async fn sign_in(store: &dyn Store, email: &str, password: String) -> Result<Viewer, SignInError> {
    let operator = store.operator_by_email(email.trim()).await?.filter(|operator| !operator.disabled);
    let stored = operator.as_ref().map(|operator| operator.password_hash.clone());
    let right = passwords::matches(password, stored).await;
    match operator {
        Some(operator) if right => Ok(Viewer::of(&operator)),
        _ => Err(Problem::WrongPassword.into()),
    }
}

/// Whether this device's token shows that the operator with this email has signed in on it before; and the operator's id.
pub async fn at_known_device(
    store: &dyn Store,
    digester: &Digester,
    email: &str,
    token: Option<&str>,
) -> Result<(bool, Option<String>), StoreError> {
    let operator = store.operator_by_email(email.trim()).await?.filter(|operator| !operator.disabled);
    let known = operator
        .as_ref()
        .is_some_and(|operator| token.is_some_and(|token| digester.device(&operator.id, &operator.password_hash) == token));
    Ok((known, operator.map(|operator| operator.id)))
}

/// The token that marks a device as known. A new password voids it.
pub async fn device_token(store: &dyn Store, digester: &Digester, operator_id: &str) -> Result<Option<String>, StoreError> {
    Ok(store.operator(operator_id).await?.map(|operator| digester.device(&operator.id, &operator.password_hash)))
}

/// The operator of a session, read fresh each time, so that changed rights and disabling take effect at once.
pub async fn viewer(store: &dyn Store, operator_id: &str) -> Result<Option<Viewer>, StoreError> {
    Ok(store.operator(operator_id).await?.filter(|operator| !operator.disabled).map(|operator| Viewer::of(&operator)))
}

/// Email and name, trimmed, if they are valid for an operator.
pub fn plausible<'a>(email: &'a str, name: &'a str) -> Result<(&'a str, &'a str), Problem> {
    let (email, name) = (email.trim(), name.trim());
    let address = email
        .split_once('@')
        .is_some_and(|(local, host)| !local.is_empty() && host.contains('.') && !email.contains(char::is_whitespace));
    let mut faults = Faults::new();
    if !address || email.chars().count() > NAME_MAX_CHARS {
        faults.add(Problem::invalid(Field::Email, "must be a valid address, such as you@example.org"));
    }
    if name.is_empty() || name.chars().count() > NAME_MAX_CHARS || name.chars().any(char::is_control) {
        faults.add(Problem::invalid(Field::Name, "must be 1 to 100 characters"));
    }
    faults.settle()?;
    Ok((email, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operator_has_an_address_and_a_name() {
        assert_eq!(plausible(" a@b.example ", " Priya "), Ok(("a@b.example", "Priya")));
        for (email, name) in [("", "A"), ("a@b", "A"), ("a b@c.example", "A"), ("a@b.example", " "), ("a@b.example", "A\nB")] {
            assert!(plausible(email, name).is_err(), "{email:?} {name:?}");
        }
    }
}
