//! Programs with a key, and the command line.

use super::digest::sha256_hex;
use crate::domain::people::UserId;
use crate::domain::problem::{Field, Problem};
use crate::ports::clock::Clock;
use crate::ports::store::keys::Key;
use crate::ports::store::{Store, StoreError};

/// Prefix of every key, so that secret scanners and people recognise one.
const KEY_PREFIX: &str = "ks";
/// Longest name of a key in characters.
const KEY_NAME_MAX_CHARS: usize = 100;

/// What a key allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    Read,
    Write,
    Erase,
    Export,
}

impl Scope {
    pub const ALL: [Self; 4] = [Self::Read, Self::Write, Self::Erase, Self::Export];

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Erase => "erase",
            Self::Export => "export",
        }
    }

    pub fn parse(name: &str) -> Result<Self, Problem> {
        let known = Self::ALL.into_iter().find(|scope| scope.as_str() == name);
        known.ok_or_else(|| Problem::invalid(Field::Scope, "must be one of read, write, erase, export"))
    }
}

/// The kind of program that calls, for the audit log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallerKind {
    Key,
    CommandLine,
}

/// Proof that a program may call, with its scopes and for whom.
#[derive(Debug, Clone)]
pub struct Caller {
    kind: CallerKind,
    id: String,
    scopes: Vec<Scope>,
    /// The only user this caller speaks for; `None`: may name any user.
    bound_to: Option<UserId>,
}

impl Caller {
    /// Whoever can run commands on this machine may do what the commands do.
    #[must_use]
    pub fn command_line() -> Self {
        Self { kind: CallerKind::CommandLine, id: "cli".to_owned(), scopes: Scope::ALL.to_vec(), bound_to: None }
    }

    #[must_use]
    pub fn kind(&self) -> CallerKind {
        self.kind
    }

    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The only user this caller speaks for; `None`: may name any user.
    #[must_use]
    pub fn bound_to(&self) -> Option<&UserId> {
        self.bound_to.as_ref()
    }

    /// Refuses unless the key has this scope.
    pub fn needs(&self, scope: Scope) -> Result<(), Problem> {
        if self.scopes.contains(&scope) { Ok(()) } else { Err(Problem::ScopeMissing { scope: scope.as_str().to_owned() }) }
    }

    /// The user this call is for. A bound key always speaks for its own user, who need not be named; naming another is refused.
    /// Otherwise it is the user named in the request, or nobody.
    pub fn speaks_for(&self, named: Option<String>) -> Result<Option<UserId>, Problem> {
        let named = named.map(UserId::new).transpose()?;
        match (&self.bound_to, named) {
            (None, named) => Ok(named),
            (Some(own), None) => Ok(Some(own.clone())),
            (Some(own), Some(named)) if *own == named => Ok(Some(named)),
            (Some(_), Some(_)) => Err(Problem::UserNotAllowed),
        }
    }

    /// Like [`Caller::speaks_for`], but a user is required.
    pub fn must_speak_for(&self, named: Option<String>) -> Result<UserId, Problem> {
        self.speaks_for(named)?.ok_or_else(|| Problem::invalid(Field::UserId, "is needed here"))
    }

    /// Whether this caller may see something that belongs to this owner.
    #[must_use]
    pub fn sees(&self, owner: Option<&UserId>) -> bool {
        self.bound_to.as_ref().is_none_or(|own| Some(own) == owner)
    }
}

/// Finds the caller with this key; `None`: no such key.
pub async fn authenticate(store: &dyn Store, bearer: &str) -> Result<Option<Caller>, StoreError> {
    let Some(key) = store.key_by_hash(&sha256_hex(bearer.as_bytes())).await? else { return Ok(None) };
    let scopes = key.scopes.split(' ').filter_map(|name| Scope::parse(name).ok()).collect();
    Ok(Some(Caller { kind: CallerKind::Key, id: key.id, scopes, bound_to: key.user }))
}

/// A newly made key. This is the only time that its secret is known.
pub struct NewKey {
    pub id: String,
    pub secret: String,
}

/// Makes a key: its secret for the caller, and the record to store.
pub fn make_key(clock: &dyn Clock, name: &str, scopes: &[Scope], user: Option<UserId>) -> Result<(NewKey, Key), Problem> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > KEY_NAME_MAX_CHARS || name.chars().any(char::is_control) {
        return Err(Problem::invalid(Field::Name, "must be 1 to 100 characters"));
    }
    let new = NewKey { id: clock.id("key"), secret: format!("{}{}", clock.id(KEY_PREFIX), &clock.id("")[1..]) };
    let key = Key {
        id: new.id.clone(),
        name: name.to_owned(),
        scopes: scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(" "),
        user,
        hash: sha256_hex(new.secret.as_bytes()),
        created_at: clock.now(),
    };
    Ok((new, key))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(user: Option<&str>) -> Caller {
        let bound_to = user.map(|id| UserId::new(id).expect("valid"));
        Caller { kind: CallerKind::Key, id: "key_1".to_owned(), scopes: vec![Scope::Read], bound_to }
    }

    #[test]
    fn a_bound_key_speaks_for_its_user_alone() {
        let own = bound(Some("u1"));
        assert_eq!(own.speaks_for(None).expect("own").expect("bound").as_str(), "u1");
        assert!(own.speaks_for(Some("u1".to_owned())).is_ok());
        assert_eq!(own.speaks_for(Some("u2".to_owned())), Err(Problem::UserNotAllowed));
        assert!(bound(None).speaks_for(None).expect("anonymous").is_none());
        assert_eq!(bound(None).must_speak_for(None).expect_err("needed").status(), 422);
    }

    #[test]
    fn a_scope_that_is_missing_is_named() {
        assert!(bound(None).needs(Scope::Read).is_ok());
        assert_eq!(bound(None).needs(Scope::Erase), Err(Problem::ScopeMissing { scope: "erase".to_owned() }));
    }
}
