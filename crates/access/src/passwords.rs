//! Operators' passwords: Argon2id with the library's defaults (19 MiB, two passes), off the async threads.
//!
//! Hashing memory is kept and reused: otherwise the allocator would keep the memory of a hash for each thread that has made one.

use std::sync::{Mutex, PoisonError};

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use tokio::sync::Semaphore;

use domain::problem::{Field, Problem};

/// Minimum length of a password in characters. Length matters more than rules about symbols (NIST SP 800-63B).
pub const PASSWORD_MIN_CHARS: usize = 12;
/// Maximum number of bytes that are hashed.
const PASSWORD_MAX_BYTES: usize = 1024;

/// Verified when no operator has the email, so that the answer takes as long as for a wrong password.
const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Passwords hashed at a time: each takes 19 MiB and some 20 ms of a processor.
static TURNS: Semaphore = Semaphore::const_new(2);

/// Free hashing memory: at most one piece for each turn.
static MEMORY: Mutex<Vec<Vec<Block>>> = Mutex::new(Vec::new());

/// Hashes a password with a salt.
fn output(argon2: &Argon2<'_>, password: &[u8], salt: &Salt) -> Option<Output> {
    let mut memory = MEMORY.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
    memory.resize(argon2.params().block_count(), Block::new());
    let mut bytes = [0; Output::MAX_LENGTH];
    let out = bytes.get_mut(..argon2.params().output_len().unwrap_or(Params::DEFAULT_OUTPUT_LEN))?;
    let done = argon2.hash_password_into_with_memory(password, salt, out, memory.as_mut_slice());
    MEMORY.lock().unwrap_or_else(PoisonError::into_inner).push(memory);
    done.ok()?;
    Output::new(out).ok()
}

fn hashed(password: &[u8]) -> Option<String> {
    let (argon2, salt) = (Argon2::default(), Salt::generate());
    let hash = PasswordHash {
        algorithm: Algorithm::default().ident(),
        version: Some(Version::default().into()),
        params: ParamsString::try_from(argon2.params()).ok()?,
        hash: Some(output(&argon2, password, &salt)?),
        salt: Some(salt),
    };
    Some(hash.to_string())
}

/// Whether a password matches this hash, compared in constant time; `None`: the hash is unusable.
fn makes(password: &[u8], stored: &str) -> Option<bool> {
    let hash = PasswordHash::new(stored).ok()?;
    let (salt, expected) = hash.salt.as_ref().zip(hash.hash.as_ref())?;
    let algorithm = Algorithm::try_from(hash.algorithm.as_str()).ok()?;
    let version = hash.version.map(Version::try_from).transpose().ok()?.unwrap_or_default();
    let argon2 = Argon2::new(algorithm, version, Params::try_from(&hash).ok()?);
    Some(output(&argon2, password, salt)? == *expected)
}

/// Runs work on a blocking thread, once a turn is free.
async fn in_turn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let turn = TURNS.acquire().await.ok()?;
    let done = tokio::task::spawn_blocking(move || {
        // Held to the end, even if the caller is gone.
        let _turn = turn;
        work()
    });
    done.await.ok()
}

/// Refuses a password that is too short or too long.
pub fn check(password: &str) -> Result<(), Problem> {
    let chars = password.chars().count();
    if chars < PASSWORD_MIN_CHARS || password.len() > PASSWORD_MAX_BYTES {
        let must = format!("must have {PASSWORD_MIN_CHARS} characters or more; it has {chars}");
        return Err(Problem::invalid(Field::Password, must));
    }
    Ok(())
}

/// Hashes a password and returns the PHC string to store.
pub async fn hash(password: String) -> Result<String, Problem> {
    check(&password)?;
    in_turn(move || hashed(password.as_bytes()))
        .await
        .flatten()
        .ok_or_else(|| Problem::invalid(Field::Password, "could not be hashed; try another"))
}

/// Whether the password matches. Takes as long for an operator that does not exist.
pub async fn matches(password: String, stored: Option<String>) -> bool {
    if password.len() > PASSWORD_MAX_BYTES {
        return false;
    }
    let right = in_turn(move || {
        let known = stored.is_some();
        let stored = stored.unwrap_or_else(|| NOBODY.to_owned());
        makes(password.as_bytes(), &stored) == Some(true) && known
    });
    right.await.unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_password_matches_its_own_hash_only() {
        let stored = hash("correct horse battery".to_owned()).await.expect("long enough");
        assert!(stored.starts_with("$argon2id$"));
        assert!(matches("correct horse battery".to_owned(), Some(stored.clone())).await);
        assert!(!matches("correct horse batterY".to_owned(), Some(stored)).await);
        assert!(!matches("anything at all".to_owned(), None).await);
        assert!(hash("short".to_owned()).await.is_err());
    }

    #[tokio::test]
    async fn however_many_try_no_more_memory_is_kept_than_there_are_turns() {
        let stored = hash("correct horse battery".to_owned()).await.expect("long enough");
        let tries = (0..12).map(|n| {
            let stored = (n % 2 == 0).then(|| stored.clone());
            tokio::spawn(async move { matches("not the one".to_owned(), stored).await })
        });
        for wrong in tries.collect::<Vec<_>>() {
            assert!(!wrong.await.expect("ended"));
        }
        let kept = MEMORY.lock().expect("not poisoned").len();
        assert!((1..=2).contains(&kept), "{kept}");
    }

    #[tokio::test]
    async fn a_hash_of_another_strength_is_checked_as_it_was_made() {
        let weak = "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$";
        let hash = PasswordHash::new(&format!("{weak}AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")).expect("well formed");
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::try_from(&hash).expect("valid"));
        let made = output(&argon2, b"open sesame", hash.salt.as_ref().expect("there")).expect("hashed");
        assert_eq!(makes(b"open sesame", &format!("{weak}{made}")), Some(true));
        assert_eq!(makes(b"open Sesame", &format!("{weak}{made}")), Some(false));
        assert!(matches("correct horse battery".to_owned(), hash_of_the_default().await).await, "and after it a larger one");
    }

    async fn hash_of_the_default() -> Option<String> {
        super::hash("correct horse battery".to_owned()).await.ok()
    }

    #[test]
    fn the_stand_in_hash_is_well_formed() {
        assert!(PasswordHash::new(NOBODY).is_ok());
    }
}
