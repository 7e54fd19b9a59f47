//! Model usage of the extractor: counted by day, and limited by the budget of the day.
//!
//! Tokens are reserved before a question and settled after it, both in transactions, so that concurrent questions exceed the
//! budget by no more than themselves. The reservations of a killed process expire.

use std::sync::Arc;

use std::time::Duration;

use async_trait::async_trait;

use crate::Result;
use crate::error::chain;
use crate::settings::current::CurrentSettings;
use crate::transactions::atomically;
use access::operators::Viewer;
use domain::insight::stats::StatsRange;
use domain::insight::usage::{Call, DayOfUse, Model, OverBudget, Tokens, next_budget};
use domain::moment::Moment;
use domain::settings::Settings;
use ports::clock::Clock;
use ports::extractor::ExtractError;
use ports::extractor::Extractor;
use ports::meter::{Meter, Reservation};
use ports::store::Store;

/// The extractor's model, its usage, and the rest of today's budget.
#[derive(Debug, Clone)]
pub struct ModelUse {
    pub model: Model,
    pub days: Vec<DayOfUse>,
    pub today: Tokens,
    /// Tokens a day; 0: no limit.
    pub budget: u32,
    /// Learning waits until then, because today's budget is used up.
    pub waits_until: Option<Moment>,
    /// Today's budget is used up, and exchanges are read by the rules.
    pub rules_instead: bool,
}

#[async_trait]
impl Meter for ModelBudget {
    async fn reserve(&self, tokens: i64, within: Duration) -> std::result::Result<Reservation, ExtractError> {
        let (now, id, budget) = (self.clock.now(), self.clock.id("use"), self.settings.get().learn_daily_tokens);
        let expires_at = now.plus_ms(i64::try_from(within.as_millis()).unwrap_or(i64::MAX));
        let admitted = atomically!(self.store.as_ref(), [id], |tx| {
            if tx.tokens_held(now.day(), now).await?.exhaust(budget) {
                return Ok(false);
            }
            tx.reserve_tokens(id, now.day(), tokens, expires_at).await?;
            Ok(true)
        })
        .await;
        match admitted {
            Ok(true) => Ok(Reservation(id)),
            Ok(false) => Err(ExtractError::OverBudget),
            Err(error) => Err(ExtractError::NotCounted(chain(&error))),
        }
    }

    async fn record(&self, reservation: &Reservation, call: Call) {
        let Some(model) = self.extractor.model() else { return };
        let day = self.clock.now().day();
        let counted = atomically!(self.store.as_ref(), [id = &reservation.0, call], |tx| {
            Ok(tx.count_call(id, day, model, call).await?)
        })
        .await;
        told(counted);
    }

    async fn release(&self, reservation: Reservation) {
        let released = atomically!(self.store.as_ref(), [id = &reservation.0], |tx| { Ok(tx.release_tokens(id).await?) }).await;
        told(released);
    }
}

/// Logs a failed count: the answer must not be lost over its cost, and an unreleased reservation expires.
fn told(written: Result<()>) {
    if let Err(error) = written {
        tracing::error!(cause = chain(&error), "what a model used could not be counted");
    }
}

/// Tokens that a model uses, and the budget of the day.
pub struct ModelBudget {
    pub store: Arc<dyn Store>,
    pub extractor: Arc<dyn Extractor>,
    pub clock: Arc<dyn Clock>,
    pub settings: CurrentSettings,
}

impl ModelBudget {
    /// Returns when learning has a new budget; `None`: it does not wait for one.
    pub async fn waits_for_budget(&self) -> Result<Option<Moment>> {
        let settings = self.settings.get();
        if settings.learn_over_budget == OverBudget::Rules || !self.is_over_budget(&settings).await? {
            return Ok(None);
        }
        Ok(Some(next_budget(self.clock.now())))
    }

    async fn is_over_budget(&self, settings: &Settings) -> Result<bool> {
        if settings.learn_daily_tokens == 0 || self.extractor.model().is_none() {
            return Ok(false);
        }
        Ok(self.tokens_today().await?.exhaust(settings.learn_daily_tokens))
    }

    /// Returns the tokens that questions to a model used today, and those reserved for questions in flight.
    pub async fn tokens_today(&self) -> Result<Tokens> {
        let now = self.clock.now();
        Ok(self.store.tokens_of_day(now.day(), now).await?)
    }

    /// Returns the model usage of the last days, today included, oldest first.
    pub async fn model_use(&self, days: u32) -> Result<Vec<DayOfUse>> {
        Ok(self.store.model_use_after(self.clock.now().day() - i64::from(days)).await?)
    }

    /// Returns the model usage for the console; `None`: no model is configured.
    pub async fn model_use_in(&self, _viewer: &Viewer, range: StatsRange) -> Result<Option<ModelUse>> {
        let Some(model) = self.extractor.model() else { return Ok(None) };
        let settings = self.settings.get();
        let over = self.is_over_budget(&settings).await?;
        let waits = over && settings.learn_over_budget == OverBudget::Wait;
        Ok(Some(ModelUse {
            model: model.clone(),
            days: self.store.model_use_after(range.before(self.clock.now().day())).await?,
            today: self.tokens_today().await?,
            budget: settings.learn_daily_tokens,
            waits_until: waits.then(|| next_budget(self.clock.now())),
            rules_instead: over && !waits,
        }))
    }
}
