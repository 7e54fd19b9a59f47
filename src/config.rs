//! Configuration read at startup and fixed from then on: addresses, folders, providers. Every flag has an environment variable.
//! Settings that operators change while the server runs are in `domain::settings`.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use clap::{ArgAction, Args, ValueEnum};

use crate::embed;
use crate::extract::llm::{LlmConfig, Provider};
use console::session::shapes::Environment;
use domain::webhook::Reach;
use ports::embedder::EmbedderId;

/// The label shown in the console.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EnvironmentName {
    Production,
    Staging,
    Test,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EmbedderName {
    /// The embedder that the database names; for an empty database, a model if one is installed, else `lexical`.
    Auto,
    Bert,
    Lexical,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExtractorName {
    Rules,
    Llm,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProviderName {
    Openai,
    Anthropic,
}

/// Options for every command.
#[derive(Clone, Args)]
pub struct Config {
    /// Folder of the database and its keys.
    #[arg(long, env = "KEEPSAKE_DATA_DIR", default_value = "data", global = true)]
    pub data_dir: PathBuf,
    /// `sqlite:` and a path; a file in the data folder when absent.
    #[arg(long, env = "KEEPSAKE_DATABASE_URL", global = true)]
    pub database_url: Option<String>,
    /// Megabytes of memory for the search cache: memories of users with recent requests.
    #[arg(long, env = "KEEPSAKE_CACHE_MB", default_value_t = 64, global = true)]
    pub cache_mb: u32,
    /// Folder with config.json, tokenizer.json and model.safetensors of a sentence encoder of 384 dimensions.
    #[arg(long, env = "KEEPSAKE_MODEL_DIR", global = true)]
    pub model_dir: Option<PathBuf>,
    #[arg(long, env = "KEEPSAKE_EMBEDDER", value_enum, default_value = "auto", global = true)]
    pub embedder: EmbedderName,
    #[arg(long, env = "KEEPSAKE_EXTRACTOR", value_enum, default_value = "rules", global = true)]
    pub extractor: ExtractorName,
    #[arg(long, env = "KEEPSAKE_LLM_PROVIDER", value_enum, default_value = "openai", global = true)]
    pub llm_provider: ProviderName,
    /// Base URL up to and including `/v1`; the provider's own when absent.
    #[arg(long, env = "KEEPSAKE_LLM_URL", global = true)]
    pub llm_url: Option<String>,
    #[arg(long, env = "KEEPSAKE_LLM_MODEL", default_value = "gpt-4o-mini", global = true)]
    pub llm_model: String,
    #[arg(long, env = "KEEPSAKE_LLM_KEY", hide_env_values = true, global = true)]
    pub llm_key: Option<String>,
    /// Timeout for a provider's answer, in seconds.
    #[arg(long, env = "KEEPSAKE_LLM_TIMEOUT", default_value_t = 30, global = true)]
    pub llm_timeout: u64,
    /// Seconds between two batches of what is said for the team, so that the time of a new fact does not reveal who spoke; 0:
    /// nothing waits.
    #[arg(long, env = "KEEPSAKE_ARRIVAL_BATCH", default_value_t = 300, global = true)]
    pub arrival_batch: u32,
    /// `info`, `debug`, `keepsake=debug,info` …
    #[arg(long, env = "KEEPSAKE_LOG", default_value = "warn,keepsake=info", global = true)]
    pub log: String,
}

/// Options for `serve`.
#[derive(Clone, Args)]
pub struct ServeConfig {
    #[arg(long, env = "KEEPSAKE_LISTEN", default_value = "127.0.0.1:3000")]
    pub listen: SocketAddr,
    /// URL that browsers use, if it differs from the listen address: `https://keepsake.example`.
    #[arg(long, env = "KEEPSAKE_PUBLIC_URL")]
    pub public_url: Option<String>,
    #[arg(long, env = "KEEPSAKE_ENV", value_enum, default_value = "production")]
    pub env: EnvironmentName,
    /// Hours of inactivity after which an operator must sign in again.
    #[arg(long, env = "KEEPSAKE_SESSION_HOURS", default_value_t = 12)]
    pub session_hours: u16,
    /// Hour of the day, UTC, in which an erasure is rehearsed; or `never`.
    #[arg(long, env = "KEEPSAKE_REHEARSE_HOUR", default_value = "3")]
    pub rehearse_hour: RehearseHour,
    /// Requests per second for each key; bursts may be five times as large.
    #[arg(long, env = "KEEPSAKE_RATE_LIMIT", default_value = "200")]
    pub rate_limit: NonZeroU32,
    /// Whether webhooks may go to addresses of the own network and to this machine. With KEEPSAKE_ENV=test this machine is always
    /// allowed.
    #[arg(long, env = "KEEPSAKE_WEBHOOK_PRIVATE", default_value_t = false, action = ArgAction::Set)]
    pub webhook_private: bool,
    /// Folder of the browser files; beside the binary when absent.
    #[arg(long, env = "LEPTOS_SITE_ROOT")]
    pub site_root: Option<PathBuf>,
}

/// An hour of the day, or never.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RehearseHour(pub Option<u8>);

impl FromStr for RehearseHour {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            _ if text == "never" => Ok(Self(None)),
            Ok(hour @ 0..=23) => Ok(Self(Some(hour))),
            _ => Err("must be an hour from 0 to 23, or never".to_owned()),
        }
    }
}

impl Config {
    /// The cache size in bytes.
    #[must_use]
    pub fn cache_bytes(&self) -> usize {
        usize::try_from(self.cache_mb).unwrap_or(usize::MAX).saturating_mul(1 << 20)
    }

    #[must_use]
    pub fn choice(&self) -> embed::EmbedderChoice {
        match self.embedder {
            EmbedderName::Auto => embed::EmbedderChoice::Auto,
            EmbedderName::Bert => embed::EmbedderChoice::Bert,
            EmbedderName::Lexical => embed::EmbedderChoice::Lexical,
        }
    }

    /// Folder of the model to load: the one requested; else, in the cache, the one that made the database's vectors; else the
    /// best one in the cache.
    #[must_use]
    pub fn model_folder(&self, named: Option<&EmbedderId>) -> PathBuf {
        if let Some(folder) = &self.model_dir {
            return folder.clone();
        }
        let models = model_cache();
        let of_database = named.and_then(|id| id.model.strip_prefix("bert:")).map(|name| models.join(name));
        let best = ["gte-small", "all-MiniLM-L6-v2"].map(|name| models.join(name));
        of_database
            .into_iter()
            .chain(best)
            .find(|folder| folder.join("model.safetensors").is_file())
            .unwrap_or_else(|| models.join("gte-small"))
    }

    #[must_use]
    pub fn llm(&self) -> LlmConfig {
        LlmConfig {
            provider: match self.llm_provider {
                ProviderName::Openai => Provider::OpenAi,
                ProviderName::Anthropic => Provider::Anthropic,
            },
            base_url: self.llm_url.clone(),
            model: self.llm_model.clone(),
            api_key: self.llm_key.clone(),
            timeout: Duration::from_secs(self.llm_timeout),
        }
    }
}

impl ServeConfig {
    #[must_use]
    pub fn webhook_reach(&self) -> Reach {
        match self.env {
            _ if self.webhook_private => Reach::Private,
            EnvironmentName::Test => Reach::Loopback,
            EnvironmentName::Production | EnvironmentName::Staging => Reach::Public,
        }
    }

    #[must_use]
    pub fn environment(&self) -> Environment {
        match self.env {
            EnvironmentName::Production => Environment::Production,
            EnvironmentName::Staging => Environment::Staging,
            EnvironmentName::Test => Environment::Test,
        }
    }

    /// Where the browser files are: the configured folder, or beside the binary, or where a build leaves them.
    #[must_use]
    pub fn site(&self) -> PathBuf {
        let beside = std::env::current_exe().ok().and_then(|exe| exe.parent().map(|folder| folder.join("site")));
        let candidates = [self.site_root.clone(), beside, Some(PathBuf::from("target/site"))];
        candidates
            .into_iter()
            .flatten()
            .find(|folder| folder.join("pkg").is_dir())
            .unwrap_or_else(|| Path::new("target/site").to_owned())
    }
}

/// `$XDG_CACHE_HOME/keepsake/models`, where `scripts/model.sh` puts models.
#[allow(clippy::disallowed_methods, reason = "this is the home of the environment")]
fn model_cache() -> PathBuf {
    let cache = std::env::var("XDG_CACHE_HOME").ok().filter(|path| !path.is_empty()).map(PathBuf::from);
    let home = || PathBuf::from(std::env::var("HOME").unwrap_or_default()).join(".cache");
    cache.unwrap_or_else(home).join("keepsake/models")
}

/// `$XDG_STATE_HOME/keepsake`, for notes of commands that speak to a server.
#[allow(clippy::disallowed_methods, reason = "this is the home of the environment")]
#[must_use]
pub fn state_folder() -> PathBuf {
    let state = std::env::var("XDG_STATE_HOME").ok().filter(|path| !path.is_empty()).map(PathBuf::from);
    let home = || PathBuf::from(std::env::var("HOME").unwrap_or_default()).join(".local/state");
    state.unwrap_or_else(home).join("keepsake")
}
