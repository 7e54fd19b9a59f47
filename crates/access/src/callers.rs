//! Callers: programs with a key, the command line, bots and operators.

use super::digest::sha256_hex;
use super::operators::Manager;
use domain::access::key::{KeyLife, Overlap, is_key_id};
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::moment::Moment;
use domain::problem::{Field, Problem};
use ports::clock::Clock;
use ports::store::people::keys::{Key, KeyUse};
use ports::store::{Store, StoreError};

/// Prefix of every key, so that secret scanners and people recognise one.
const KEY_PREFIX: &str = "ks";
/// Longest name of a key in characters.
const KEY_NAME_MAX_CHARS: usize = 100;
/// From this many letters and digits after the prefix, a text is a key and not a name.
const SECRET_MIN_CHARS: usize = 20;

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
    /// A bot beside the server, on behalf of the user of a linked chat.
    Bot,
    /// An operator at the console.
    Operator,
}

/// Proof that a program may call, with its scopes and its user.
#[derive(Debug, Clone)]
pub struct Caller {
    kind: CallerKind,
    id: String,
    /// The first key in the chain of rotations that led to this one.
    line: String,
    scopes: Vec<Scope>,
    /// The only user this caller speaks for; `None`: may name any user.
    bound_to: Option<UserId>,
    /// The only surface this caller speaks for; `None`: any.
    surface: Option<Surface>,
    /// No earlier call with this key is on record.
    is_new: bool,
}

impl Caller {
    /// The caller of a command on this machine: may do everything.
    #[must_use]
    pub fn command_line() -> Self {
        Self {
            kind: CallerKind::CommandLine,
            id: "cli".to_owned(),
            line: "cli".to_owned(),
            scopes: Scope::ALL.to_vec(),
            bound_to: None,
            surface: None,
            is_new: false,
        }
    }

    /// The caller of a bot: may do what the user of a linked chat may do, on the surface of the chat. It is logged under the name
    /// of that surface.
    #[must_use]
    pub fn bot(surface: Surface) -> Self {
        let id = || surface.as_str().to_owned();
        Self {
            kind: CallerKind::Bot,
            id: id(),
            line: id(),
            scopes: vec![Scope::Read, Scope::Write, Scope::Erase],
            bound_to: None,
            surface: Some(surface),
            is_new: false,
        }
    }

    /// An operator at the console: may do with a user's blocks what a program could. Check first that the record is open.
    #[must_use]
    pub fn operator(manager: &Manager) -> Self {
        Self {
            kind: CallerKind::Operator,
            id: manager.id().to_owned(),
            line: manager.id().to_owned(),
            scopes: vec![Scope::Read, Scope::Write],
            bound_to: None,
            surface: None,
            is_new: false,
        }
    }

    #[must_use]
    pub fn kind(&self) -> CallerKind {
        self.kind
    }

    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The name under which this caller's use is counted. A key that replaces another keeps its name, and with it the remaining
    /// quota and the stored answers to repeated requests.
    #[must_use]
    pub fn line(&self) -> &str {
        &self.line
    }

    /// Whether no earlier call with this key is on record.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.is_new
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

    /// The user of this call. A bound key always speaks for its own user, who need not be named; naming another is refused.
    /// Otherwise it is the user named in the request, if any.
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
        self.speaks_for(named)?
            .ok_or_else(|| Problem::invalid(Field::UserId, "Send `user_id`: this key is not made for one user"))
    }

    /// The surface of this call. A key that is bound to one speaks for it, and it need not be named; naming another is refused.
    /// Otherwise it is the one that the request names, if it names one.
    pub fn speaks_on(&self, named: Option<String>) -> Result<Option<Surface>, Problem> {
        let named = named.map(Surface::new).transpose()?;
        match (&self.surface, named) {
            (None, named) => Ok(named),
            (Some(own), Some(named)) if *own != named => Err(Problem::SurfaceNotAllowed { own: own.as_str().to_owned() }),
            (Some(own), _) => Ok(Some(own.clone())),
        }
    }

    /// Like [`Caller::speaks_on`], but a surface is required.
    pub fn must_speak_on(&self, named: Option<String>) -> Result<Surface, Problem> {
        self.speaks_on(named)?.ok_or_else(|| Problem::Malformed { detail: "missing field `surface`".to_owned() })
    }

    /// Whether this caller may see something that belongs to this owner.
    #[must_use]
    pub fn sees(&self, owner: Option<&UserId>) -> bool {
        self.bound_to.as_ref().is_none_or(|own| Some(own) == owner)
    }
}

/// Why a key is refused.
#[derive(Debug, thiserror::Error)]
pub enum Denied {
    #[error(transparent)]
    Refused(#[from] Problem),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Returns the caller with this key. Reads the store every time, so every process refuses a revoked key at once.
pub async fn authenticate(store: &dyn Store, bearer: &str, now: Moment) -> Result<Caller, Denied> {
    let key = store.key_by_hash(&sha256_hex(bearer.as_bytes())).await?.ok_or(Problem::Unauthenticated)?;
    key.life.must_work(now)?;
    Ok(Caller {
        kind: CallerKind::Key,
        line: key.line.unwrap_or_else(|| key.id.clone()),
        id: key.id,
        scopes: scopes_of(&key.scopes),
        bound_to: key.user,
        surface: key.surface.map(Surface::new).transpose()?,
        is_new: key.used.first_at.is_none(),
    })
}

/// The scopes of a key as stored.
#[must_use]
pub fn scopes_of(stored: &str) -> Vec<Scope> {
    stored.split(' ').filter_map(|name| Scope::parse(name).ok()).collect()
}

/// A newly made key. This is the only time that its secret is known.
pub struct NewKey {
    pub id: String,
    pub name: String,
    pub secret: String,
}

/// A key to make.
#[derive(Debug, Clone, Default)]
pub struct KeyRequest {
    /// Set by a form, so that sending it twice makes one key; `None`: a new id.
    pub id: Option<String>,
    pub name: String,
    pub scopes: Vec<Scope>,
    /// The only user that it speaks for.
    pub user: Option<UserId>,
    /// The only surface that it speaks for.
    pub surface: Option<Surface>,
    pub expires_at: Option<Moment>,
}

/// Refuses a name that is empty, too long, has control characters, or contains a key.
pub fn check_name(name: &str) -> Result<(), Problem> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > KEY_NAME_MAX_CHARS || name.chars().any(char::is_control) {
        return Err(Problem::invalid(Field::Name, "must be 1 to 100 characters"));
    }
    if holds_a_key(name) {
        return Err(Problem::invalid(Field::Name, "must be a name; it holds a key"));
    }
    Ok(())
}

/// Refuses an empty list of scopes.
pub fn check_scopes(scopes: &[Scope]) -> Result<(), Problem> {
    if scopes.is_empty() {
        return Err(Problem::invalid(Field::Scope, "must be at least one of read, write, erase, export"));
    }
    Ok(())
}

/// Refuses an expiry that is not in the future.
pub fn check_expiry(at: Option<Moment>, now: Moment) -> Result<(), Problem> {
    if at.is_some_and(|at| at <= now) {
        return Err(Problem::invalid(Field::Expires, "must not be in the past"));
    }
    Ok(())
}

/// Makes a key: its secret for the caller, and the record to store. `by` is the id of the creator.
pub fn make_key(clock: &dyn Clock, wanted: KeyRequest, by: &str) -> Result<(NewKey, Key), Problem> {
    let (now, name) = (clock.now(), wanted.name.trim().to_owned());
    check_name(&name)?;
    check_scopes(&wanted.scopes)?;
    check_expiry(wanted.expires_at, now)?;
    let id = match wanted.id {
        Some(id) if is_key_id(&id) => id,
        Some(_) => return Err(Problem::not_found("key")),
        None => clock.id("key"),
    };
    let secret = new_secret(clock);
    let scopes: Vec<&str> = Scope::ALL.iter().filter(|scope| wanted.scopes.contains(scope)).map(|scope| scope.as_str()).collect();
    let key = Key {
        id: id.clone(),
        name: name.clone(),
        scopes: scopes.join(" "),
        user: wanted.user,
        surface: wanted.surface.map(|surface| surface.as_str().to_owned()),
        hash: sha256_hex(secret.as_bytes()),
        created_at: now,
        created_by: Some(by.to_owned()),
        life: KeyLife { expires_at: wanted.expires_at, ..KeyLife::default() },
        replaces: None,
        line: None,
        used: KeyUse::default(),
    };
    Ok((NewKey { id, name, secret }, key))
}

/// Makes the successor of a key, with the same rights: its secret, its record, and the remaining life of the old key.
pub fn make_successor(
    clock: &dyn Clock,
    old: &Key,
    id: Option<String>,
    overlap: Overlap,
    by: &str,
) -> Result<(NewKey, Key, KeyLife), Problem> {
    old.life.must_be_replaceable()?;
    let wanted = KeyRequest {
        id,
        name: old.name.clone(),
        scopes: scopes_of(&old.scopes),
        user: old.user.clone(),
        surface: old.surface.clone().map(Surface::new).transpose()?,
        expires_at: None,
    };
    let (new, mut key) = make_key(clock, wanted, by)?;
    key.life.expires_at = old.life.renewed(old.created_at, key.created_at);
    key.replaces = Some(old.id.clone());
    key.line = Some(old.line.clone().unwrap_or_else(|| old.id.clone()));
    let left = old.life.replaced(&key.id, overlap, key.created_at);
    Ok((new, key, left))
}

fn new_secret(clock: &dyn Clock) -> String {
    format!("{}{}", clock.id(KEY_PREFIX), &clock.id("")[1..])
}

/// Whether a key was pasted into a name, which every operator can see.
fn holds_a_key(name: &str) -> bool {
    let start = format!("{KEY_PREFIX}_");
    name.split(&start).skip(1).any(|rest| rest.chars().take_while(char::is_ascii_alphanumeric).count() >= SECRET_MIN_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;

    use ports::clock::SystemClock;

    fn bound(user: Option<&str>) -> Caller {
        let bound_to = user.map(|id| UserId::new(id).expect("valid"));
        let key = || "key_1".to_owned();
        Caller {
            kind: CallerKind::Key,
            id: key(),
            line: key(),
            scopes: vec![Scope::Read],
            bound_to,
            surface: None,
            is_new: false,
        }
    }

    fn wanted(name: &str) -> KeyRequest {
        KeyRequest { name: name.to_owned(), scopes: vec![Scope::Write, Scope::Read, Scope::Write], ..KeyRequest::default() }
    }

    #[test]
    fn a_key_bound_to_a_surface_speaks_for_it_alone() {
        let web = || Surface::new("web").expect("valid");
        let own = Caller { surface: Some(web()), ..bound(None) };
        assert_eq!(own.speaks_on(None), Ok(Some(web())));
        assert_eq!(own.must_speak_on(Some("web".to_owned())), Ok(web()));
        assert_eq!(own.speaks_on(Some("mcp".to_owned())), Err(Problem::SurfaceNotAllowed { own: "web".to_owned() }));
        assert_eq!(own.speaks_on(Some("No Surface".to_owned())).expect_err("invalid").status(), 422);
        assert_eq!(bound(None).speaks_on(Some("web".to_owned())), Ok(Some(web())));
        assert_eq!(bound(None).speaks_on(None), Ok(None));
        assert_eq!(bound(None).must_speak_on(None).expect_err("needed").status(), 400);
    }

    #[test]
    fn a_key_has_a_name_a_scope_and_an_end_that_is_to_come() {
        let make = |wanted: KeyRequest| make_key(&SystemClock, wanted, "cli");
        let (new, key) = make(wanted(" web chat ")).expect("made");
        assert_eq!((key.name.as_str(), key.scopes.as_str()), ("web chat", "read write"));
        assert!(new.secret.starts_with("ks_") && new.secret.len() == 43 && key.hash == sha256_hex(new.secret.as_bytes()));
        for (wanted, field) in [
            (wanted(" "), Field::Name),
            (wanted("a\nb"), Field::Name),
            (wanted(&"x".repeat(101)), Field::Name),
            (wanted(&format!("for {}", new.secret)), Field::Name),
            (KeyRequest { scopes: Vec::new(), ..wanted("bot") }, Field::Scope),
            (KeyRequest { expires_at: Some(SystemClock.now()), ..wanted("bot") }, Field::Expires),
        ] {
            let refused = make(wanted).map(|(new, _)| new.id).expect_err("refused");
            assert!(matches!(refused, Problem::Invalid { field: wrong, .. } if wrong == field), "{refused:?}");
        }
        assert!(make(wanted("ks_short and tools")).is_ok());
        assert_eq!(make(KeyRequest { id: Some("x1".to_owned()), ..wanted("bot") }).map(drop).expect_err("no id").status(), 404);
    }

    #[test]
    fn a_successor_has_the_same_rights_and_the_name_that_is_counted() {
        let first = KeyRequest { user: Some(UserId::new("u1").expect("valid")), ..wanted("bot") };
        let (_, first) = make_key(&SystemClock, first, "cli").expect("made");
        let (_, second, left) = make_successor(&SystemClock, &first, None, Overlap::Hour, "op_1").expect("made");
        assert_eq!((&second.name, &second.scopes, &second.user), (&first.name, &first.scopes, &first.user));
        assert_eq!((second.replaces.as_ref(), second.line.as_ref()), (Some(&first.id), Some(&first.id)));
        assert_eq!((left.replaced_by.as_ref(), second.created_by.as_deref()), (Some(&second.id), Some("op_1")));
        let (_, third, _) = make_successor(&SystemClock, &second, None, Overlap::None, "cli").expect("made");
        assert_eq!((third.replaces, third.line), (Some(second.id), Some(first.id.clone())));
        let replaced = Key { life: left, ..first };
        assert!(make_successor(&SystemClock, &replaced, None, Overlap::None, "cli").is_err());
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
