//! Operators' passwords: Argon2id with the library's defaults (19 MiB, two passes), off the async threads.

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash};

use tokio::sync::Semaphore;

use crate::domain::problem::{Field, Problem};

/// Minimum length of a password in characters. Length matters more than rules about symbols (NIST SP 800-63B).
pub const PASSWORD_MIN_CHARS: usize = 12;
/// Maximum number of bytes that are hashed.
const PASSWORD_MAX_BYTES: usize = 1024;

/// Verified when no operator has the email, so that the answer takes as long as for a wrong password.
const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Passwords hashed at a time: each takes 19 MiB and some 20 ms of a processor.
static TURNS: Semaphore = Semaphore::const_new(2);

/// Runs on a blocking thread, when it is its turn.
async fn in_turn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let turn = TURNS.acquire().await.ok()?;
    let done = tokio::task::spawn_blocking(move || {
        // Held to the end, even if nobody waits any more.
        let _turn = turn;
        work()
    });
    done.await.ok()
}

/// The PHC string to store.
pub async fn hash(password: String) -> Result<String, Problem> {
    let chars = password.chars().count();
    if chars < PASSWORD_MIN_CHARS || password.len() > PASSWORD_MAX_BYTES {
        return Err(Problem::invalid(
            Field::Password,
            format!("must have {PASSWORD_MIN_CHARS} characters or more; it has {chars}"),
        ));
    }
    in_turn(move || Argon2::default().hash_password(password.as_bytes()).map(|hash| hash.to_string()))
        .await
        .and_then(Result::ok)
        .ok_or_else(|| Problem::invalid(Field::Password, "could not be hashed; try another"))
}

/// Whether the password matches. It takes as long for an operator that does not exist.
pub async fn matches(password: String, stored: Option<String>) -> bool {
    if password.len() > PASSWORD_MAX_BYTES {
        return false;
    }
    let right = in_turn(move || {
        let known = stored.is_some();
        let stored = stored.unwrap_or_else(|| NOBODY.to_owned());
        PasswordHash::new(&stored).is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
            && known
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

    #[test]
    fn the_stand_in_hash_is_well_formed() {
        assert!(PasswordHash::new(NOBODY).is_ok());
    }
}
