//! Erasures for the console's calls: the preview for one person, its confirmation, and receipts.

use leptos::prelude::use_context;

use super::users::known;
use super::{PostedForm, SignedIn, dates, outward, say};
use crate::calls::erasures::{Checked, Counted, Entry, FactRow, Ledger, LookedUp, OfUser, OpenedReceipt, Plan, receipt_path};
use crate::calls::{Notice, Refused};
use crate::domain::erasure::{ErasureScope, Status, goes_with};
use crate::domain::fact::FactStatus;
use crate::domain::inventory;
use crate::domain::moment::Moment;
use crate::domain::people::UserId;
use crate::domain::problem::{Field, Problem};
use crate::domain::promotion::Voices;
use crate::domain::receipt::{FIRST_CHECK, ONCE, Receipt};
use crate::domain::rights::Right;
use crate::service::Keepsake;
use crate::service::erase::Order;
use crate::service::receipts::{Erasure, kept_until};

/// Rows on one page of the ledger.
const PAGE: u32 = 50;
/// Number of digest letters shown.
const DIGEST_SHOWN: usize = 12;

impl SignedIn {
    /// An unknown mode means everything.
    pub async fn plan_erasure(self, user: &str, mode: &str) -> Result<Plan, Refused> {
        let user = known(user)?;
        let scope = ErasureScope::parse(mode).unwrap_or_default();
        let keepsake = &self.console.keepsake;
        let (preview, facts) = outward(&self.console, keepsake.preview_erasure_in_console(&self.viewer, &user, scope).await)?;
        let record = outward(&self.console, keepsake.record(&self.viewer, &user).await)?;
        let mut running = outward(&self.console, keepsake.erasures_of(&self.viewer, &user).await)?;
        running.retain(|erasure| erasure.status.fences());
        running.truncate(1);
        let split = FactStatus::ALL
            .iter()
            .map(|status| (facts.iter().filter(|fact| fact.status == *status && goes_with(fact.contributors)).count(), status))
            .filter(|(count, _)| *count > 0)
            .map(|(count, status)| format!("{count} {}", status.as_str()));
        let split = split.collect::<Vec<_>>().join(", ");
        let tables = preview.tables.into_iter().map(|table| Counted {
            what: inventory::table(&table.name).map_or("", |table| table.what).to_owned(),
            note: match (table.name.as_str(), table.rows) {
                ("facts", 1..) => split.clone(),
                ("exchanges", 1..) => {
                    format!("{} wait and are not learned; the rest are empty rows of the last day", record.held.queued)
                }
                _ => String::new(),
            },
            name: table.name,
            rows: table.rows,
            result: table.result,
        });
        let promote_at = keepsake.settings().promote_contributors;
        let mut facts: Vec<FactRow> = facts
            .into_iter()
            .map(|fact| FactRow {
                goes: goes_with(fact.contributors),
                id: fact.id,
                content: fact.content,
                status: fact.status,
                others: Voices::others(fact.contributors, promote_at),
            })
            .collect();
        facts.sort_by_key(|fact| !fact.goes);
        Ok(Plan {
            user: user.as_str().to_owned(),
            scope,
            counted_at: dates::clock(keepsake.clock.now()),
            token: preview.preview,
            tables: tables.collect(),
            counts: preview.facts,
            facts,
            ticket: record.opening.reason.unwrap_or_default(),
            asks_password: self.asks_password().await?,
            running: self.entries(running).await?.pop(),
        })
    }

    pub async fn confirm_erasure(
        self,
        user: &str,
        mode: &str,
        preview: &str,
        ticket: &str,
        typed: &str,
        password: String,
    ) -> Result<Notice, Refused> {
        let manager = self.viewer.manager().map_err(say)?;
        let (user, scope) = (known(user)?, ErasureScope::parse(mode).map_err(say)?);
        if typed.trim() != user.as_str() {
            return Err(say(Problem::invalid(Field::UserId, "does not match")));
        }
        if ticket.trim().is_empty() {
            return Err(say(Problem::invalid(Field::Reason, "is missing: enter the request or ticket reference")));
        }
        self.proved(password).await?;
        let order = Order { user: &user, scope, reason: ticket, preview: Some(preview) };
        let id = outward(&self.console, self.console.keepsake.erase_in_console(&self.viewer, manager, &order).await)?;
        leptos_axum::redirect(&receipt_path(&id));
        Ok(Notice::Done)
    }

    pub async fn open_erasure(self, id: &str) -> Result<OpenedReceipt, Refused> {
        let keepsake = &self.console.keepsake;
        let receipt = outward(&self.console, keepsake.receipt_in_console(&self.viewer, id).await)?;
        let by = self.called(&receipt.by.kind, &receipt.by.id).await?;
        Ok(opened(keepsake, receipt, by, self.viewer.may(Right::Manage)))
    }

    pub async fn list_erasures(self, page: Option<u32>) -> Result<Ledger, Refused> {
        let page = page.unwrap_or(1).max(1);
        let listed = self.console.keepsake.erasures(&self.viewer, (page - 1) * PAGE, PAGE + 1).await;
        let mut erasures = outward(&self.console, listed)?;
        let more = erasures.len() > PAGE as usize;
        erasures.truncate(PAGE as usize);
        let looked_up = match use_context::<PostedForm>() {
            Some(form) => Some(form.0.looked_up.get_or_init(|| self.look_up(&form)).await.clone()),
            None => None,
        };
        if let Some(LookedUp { outcome: Err(problem), .. }) = &looked_up {
            say(problem.clone());
        }
        Ok(Ledger { may_manage: self.viewer.may(Right::Manage), looked_up, rows: self.entries(erasures).await?, page, more })
    }

    async fn look_up(&self, form: &PostedForm) -> LookedUp {
        let (user, reason) = (form.field("user").trim().to_owned(), form.field("reason").trim().to_owned());
        let outcome = self.sought(&user, &reason).await.map_err(|refused| refused.0);
        LookedUp { user, reason, outcome }
    }

    async fn sought(&self, user: &str, reason: &str) -> Result<Vec<Entry>, Refused> {
        let manager = self.viewer.manager().map_err(say)?;
        let user = UserId::new(user).map_err(say)?;
        let found = self.console.keepsake.erasures_sought(manager, &user, reason).await;
        self.entries(outward(&self.console, found)?).await
    }

    pub async fn erasures_of_user(self, user: &str) -> Result<OfUser, Refused> {
        let user = known(user)?;
        let record = self.record(&user).await?;
        let erasures = outward(&self.console, self.console.keepsake.erasures_of(&self.viewer, &user).await)?;
        Ok(OfUser { head: self.head(&record), rows: self.entries(erasures).await? })
    }

    pub async fn verify_erasure(self, id: &str) -> Result<Notice, Refused> {
        let manager = self.viewer.manager().map_err(say)?;
        outward(&self.console, self.console.keepsake.verify_erasure(manager, id).await)?;
        leptos_axum::redirect(&receipt_path(id));
        Ok(Notice::Done)
    }

    async fn entries(&self, erasures: Vec<Erasure>) -> Result<Vec<Entry>, Refused> {
        let mut rows = Vec::with_capacity(erasures.len());
        for erasure in erasures {
            rows.push(Entry {
                user: erasure.user_digest.chars().take(DIGEST_SHOWN).collect(),
                by: self.called(&erasure.by.kind, &erasure.by.id).await?,
                id: erasure.id,
                scope: erasure.scope,
                ticket: erasure.reason,
                asked: dates::stamp(erasure.confirmed_at),
                status: erasure.status,
                replayed: erasure.replayed_at.is_some(),
            });
        }
        Ok(rows)
    }

    /// The name of the person who requested it.
    async fn called(&self, kind: &str, id: &str) -> Result<String, Refused> {
        let name = outward(&self.console, self.console.keepsake.name_of(&self.viewer, kind, id).await)?;
        Ok(match (name, kind) {
            (Some(name), _) => name,
            (None, "operator") => "A former operator".to_owned(),
            (None, "caller") => "A key that is gone".to_owned(),
            (None, "cli") => "Command line".to_owned(),
            (None, _) => "System".to_owned(),
        })
    }
}

fn opened(keepsake: &Keepsake, receipt: Receipt, by: String, may_verify: bool) -> OpenedReceipt {
    let at = |text: &str| Moment::parse(text).unwrap_or_default();
    let (confirmed, finished) = (at(&receipt.confirmed_at), receipt.finished_at.as_deref().map(at));
    let stamp = |at: Moment| format!("{}, {} UTC", dates::date(at), dates::clock(at));
    // Two verifications may have the same second, so runs are told apart by their first check.
    let runs: Vec<usize> = (0..receipt.verification.len()).filter(|n| receipt.verification[*n].check == FIRST_CHECK).collect();
    let (start, earlier) = runs.split_last().map_or((0, &[][..]), |(newest, earlier)| (*newest, earlier));
    let newest = receipt.verification.get(start).map(|line| line.at.clone());
    let checks = receipt.verification[start..].iter().map(|line| Checked {
        words: keepsake.check_words(&line.check),
        result: line.result,
        detail: line.detail.clone(),
    });
    let checks: Vec<Checked> = checks.collect();
    OpenedReceipt {
        whats: receipt.tables.iter().map(|rows| inventory::table(&rows.name).map_or("", |table| table.what).to_owned()).collect(),
        by,
        confirmed: stamp(confirmed),
        finished: finished.map(stamp),
        replayed: receipt.replayed_at.as_deref().map(|replayed| stamp(at(replayed))),
        took: finished.map(|finished| {
            let tenths = (finished.0 - confirmed.0).max(0) / 100;
            format!("{}.{} s", tenths / 10, tenths % 10)
        }),
        checked_at: newest.as_deref().map(|newest| dates::clock(at(newest))),
        only_once: if receipt.status == Status::Verified {
            let ran = |check: &&&str| receipt.verification.iter().any(|line| line.check == ***check);
            ONCE.iter().filter(ran).map(|check| keepsake.check_words(check)).collect()
        } else {
            Vec::new()
        },
        checks,
        earlier: earlier.iter().map(|n| stamp(at(&receipt.verification[*n].at))).collect(),
        kept_until: dates::date(kept_until(finished.unwrap_or(confirmed))),
        may_verify: may_verify && !matches!(receipt.status, Status::Queued | Status::Running),
        receipt,
    }
}
