//! Keyed digests: they replace user ids in records, and cannot be reproduced from a list of ids without the key.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};

use domain::erasure::people::UserId;

/// Length of the key in bytes.
const KEY_BYTES: usize = 32;

/// Length of a key id in letters.
const KEY_ID_LETTERS: usize = 16;

/// Makes keyed digests. The key is in a file of its own and never in the database.
#[derive(Clone)]
pub struct Digester {
    key: [u8; KEY_BYTES],
}

impl Digester {
    #[must_use]
    pub fn new(key: [u8; KEY_BYTES]) -> Self {
        Self { key }
    }

    /// Reads the key from `file`; `None`: there is no such file.
    pub fn read(file: &Path) -> io::Result<Option<Self>> {
        match fs::read(file) {
            Ok(bytes) => bytes.try_into().map(|key| Some(Self::new(key))).map_err(|_| {
                io::Error::other(format!("{} is not a key of {KEY_BYTES} bytes; restore it from a backup", file.display()))
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Creates `file` with a new key, complete from the first moment and readable only by its owner. If another process was
    /// faster, returns that process's key.
    #[allow(clippy::disallowed_methods, reason = "a new key is random by definition")]
    pub fn create(file: &Path) -> io::Result<Self> {
        let key: [u8; KEY_BYTES] = rand::random();
        let folder = file.parent().unwrap_or(Path::new("."));
        let mut out = tempfile::NamedTempFile::new_in(folder)?;
        out.write_all(&key)?;
        out.as_file().sync_all()?;
        match out.persist_noclobber(file) {
            Ok(_) => fs::File::open(folder)?.sync_all()?,
            Err(lost) if lost.error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(lost) => return Err(lost.error),
        }
        Self::read(file)?.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Replaces a user in the audit log, the epochs and receipts.
    #[must_use]
    pub fn user(&self, user: &UserId) -> String {
        self.keyed("user", &[user.as_str()])
    }

    /// Replaces the id that a host gave an exchange of this user.
    #[must_use]
    pub fn external_id(&self, user: Option<&UserId>, id: &str) -> String {
        self.keyed("exchange", &[user.map_or("", UserId::as_str), id])
    }

    /// Replaces an Idempotency-Key of this caller.
    #[must_use]
    pub fn idempotency_key(&self, caller: &str, key: &str) -> String {
        self.keyed("idempotency", &[caller, key])
    }

    /// Marks a device on which an operator has signed in with the present password.
    #[must_use]
    pub fn device(&self, operator_id: &str, password_hash: &str) -> String {
        self.keyed("device", &[operator_id, password_hash])
    }

    /// Replaces the words of a statement that confirmed a fact, together with the time or place. The same words have another
    /// digest for another fact.
    #[must_use]
    pub fn heard(&self, fact_id: &str, words: &str, when_or_where: &str) -> String {
        self.keyed("heard", &[fact_id, words, when_or_where])
    }

    /// Marks that a memory or a fact was told to this user.
    #[must_use]
    pub fn told(&self, user: &UserId, id: &str) -> String {
        self.keyed("told", &[user.as_str(), id])
    }

    /// Replaces an operator's reason in the chain of the audit log.
    #[must_use]
    pub fn reason(&self, reason: &str) -> String {
        self.keyed("reason", &[reason])
    }

    /// Identifies the whole content of an erasure preview.
    #[must_use]
    pub fn preview(&self, shown: &[&str]) -> String {
        self.keyed("preview", shown)
    }

    /// The secret of a webhook in the format of Standard Webhooks. Derived from the id, so the database does not hold it.
    #[must_use]
    pub fn webhook_secret(&self, id: &str) -> String {
        format!("whsec_{}", BASE64.encode(self.webhook_key(id)))
    }

    /// The signature of a message: `v1,` and a base64 HMAC-SHA-256 with the webhook's secret.
    #[must_use]
    pub fn webhook_signature(&self, id: &str, message: &str) -> String {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.webhook_key(id)).expect("HMAC takes keys of any length");
        mac.update(message.as_bytes());
        format!("v1,{}", BASE64.encode(mac.finalize().into_bytes()))
    }

    fn webhook_key(&self, id: &str) -> [u8; 32] {
        let mut mac = self.mac("webhook");
        mac.update(id.as_bytes());
        mac.finalize().into_bytes().into()
    }

    /// Identifies this key without revealing it, so that a receipt or a backup says which key it belongs to.
    #[must_use]
    pub fn key_id(&self) -> String {
        self.keyed("key", &[])[..KEY_ID_LETTERS].to_owned()
    }

    /// Secret base of the fingerprints used to search for erased text.
    #[must_use]
    pub fn fingerprint_base(&self) -> u64 {
        let mac = self.mac("fingerprint").finalize().into_bytes();
        let bytes = mac.first_chunk::<8>().copied().unwrap_or_default();
        // Below the prime of the fingerprints, and large.
        u64::from_le_bytes(bytes) >> 4 | 1 << 59
    }

    /// Identifies the body sent with an Idempotency-Key.
    #[must_use]
    pub fn body(&self, body: &[u8]) -> String {
        let mut mac = self.mac("body");
        mac.update(body);
        hex(&mac.finalize().into_bytes())
    }

    fn keyed(&self, purpose: &str, parts: &[&str]) -> String {
        let mut mac = self.mac(purpose);
        for part in parts {
            mac.update(&part.len().to_be_bytes());
            mac.update(part.as_bytes());
        }
        hex(&mac.finalize().into_bytes())
    }

    fn mac(&self, purpose: &str) -> Hmac<Sha256> {
        let mut mac = <Hmac<Sha256> as Mac>::new_from_slice(&self.key).expect("HMAC takes a key of any length");
        mac.update(purpose.as_bytes());
        mac.update(&[0]);
        mac
    }
}

/// Hex SHA-256, for values that are random secrets or public.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_depends_on_key_purpose_and_every_part() {
        let (a, b) = (Digester::new([1; 32]), Digester::new([2; 32]));
        let user = UserId::new("u1").expect("valid");
        let all = [
            a.user(&user),
            b.user(&user),
            a.external_id(Some(&user), ""),
            a.external_id(None, "u1"),
            a.idempotency_key("u1", ""),
            a.body(b"u1"),
            a.reason("u1"),
            a.heard("u1", "", ""),
            a.preview(&["u1"]),
            a.key_id(),
            b.key_id(),
        ];
        let distinct: std::collections::HashSet<_> = all.iter().collect();
        assert_eq!(distinct.len(), all.len());
        assert_eq!(a.user(&user), Digester::new([1; 32]).user(&user));
    }

    #[test]
    fn the_key_file_is_made_once_and_only_the_owner_reads_it() {
        use std::os::unix::fs::PermissionsExt;
        let of = |digester: &Digester| digester.user(&UserId::new("u1").expect("valid"));
        let dir = tempfile::tempdir().expect("temp dir");
        let file = dir.path().join("ledger.key");
        assert!(Digester::read(&file).expect("looked").is_none());
        let first = of(&Digester::create(&file).expect("created"));
        assert_eq!(of(&Digester::create(&file).expect("lost")), first, "the second takes the first one's");
        assert_eq!(of(&Digester::read(&file).expect("read").expect("there")), first);
        assert_eq!(fs::metadata(&file).expect("there").permissions().mode() & 0o777, 0o600);
        fs::write(&file, b"short").expect("written");
        assert!(Digester::read(&file).is_err());
    }
}
