//! Secrets of known formats: provider keys, private keys, URLs with a password, and passwords in prose.
//!
//! Unknown formats pass unless a word for "secret" is near them; that is why every text about this says "of known formats".
//! Nothing is ever sent to a provider to test a key.

use super::normalise::Folded;
use super::passwords;
use super::spoken_secrets;
use super::wholes;

pub(super) type Spans = Vec<(usize, usize)>;

/// Keys recognised by their shape. A full stop, comma, quote or bracket after them is not part of them.
const SHAPES: &[&str] = &[
    r"\b(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[A-Z2-7][A-Z0-9]{15}\b",
    r"\bgh[pousr]_[A-Za-z0-9]{20,255}",
    r"\bgithub_pat_[A-Za-z0-9_]{20,255}",
    r"\bgl(?:pat|dt|rt|ptt|ft|imt|agent|soat|cbt)-[A-Za-z0-9_-]{16,64}",
    r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",
    r"\bxapp-\d-[A-Za-z0-9-]{10,}",
    r"https://hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{12,}",
    r"https://(?:ptb\.|canary\.)?discord(?:app)?\.com/api/webhooks/\d{15,20}/[A-Za-z0-9_-]{20,}",
    r"https://[a-z0-9-]+\.webhook\.office\.com/webhookb2/[A-Za-z0-9@/-]{20,}",
    r"\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}",
    r"\bwhsec_[A-Za-z0-9+/=]{16,}",
    r"\bAIza[A-Za-z0-9_-]{30,40}",
    r"\bya29\.[A-Za-z0-9_-]{20,}",
    r"\bGOCSPX-[A-Za-z0-9_-]{20,}",
    r"\bsk-ant-[A-Za-z0-9_-]{12,}",
    r"\bsk-(?:proj|svcacct|admin|or-v1|lf)-[A-Za-z0-9_-]{16,}",
    r"\bsk-[A-Za-z0-9]{20,}",
    r"\bnpm_[A-Za-z0-9]{30,}",
    r"\bpypi-[A-Za-z0-9_-]{16,}",
    r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*",
    r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}",
    r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?:(?:[A-Za-z0-9+/=\s:,.\\]|-[A-Za-z0-9+/=\s:,.\\])*?-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|[A-Za-z0-9+/=\s\\]*)",
    r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
    r"\b(?:SK|AC)[0-9a-f]{32}\b",
    r"\b\d{8,10}:AA[A-Za-z0-9_-]{32,35}",
    r"\b[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}",
    r"\bhf_[A-Za-z0-9]{20,}",
    r"\bdo[pors]_v1_[0-9a-f]{32,}",
    r"(?i)\b(?:AccountKey|SharedAccessKey|SharedAccessSignature)=[A-Za-z0-9+/=%&-]{16,}",
    r"\bsig=[A-Za-z0-9%+/]{30,}",
    r"\bHRKU-[A-Za-z0-9_-]{30,}",
    r"\bkey-[0-9a-f]{32}\b",
    r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{24,}",
    r"\blin_(?:api|oauth)_[A-Za-z0-9]{16,}",
    r"\b(?:secret_[A-Za-z0-9]{40,}|ntn_[A-Za-z0-9]{30,})",
    r"\bhv[sbr]\.[A-Za-z0-9_-]{20,}",
    r"\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{20,}",
    r"https?://[0-9a-f]{32}(?::[0-9a-f]{32})?@[a-z0-9.-]+/\d+",
    r"\bsntry[su]_[A-Za-z0-9_=+/-]{20,}",
    r"\bAGE-SECRET-KEY-1[A-Za-z0-9]{20,}",
    r"\bsq0(?:atp|csp|idp)-[A-Za-z0-9_-]{20,}",
    r"\bEAAA[A-Za-z0-9_-]{40,}",
    r"\bPMAK-[0-9a-f]{24}-[0-9a-f]{30,}",
    r"\bNRAK-[A-Z0-9]{20,}",
    r"\bglsa_[A-Za-z0-9]{28,}_[0-9a-f]{8}",
    r"\bglc_[A-Za-z0-9+/=]{30,}",
    r"\bdapi[0-9a-f]{32}\b",
    r"\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{16,}",
    r"\b(?:pul|pnu|rdme|phc|phx|tfp|pscale_(?:tkn|pw|oauth)|gsk|xai|r8|nvapi|sbp|re|fo1|CFPAT|cfut|figd|ATATT3x|ATCTT3x|ATBB|pplx|tvly|fly|FlyV1|rnd|vcp|lsv2_pt|jina|sgp|mdb_sa_sk)[_-][A-Za-z0-9_-]{20,}",
    r"\bATATT3[A-Za-z0-9_=-]{20,}",
    r"\bya?mg-[A-Za-z0-9]{30,}",
    r"\bxkeysib-[0-9a-f]{40,}-[A-Za-z0-9]{12,}",
    r"\bAKC[A-Za-z0-9]{50,}",
    r"\bBRA?IN[A-Za-z0-9]{40,}",
    r"(?i)\baws[a-z_ .-]{0,20}?secret[a-z_ .-]{0,20}?(?:is|=|:|adalah)?\s*[`'\x22]?[A-Za-z0-9/+]{40}\b",
    r"(?i)\b(?:bearer|basic)\s+[A-Za-z0-9._~+/-]{16,}={0,2}",
    r"(?i)\b[a-z][a-z0-9+.-]*://[^\s/@:'\x22`<>{}$]*:[^\s/@'\x22`<>{}$*]+@[^\s'\x22`<>,;)\]]+",
    r"(?i)\b(?:server|data source|host)=[^;\s]+;[^\n]{0,120}?(?:password|pwd)=[^;\s'\x22]+",
    r"\bdp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{20,}",
    r"\bnfp_[A-Za-z0-9]{24,}",
    r"\bpat[A-Za-z0-9]{14}\.[0-9a-f]{32,}",
    r"\brubygems_[0-9a-f]{32,}",
    r"\b(?:AKIA|ASIA)[A-Z]{0,7}[0-9][A-Z0-9]{3,}\b",
    r"\b(?:AKIA|ASIA)(?:[ -][A-Z0-9]{4}){4}\b",
    r"\bPuTTY-User-Key-File-\d",
    r"\b(?:ops_eyJ|eyJhIjoi|eyJrIjoi|eyJpZCI6)[A-Za-z0-9+/=_-]{20,}",
    r"\bcurl\s+[^\n]{0,60}?-u\s+[A-Za-z0-9._-]+:[^\s'\x22]+",
    r"\bsshpass\s+-p\s*\S+",
    r"\bmysql\s+[^\n]{0,60}?-p[^\s-]\S+",
];

/// Every secret in the text, with spans in the original.
pub(super) fn find(folded: &Folded) -> Spans {
    let bytes = folded.text.as_bytes();
    let set = pattern_set!(SHAPES);
    let shapes = patterns!(SHAPES);
    let mut spans: Spans = Vec::new();
    for index in set.matches(bytes) {
        spans.extend(
            shapes[index]
                .find_iter(bytes)
                .map(|m| (m.start(), m.end()))
                .filter(|span| is_secret_shape(&folded.text[span.0..span.1])),
        );
    }
    let loose = pattern!(r"\b(?:[A-Za-z][A-Za-z0-9]{1,11}[_-])?[A-Za-z0-9]{28,128}\b");
    spans.extend(wholes(loose, bytes).filter(|span| {
        let token = &folded.text[span.0..span.1];
        let (bare, key) = token.split_once(['_', '-']).map_or((true, token), |(_, key)| (false, key));
        key.len() >= if bare { 32 } else { 28 } && mixed(key, bare)
    }));
    spans.extend(passwords::assignments(folded));
    spans.extend(spoken_secrets::find(&folded.text, &folded.lower));
    spans.sort_unstable();
    spans.dedup();
    spans
}

/// Public by design, or a placeholder.
fn is_secret_shape(shape: &str) -> bool {
    let lower = shape.to_ascii_lowercase();
    let scheme = lower.split_once("://");
    if let Some((_, rest)) = scheme
        && let Some((login, _)) = rest.split_once('@')
    {
        let password = login.rsplit(':').next().unwrap_or("");
        let sample = login.split(':').next() == Some(password)
            && (rest.contains("@localhost") || rest.contains("@127.0.0.1") || rest.contains("@db"));
        if sample {
            return false;
        }
        return !is_placeholder(password) || !matches!(password, "pass" | "password" | "pw" | "secret");
    }
    if lower.starts_with("bearer ") || lower.starts_with("basic ") {
        let value = shape.split_whitespace().nth(1).unwrap_or("");
        return looks_random(value) && !is_placeholder(value);
    }
    if lower.starts_with("sk-") {
        return shape.bytes().any(|b| b.is_ascii_digit()) || shape.bytes().any(|b| b.is_ascii_uppercase());
    }
    if ["re_", "re-", "fly", "rnd", "pul", "fo1", "sgp", "xai", "jina", "sig="].iter().any(|start| lower.starts_with(start)) {
        return looks_random(&shape[3..]);
    }
    !lower.contains("xxxxxx") && !lower.contains("......")
}

/// Capitals, small letters and digits, many of each. A bare run must also not be base64 of readable text.
fn mixed(value: &str, bare: bool) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let upper = value.bytes().filter(u8::is_ascii_uppercase).count();
    let lower = value.bytes().filter(u8::is_ascii_lowercase).count();
    let least = if bare { 4 } else { 3 };
    digits >= least && upper >= least && lower >= least
        || !bare && value.len() >= 32 && digits >= 6 && (upper >= 6 || lower >= 6) && value.len() != 64 && value.len() != 40
}

pub(super) fn is_placeholder(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let bare = lower.trim_matches(['"', '\'', '`', ',', ';', '.', ')']);
    bare.is_empty()
        || bare.starts_with(['<', '{', '$', '%', '[', '('])
        || bare.starts_with("env") && bare.len() > 3 && !bare.as_bytes()[3].is_ascii_alphanumeric()
        || bare.starts_with("process.env")
        || bare.starts_with("os.")
        || bare.starts_with("vault:")
        || bare.starts_with("secret/")
        || bare.starts_with("secrets.")
        || bare.starts_with("your")
        || bare.starts_with("my_")
        || bare.contains("***")
        || bare.contains("...")
        || bare.bytes().all(|b| matches!(b, b'x' | b'*' | b'.' | b'-' | b'_' | b'#' | b'?'))
        || matches!(
            bare,
            "pass"
                | "password"
                | "pw"
                | "pwd"
                | "token"
                | "secret"
                | "key"
                | "null"
                | "none"
                | "nil"
                | "undefined"
                | "true"
                | "false"
                | "string"
                | "str"
                | "text"
                | "required"
                | "optional"
                | "redacted"
                | "placeholder"
                | "changeme"
                | "example"
                | "value"
                | "bytes"
                | "option"
                | "vec"
                | "char"
                | "varchar"
                | "boolean"
                | "user"
                | "int"
                | "number"
                | "uuid"
                | "file"
                | "stdin"
                | "env"
                | "auto"
                | "empty"
                | "bearer"
                | "basic"
                | "jwt"
                | "invalid"
                | "expired"
                | "read"
                | "write"
                | "on"
                | "off"
                | "yes"
                | "no"
        )
}

/// Letters mixed with digits, or punctuation, or capitals inside: as in passwords, but not in words.
fn looks_random(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let upper = value.bytes().skip(1).filter(u8::is_ascii_uppercase).count();
    let lower = value.bytes().filter(u8::is_ascii_lowercase).count();
    digits >= 2 && (lower + upper) > 0 || upper >= 2 && lower >= 2 && value.len() >= 12
}
