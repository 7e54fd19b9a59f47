//! Authentication of callers by bearer key, and rate limits.

use std::num::NonZeroU32;
use std::sync::Arc;

use axum::extract::{FromRequestParts, MatchedPath};
use axum::http::header;
use axum::http::request::Parts;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota};

use super::dialect::key_of;
use super::{Api, Refusal};
use access::callers::{Caller, Denied, authenticate};
use domain::problem::Problem;
use service::{Error, Keepsake};

/// The burst that a key may save up, as a multiple of its rate.
const BURST_FACTOR: u32 = 5;

/// Rate limits by key.
#[derive(Clone)]
pub struct Limits(Arc<DefaultKeyedRateLimiter<String>>);

impl Limits {
    /// This many requests per second for each key, with bursts of five times as many.
    #[must_use]
    pub fn per_second(rate: NonZeroU32) -> Self {
        let burst = rate.saturating_mul(NonZeroU32::MIN.saturating_add(BURST_FACTOR - 1));
        Self(Arc::new(DefaultKeyedRateLimiter::keyed(Quota::per_second(rate).allow_burst(burst))))
    }

    fn check(&self, key: &str) -> Result<(), Problem> {
        self.0.check_key(&key.to_owned()).map_err(|not_until| {
            let wait = not_until.wait_time_from(DefaultClock::default().now());
            Problem::RateLimited { retry_after_s: u32::try_from(wait.as_secs()).unwrap_or(u32::MAX).saturating_add(1) }
        })
    }

    /// Forgets keys that have not called for a while.
    pub fn tidy(&self) {
        self.0.retain_recent();
    }
}

/// The caller that these headers authenticate; an error without a key that works. The use of the key is noted.
pub async fn caller_of(keepsake: &Keepsake, parts: &Parts) -> Result<Caller, Problem> {
    let bearer = parts.headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).and_then(|value| {
        let (scheme, key) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then_some(key.trim())
    });
    let bearer = bearer.or_else(|| key_of(parts));
    let Some(bearer) = bearer.filter(|key| !key.is_empty()) else { return Err(Problem::Unauthenticated) };
    let caller = match authenticate(keepsake.store.as_ref(), bearer, keepsake.clock.now()).await {
        Ok(caller) => caller,
        Err(Denied::Refused(problem)) => return Err(problem),
        Err(Denied::Store(error)) => return Err(Error::from(error).outward(keepsake.clock.as_ref())),
    };
    // The route and not the address, which may name a user.
    let route = parts.extensions.get::<MatchedPath>().map_or("another route", MatchedPath::as_str);
    keepsake.key_uses.note_use(&caller, &format!("{} {route}", parts.method));
    Ok(caller)
}

impl FromRequestParts<Api> for Caller {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Self, Refusal> {
        let caller = caller_of(&api.keepsake, parts).await?;
        api.limits.check(caller.line())?;
        Ok(caller)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_stopped_after_its_burst_and_others_are_not() {
        let limits = Limits::per_second(NonZeroU32::new(2).expect("not zero"));
        let passed = (0..100).filter(|_| limits.check("a").is_ok()).count();
        assert!((10..=12).contains(&passed), "{passed}");
        assert!(limits.check("b").is_ok());
        assert!(limits.check("a").expect_err("used up").retry_after_s().is_some());
    }
}
