//! The profile of a user: short values under names, such as the name and the languages that the user prefers.

use crate::Result;
use crate::chat::Chat;
use crate::transactions::atomically;
use access::callers::{Caller, Scope};
use domain::chat::profile::{FIELDS_MAX, FieldValue, check_field_name};
use domain::erasure::people::UserId;
use domain::problem::Problem;

pub use domain::chat::profile::ProfileField;

impl Chat {
    /// Returns a user's fields, by name.
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
    pub async fn set_profile_field(&self, caller: &Caller, user: &UserId, name: &str, value: FieldValue) -> Result<ProfileField> {
        caller.needs(Scope::Write)?;
        check_field_name(name)?;
        let field = ProfileField { name: name.to_owned(), value, updated_at: self.clock.now() };
        self.reader.refuse_unsafe(told(&field)).await?;
        let fence = self.epochs.fence(user).await?;
        atomically!(self.store.as_ref(), [fence, field], |tx| {
            fence.holds(tx).await?;
            let known = tx.known_profile(user).await?;
            if known.len() >= FIELDS_MAX && known.iter().all(|known| known.name != field.name) {
                let max = u32::try_from(FIELDS_MAX).unwrap_or(u32::MAX);
                return Err(Problem::CapExceeded { what: "fields".to_owned(), max }.into());
            }
            Ok(tx.set_profile_field(user, field).await?)
        })
        .await?;
        Ok(field)
    }

    pub async fn delete_profile_field(&self, caller: &Caller, user: &UserId, name: &str) -> Result<()> {
        caller.needs(Scope::Write)?;
        let gone = atomically!(self.store.as_ref(), |tx| { Ok(tx.delete_profile_field(user, name).await?) }).await?;
        if gone { Ok(()) } else { Err(Problem::not_found("field").into()) }
    }
}

/// Returns every text of a field, to be checked for secrets and planted instructions. A secret is recognised by its form or by
/// the words beside it: here these are the name and the keys, so each text is also phrased as a statement. Adjacent texts are
/// joined too, to find a secret that is split over both.
pub(crate) fn told(field: &ProfileField) -> Vec<String> {
    let leaves = field.value.leaves();
    let short = |text: String| text.chars().take(FIELD_TOLD_CHARS).collect::<String>();
    let mut texts = vec![field.name.clone()];
    for (keys, text) in &leaves {
        texts.extend(keys.iter().map(|key| (*key).to_owned()));
        let names = [&[field.name.as_str()], keys.as_slice()].concat().join(" ").replace('_', " ");
        texts.push(short(format!("{names} is {text}")));
        texts.push(text.clone());
    }
    texts.extend(leaves.windows(2).map(|pair| short(format!("{} {}", pair[0].1, pair[1].1))));
    texts
}

/// Below the length from which the note check refuses a text as too long.
const FIELD_TOLD_CHARS: usize = 499;
