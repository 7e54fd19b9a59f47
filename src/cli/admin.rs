//! `keepsake operator`, `settings` and `audit`.

use std::io::{IsTerminal, Read};
use std::process::ExitCode;

use clap::Subcommand;
use serde_json::json;

use super::{Exit, Failure, opening, print, print_json};
use crate::config::Config;
use domain::access::rights::Rights;
use ports::clock::SystemClock;
use service::audit::{self, Actor, Verification};
use service::people::operators::{self, NewOperator};
use service::settings::change;

#[derive(Subcommand)]
pub enum Operator {
    /// Adds an operator.
    Add {
        email: String,
        #[arg(long)]
        name: String,
        /// To view, to decide on facts, to erase and change settings, or (`edit`) all of it.
        #[arg(long, value_parser = ["view", "review", "manage", "edit"])]
        rights: String,
        /// Reads the password from stdin instead of asking.
        #[arg(long)]
        password_stdin: bool,
    },
    /// Sets a new password for an operator.
    Password {
        email: String,
        #[arg(long)]
        password_stdin: bool,
    },
    /// Disables an operator at once.
    Disable { email: String },
    /// Lists every operator, one JSON object per line.
    List,
}

#[derive(Subcommand)]
pub enum Settings {
    /// Lists every setting with its value, one JSON object per line.
    List,
    /// Prints one value as JSON.
    Get { key: String },
    /// Changes a value (JSON); a running server applies it within a second.
    Set { key: String, value: String },
}

#[derive(Subcommand)]
pub enum Audit {
    /// Recomputes the hash chain.
    Verify,
}

pub async fn operator(config: &Config, command: Operator) -> Exit {
    let store = opening::open_store(config).await?.store;
    match command {
        Operator::Add { email, name, rights, password_stdin } => {
            let rights = Rights::parse(&rights).map_err(service::Error::from)?;
            let id = {
                let new = NewOperator { email: &email, name: &name, rights, password: password(password_stdin)? };
                operators::add_operator(store.as_ref(), &SystemClock, &Actor::CommandLine, new).await?
            };
            print_json(&json!({ "id": id, "email": email }))
        }
        Operator::Password { email, password_stdin } => {
            operators::set_password(store.as_ref(), &SystemClock, &Actor::CommandLine, &email, password(password_stdin)?).await?;
            Ok(ExitCode::SUCCESS)
        }
        Operator::Disable { email } => {
            operators::disable_operator(store.as_ref(), &SystemClock, &Actor::CommandLine, &email).await?;
            Ok(ExitCode::SUCCESS)
        }
        Operator::List => {
            for operator in store.operators().await? {
                print_json(
                    &json!({ "id": operator.id, "email": operator.email, "name": operator.name, "rights": operator.rights, "disabled": operator.disabled }),
                )?;
            }
            Ok(ExitCode::SUCCESS)
        }
    }
}

pub async fn settings(config: &Config, command: Settings) -> Exit {
    let (keepsake, _) = opening::open(config, None).await?;
    match command {
        Settings::List => {
            for (spec, value) in keepsake.settings.all_settings() {
                print_json(&json!({ "key": spec.key, "value": value, "label": spec.label, "help": spec.help }))?;
            }
            Ok(ExitCode::SUCCESS)
        }
        Settings::Get { key } => {
            let found = keepsake.settings.all_settings().into_iter().find(|(spec, _)| spec.key == key);
            let (_, value) = found
                .ok_or_else(|| Failure::Said(format!("there is no setting {key}; `keepsake settings list` names them all")))?;
            print_json(&value)
        }
        Settings::Set { key, value } => {
            keepsake.settings.set(&Actor::CommandLine, &key, change::parse(&value)?).await?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

pub async fn audit(config: &Config, command: Audit) -> Exit {
    let Audit::Verify = command;
    let store = opening::open_store(config).await?.store;
    match audit::verify(store.as_ref()).await? {
        Verification::Intact { rows, head } => print_json(&json!({ "intact": true, "rows": rows, "head": head })),
        Verification::Broken { seq } => {
            print(&json!({ "intact": false, "broken_at": seq }).to_string())?;
            Err(Failure::Said(format!("the audit log was changed: row {seq} does not fit the chain")))
        }
    }
}

fn password(from_stdin: bool) -> Result<String, Failure> {
    if from_stdin {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text)?;
        return Ok(text.trim_end_matches(['\r', '\n']).to_owned());
    }
    if !std::io::stdin().is_terminal() {
        return Err(Failure::Said("a password is needed: run it in a terminal, or pass --password-stdin".to_owned()));
    }
    Ok(rpassword::prompt_password("Password: ")?)
}
