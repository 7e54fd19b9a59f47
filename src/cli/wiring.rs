//! Opens the data folder and assembles the parts for a command.

use std::fs::{self, File, TryLockError};
use std::path::Path;
use std::sync::Arc;

use super::Failure;
use crate::access::digest::Digester;
use crate::config::{Config, ExtractorName};
use crate::embed;
use crate::extract::llm::Llm;
use crate::extract::rules::Rules;
use crate::ports::clock::SystemClock;
use crate::ports::embedder::{Embedder, EmbedderFamily};
use crate::ports::extractor::Extractor;
use crate::ports::store::copies::DatabaseLocation;
use crate::ports::store::custody::Opened;
use crate::service::Keepsake;
use crate::service::error::chain;
use crate::service::replay::Replayed;
use crate::service::start::{Match, match_embedder};
use crate::store;

/// Lock of the process that may learn, restore or re-embed; a server holds it for as long as it runs.
pub struct FolderLock(#[allow(dead_code, reason = "held, not used")] File);

/// Takes the lock of the data folder; `None`: another process has it.
pub fn lock(config: &Config) -> Result<Option<FolderLock>, Failure> {
    folder(&config.data_dir)?;
    let file = File::options().create(true).truncate(false).write(true).open(config.data_dir.join("keepsake.lock"))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(FolderLock(file))),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

/// Creates the data folder if it is missing, accessible only to its owner.
fn folder(path: &Path) -> Result<(), Failure> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .map_err(|error| Failure::Said(format!("the data folder {} cannot be used: {error}", path.display())))
}

/// The location of the database.
pub fn place(config: &Config) -> Result<Box<dyn DatabaseLocation>, Failure> {
    Ok(store::at(config.database_url.as_deref(), &config.data_dir, config.cache_bytes())?)
}

/// The database, with its schema up to date.
pub async fn open_store(config: &Config) -> Result<Opened, Failure> {
    let place = place(config)?;
    folder(&config.data_dir)?;
    let opened = place.open().await;
    opened.map_err(|error| Failure::Said(format!("the database {} cannot be opened: {}", place.name(), chain(&error))))
}

/// Opens everything, with an embedder that matches the database.
pub async fn open(config: &Config) -> Result<(Keepsake, Opened), Failure> {
    let opened = open_store(config).await?;
    let named = opened.custody.embedder().await?;
    let embedder = embed::open(config.choice(), &config.model_folder(named.as_ref()), named.as_ref())?;
    if let Match::Other(named) = match_embedder(opened.custody.as_ref(), embedder.id()).await? {
        return Err(Failure::Said(format!(
            "this database was made with the embedder {} and the configured one is {}; their vectors cannot be mixed. \
             Configure that one, or run `keepsake reembed` to make every vector again",
            named.model,
            embedder.id().model
        )));
    }
    let keepsake = join(config, &opened, embedder, digester(config)?).await?;
    keepsake.begin_day().await?;
    Ok((keepsake, opened))
}

/// Repeats erasures after a backup was restored, before anything reads the data. The caller holds the lock of the data folder.
pub async fn replay(keepsake: &Keepsake) -> Result<Replayed, Failure> {
    let replayed = keepsake.replay_ledger().await?;
    if !replayed.again.is_empty() {
        tracing::warn!(
            entries = replayed.again.len(),
            erased = replayed.found,
            "erasures were carried out again after a restore"
        );
    }
    if !replayed.unknown.is_empty() {
        tracing::error!(
            entries = replayed.unknown.len(),
            "erasures in the ledger were made with another ledger.key; whom they mean cannot be told"
        );
    }
    Ok(replayed)
}

/// Assembles the parts.
pub async fn join(
    config: &Config,
    opened: &Opened,
    embedder: Arc<dyn Embedder>,
    digester: Digester,
) -> Result<Keepsake, Failure> {
    let (store, custody) = (opened.store.clone(), opened.custody.clone());
    Ok(Keepsake::new(store, custody, embedder, extractor(config)?, Arc::new(SystemClock), digester).await?)
}

pub fn digester(config: &Config) -> Result<Digester, Failure> {
    Ok(Digester::open(&config.data_dir.join("ledger.key"))?)
}

fn extractor(config: &Config) -> Result<Arc<dyn Extractor>, Failure> {
    Ok(match config.extractor {
        ExtractorName::Rules => Arc::new(Rules),
        ExtractorName::Llm => Arc::new(Llm::new(config.llm()).map_err(|error| Failure::Said(error.to_string()))?),
    })
}

/// What operators should be told about this embedder, if anything.
pub fn warning(keepsake: &Keepsake) -> Option<String> {
    (keepsake.embedder.family() == EmbedderFamily::Lexical).then(|| {
        "No embedding model is installed: recall matches words, not meaning. Run `make model`, then `keepsake reembed`."
            .to_owned()
    })
}
