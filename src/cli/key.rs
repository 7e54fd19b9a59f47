//! `keepsake key`: callers' keys are made, listed, replaced and revoked. A running server answers accordingly at once.

use std::process::ExitCode;

use clap::Subcommand;
use serde_json::json;

use super::{Exit, opening, print_json};
use crate::config::Config;
use access::callers::{Scope, scopes_of};
use domain::access::key::{KeyState, Overlap, read_expiry};
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::moment::Moment;
use ports::clock::{Clock, SystemClock};
use service::audit::Actor;
use service::people::keys::{self, KeyRequest, RevocationReach};

#[derive(Subcommand)]
pub enum Key {
    /// Makes a key and prints it once.
    Add {
        name: String,
        #[arg(long = "scope", required = true, num_args = 1.., value_delimiter = ',')]
        scopes: Vec<String>,
        /// The only user the key speaks for; without it, the key may name any user.
        #[arg(long)]
        user: Option<String>,
        /// The only surface the key speaks for; without it, the key may name any surface.
        #[arg(long)]
        surface: Option<String>,
        /// When it stops working: a number of days, or its last day such as 2027-03-31 (UTC); without it, never.
        #[arg(long, value_name = "DAYS|DATE")]
        expires: Option<String>,
    },
    /// Lists every key, newest first, one JSON object per line.
    List,
    /// Makes a key with the same rights, prints it once, and ends the old one after an overlap.
    Rotate {
        id: String,
        /// How long the old key still works.
        #[arg(long, value_parser = Overlap::ALL.map(Overlap::as_str), default_value = Overlap::default().as_str())]
        overlap: String,
    },
    /// Revokes a key: no request with it is answered any more. Prints which of the keys that it replaced still work.
    Revoke {
        id: String,
        /// Also revokes the keys that it replaced and that still work.
        #[arg(long)]
        with_replaced: bool,
    },
}

pub async fn run(config: &Config, command: Key) -> Exit {
    let opened = opening::open_store(config).await?;
    let store = opened.store.clone();
    let (store, clock, actor) = (store.as_ref(), &SystemClock, &Actor::CommandLine);
    match command {
        Key::Add { name, scopes, user, surface, expires } => {
            let wanted = KeyRequest {
                id: None,
                name,
                scopes: scopes.iter().map(|scope| Scope::parse(scope)).collect::<Result<Vec<_>, _>>()?,
                user: user.map(UserId::new).transpose()?,
                surface: surface.map(Surface::new).transpose()?,
                expires_at: read_expiry(expires.as_deref().unwrap_or_default(), clock.now())?,
            };
            let key = keys::add_key(store, clock, &opening::digester(config, &opened).await?, actor, wanted).await?;
            print_json(&json!({ "id": key.id, "key": key.secret }))
        }
        Key::List => {
            let now = clock.now();
            for key in keys::all_keys(store, clock).await? {
                let scopes: Vec<_> = scopes_of(&key.scopes).into_iter().map(Scope::as_str).collect();
                let at = |at: Option<Moment>| at.map(Moment::rfc3339);
                print_json(&json!({
                    "id": key.id,
                    "name": key.name,
                    "scopes": scopes,
                    "user_id": key.user,
                    "surface": key.surface,
                    "state": KeyState::as_str(key.life.state(now)),
                    "created_at": key.created_at.rfc3339(),
                    "created_by": key.created_by,
                    "last_used_at": at(key.used.last_at),
                    "expires_at": at(key.life.expires_at),
                    "revoked_at": at(key.life.revoked_at),
                    "replaces": key.replaces,
                    "replaced_by": key.life.replaced_by,
                }))?;
            }
            Ok(ExitCode::SUCCESS)
        }
        Key::Rotate { id, overlap } => {
            let (digester, overlap) = (opening::digester(config, &opened).await?, Overlap::parse(&overlap)?);
            let key = keys::rotate_key(store, clock, &digester, actor, &id, None, overlap).await?;
            let ends = store.key(&id).await?.and_then(|old| old.life.expires_at).map(Moment::rfc3339);
            print_json(&json!({ "id": key.id, "key": key.secret, "replaces": id, "old_key_works_until": ends }))
        }
        Key::Revoke { id, with_replaced } => {
            let reach = if with_replaced { RevocationReach::WithReplaced } else { RevocationReach::Key };
            let left = keys::revoke_key(store, clock, actor, &id, reach).await?;
            let left = left.iter().map(|key| json!({ "id": key.id, "until": key.life.expires_at.map(Moment::rfc3339) }));
            print_json(&json!({ "revoked": id, "still_work": left.collect::<Vec<_>>() }))
        }
    }
}
