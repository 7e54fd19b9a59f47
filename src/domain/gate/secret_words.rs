//! Values next to a word for "password" that are not passwords.
//!
//! Data for `passwords`. All lower case.

word_lists! {
    /// Names of standards that look like passwords.
    STANDARDS = "
        oauth2 oauth2.0 sha256 sha-256 sha512 sha1 sha-1 md5 base64 base32 base58 argon2 argon2id argon2i bcrypt rs256
        es256 hs256 hs512 eddsa ed25519 aes256 aes-256 aes-256-gcm aes-128 x509 x.509 utf8 utf-8 pbkdf2 tls1.3 tls1.2 s3
        ec2 v1 v2 v3 http2 oauth1 k8s rsa-2048 rsa-4096 rsa2048 rsa4096 pkcs8 pkcs1 pkcs12 pkcs#8 fido2 2fa u2f uuidv4
        uuidv7 i18n hmac-sha256 ps256 90-day 24-hour 30-day 15-minute 1password auth0 p256 p-256 secp256k1 sigv4 bip39
        bip-39 x-api-key
    ";
    /// What can be said about a password without revealing it.
    STATES = "
        required empty blank set reset kept wrong weak strong valid missing correct unique safe secure long short too not
        never always only the a an in on at from for per sent read held part off public old new stale wajib kosong benar
        salah rahasia aman pendek panjang opaque there here no bad good free shown it this that base scoped random plain
        opt-in short-lived read-only long-lived case-sensitive write-only sama unik acak text us yes two three made put
        out up down leaked mandatory enough okay fine ready lost revoked stable
    ";
}
