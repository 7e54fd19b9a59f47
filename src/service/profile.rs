//! The profile of a user: short values under names, such as the name and the language that the user prefers.

use super::{Error, Keepsake, Result};
use crate::access::callers::{Caller, Scope};
use crate::domain::people::UserId;
use crate::domain::problem::Problem;
use crate::domain::profile::{FIELDS_MAX, check_field_name, field_value};
use crate::ports::store::atomically;

pub use crate::domain::profile::ProfileField;

impl Keepsake {
    /// A user's fields, by name.
    pub async fn profile(&self, caller: &Caller, user: &UserId) -> Result<Vec<ProfileField>> {
        caller.needs(Scope::Read)?;
        Ok(self.store.profile(user).await?)
    }

    pub async fn profile_field(&self, caller: &Caller, user: &UserId, name: &str) -> Result<ProfileField> {
        let mut fields = self.profile(caller, user).await?;
        let at = fields.iter().position(|field| field.name == name);
        at.map(|at| fields.swap_remove(at)).ok_or_else(|| Problem::not_found("field").into())
    }

    /// Adds a field, or replaces its value.
    pub async fn set_profile_field(&self, caller: &Caller, user: &UserId, name: &str, value: &str) -> Result<ProfileField> {
        caller.needs(Scope::Write)?;
        check_field_name(name)?;
        let field = ProfileField { name: name.to_owned(), value: field_value(value)?, updated_at: self.clock.now() };
        self.refuse_unsafe(vec![name.to_owned(), field.value.clone(), told(&field)]).await?;
        let fence = self.fence(user).await?;
        atomically::<_, Error, _>(self.store.as_ref(), |tx| {
            let (fence, field) = (&fence, &field);
            Box::pin(async move {
                fence.holds(tx).await?;
                let known = tx.known_profile(user).await?;
                if known.len() >= FIELDS_MAX && known.iter().all(|known| known.name != field.name) {
                    let max = u32::try_from(FIELDS_MAX).unwrap_or(u32::MAX);
                    return Err(Problem::CapExceeded { what: "fields".to_owned(), max }.into());
                }
                Ok(tx.set_profile_field(user, field).await?)
            })
        })
        .await?;
        Ok(field)
    }

    pub async fn delete_profile_field(&self, caller: &Caller, user: &UserId, name: &str) -> Result<()> {
        caller.needs(Scope::Write)?;
        let gone = atomically::<_, Error, _>(self.store.as_ref(), |tx| {
            Box::pin(async move { Ok(tx.delete_profile_field(user, name).await?) })
        })
        .await?;
        if gone { Ok(()) } else { Err(Problem::not_found("field").into()) }
    }
}

/// The field as a statement: a secret is known by its form, or by the words beside it, and here that is the name.
pub(super) fn told(field: &ProfileField) -> String {
    let told = format!("{} is {}", field.name.replace('_', " "), field.value);
    told.chars().take(FIELD_TOLD_CHARS).collect()
}

/// The check of notes takes a longer text for no single statement.
const FIELD_TOLD_CHARS: usize = 499;
