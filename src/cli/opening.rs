//! Opens the data folder and assembles the parts for a command.

use std::fs::{self, File, Permissions, TryLockError};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::Failure;
use super::wiring::{Ports, Timing, compose};
use crate::config::{Config, ExtractorName};
use crate::embed;
use crate::extract::llm::Llm;
use crate::extract::rules::Rules;
use access::digest::Digester;
use ports::clock::SystemClock;
use ports::embedder::{Embedder, EmbedderFamily};
use ports::extractor::Extractor;
use ports::store::StoreError;
use ports::store::custody::Opened;
use ports::store::location::{DatabaseHold, DatabaseLocation};
use service::Keepsake;
use service::database::start::{Match, key_of, match_embedder, name_key};
use service::erasure::replay::Replayed;
use service::error::chain;
use store;

/// Entered by the owner alone.
const PRIVATE: u32 = 0o700;
/// Read and written by the owner alone.
const PRIVATE_FILE: u32 = 0o600;

/// Lock of the process that may learn, restore or re-embed; a server holds it for as long as it runs.
#[allow(dead_code, reason = "held, not used")]
pub struct Lock(File, DatabaseHold);

/// Takes the data folder and the database; `None`: another process has one of them.
pub fn lock(config: &Config) -> Result<Option<Lock>, Failure> {
    folder(&config.data_dir)?;
    let path = config.data_dir.join("keepsake.lock");
    let file = File::options().create(true).truncate(false).write(true).mode(PRIVATE_FILE).open(path);
    let file = file.map_err(|error| Failure::Said(format!("{} cannot be written: {error}", config.data_dir.display())))?;
    match file.try_lock() {
        Ok(()) => {
            let place = place(config)?;
            let taken = place.take();
            let taken = taken
                .map_err(|error| Failure::Said(format!("the database {} cannot be used: {}", place.name(), chain(&error))))?;
            Ok(taken.map(|taken| Lock(file, taken)))
        }
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

/// The lock, with no other process that uses the database, also not beside a server. Whatever replaces the database or all its vectors
/// needs it: a process that goes on with the old file would lose what it is told.
pub struct Alone {
    _lock: Lock,
    _taken: DatabaseHold,
}

/// Takes everything for this process.
pub fn alone(config: &Config) -> Result<Alone, Failure> {
    if let Some(lock) = lock(config)?
        && let Some(taken) = place(config)?.take_alone()?
    {
        return Ok(Alone { _lock: lock, _taken: taken });
    }
    Err(Failure::Said(
        "a server or another command, such as `keepsake mcp` or `keepsake telegram`, is working on the database; stop it first"
            .to_owned(),
    ))
}

/// Says until this process ends that it uses the database. A process runs one command.
fn share(config: &Config) -> Result<(), Failure> {
    static SHARED: OnceLock<DatabaseHold> = OnceLock::new();
    folder(&config.data_dir)?;
    let place = place(config)?;
    let Some(shared) = place.share()? else {
        return Err(Failure::Said(format!(
            "another keepsake command is replacing the database {} or all its vectors; wait for it",
            place.name()
        )));
    };
    // A second one of the same process is not needed.
    let _ = SHARED.set(shared);
    Ok(())
}

/// Like [`lock`], but waits a moment for a command that is about to end.
pub async fn lock_soon(config: &Config) -> Result<Option<Lock>, Failure> {
    const PAUSE: Duration = Duration::from_millis(100);
    const TRIES: usize = 20;
    for _ in 0..TRIES {
        if let Some(lock) = lock(config)? {
            return Ok(Some(lock));
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(None)
}

/// Creates the data folder if it is missing. Only its owner may enter it and read its files, whatever was there.
fn folder(path: &Path) -> Result<(), Failure> {
    let failed = |error| Failure::Said(format!("the data folder {} cannot be used: {error}", path.display()));
    fs::DirBuilder::new().recursive(true).mode(PRIVATE).create(path).map_err(failed)?;
    let others_may = fs::metadata(path).map_err(failed)?.permissions().mode() & 0o077 != 0;
    if others_may && let Err(error) = fs::set_permissions(path, Permissions::from_mode(PRIVATE)) {
        tracing::warn!(cause = %error, "others may enter the data folder, and that cannot be changed");
    }
    for file in fs::read_dir(path).map_err(failed)? {
        let file = file.map_err(failed)?;
        let about = file.metadata().map_err(failed)?;
        if about.is_file() && about.permissions().mode() & 0o077 != 0 {
            // A file of somebody else is not ours to change.
            let _ = fs::set_permissions(file.path(), Permissions::from_mode(PRIVATE_FILE));
        }
    }
    Ok(())
}

/// The location of the database.
pub fn place(config: &Config) -> Result<Box<dyn DatabaseLocation>, Failure> {
    Ok(store::at(config.database_url.as_deref(), &config.data_dir, config.cache_bytes())?)
}

/// The database, with its schema up to date.
pub async fn open_store(config: &Config) -> Result<Opened, Failure> {
    let place = place(config)?;
    folder(&config.data_dir)?;
    if !place.is_taken() && (key_file(config).exists() || !place.ledger_beside().await?.is_empty()) {
        return Err(Failure::Said(format!(
            "the database {} is missing, and {} shows that there was one. Put it back, or restore a backup with `keepsake restore`. \
             To begin anew, move ledger.key and erasures.jsonl out of that folder",
            place.name(),
            config.data_dir.display()
        )));
    }
    let opened = place.open().await;
    opened.map_err(|error| {
        let advice = match error {
            StoreError::Damaged(_) => ". Restore a backup with `keepsake restore`",
            StoreError::ReadOnly(_) => ". Give its owner the right to write the file and its folder",
            StoreError::Full(_) => ". Free some space",
            _ => "",
        };
        Failure::Said(format!("the database {} cannot be opened: {}{advice}", place.name(), chain(&error)))
    })
}

/// Opens everything. Erasures that are only in the ledger are carried out first, so that nobody comes back with a database that
/// was put in place by hand; whoever has the lock of the data folder has done so.
pub async fn open(config: &Config, lock: Option<&Lock>) -> Result<(Keepsake, Opened), Failure> {
    share(config)?;
    let (keepsake, opened) = assemble(config).await?;
    let own = if lock.is_none() { self::lock(config)? } else { None };
    if lock.or(own.as_ref()).is_some() {
        replay(&keepsake).await?;
    }
    Ok((keepsake, opened))
}

/// Opens everything, with an embedder and a key that match the database.
pub async fn assemble(config: &Config) -> Result<(Keepsake, Opened), Failure> {
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
    // Whoever writes beside a server, or without one, leaves what is said for the team to the next batch.
    let timing = Timing { arrival_batch: Duration::from_secs(config.arrival_batch.into()), ..Timing::default() };
    let keepsake = join(config, &opened, embedder, digester(config, &opened).await?, timing).await?;
    keepsake.insight.begin_day().await?;
    Ok((keepsake, opened))
}

/// Repeats erasures after a backup was restored. The caller holds the lock of the data folder.
pub async fn replay(keepsake: &Keepsake) -> Result<Replayed, Failure> {
    let replayed = keepsake.erasure.replay_ledger().await?;
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
    timing: Timing,
) -> Result<Keepsake, Failure> {
    let (store, custody) = (opened.store.clone(), opened.custody.clone());
    let ports = Ports { store, custody, embedder, extractor: extractor(config)?, clock: Arc::new(SystemClock), digester };
    Ok(compose(ports, timing).await?)
}

/// Nothing of a dry run is kept, so its digests need no secret key.
const THROW_AWAY_KEY: [u8; 32] = [0; 32];

/// Everything, with a new database in this folder, for a dry run.
pub async fn scratch(config: &Config, folder: &Path) -> Result<Keepsake, Failure> {
    let opened = store::at(None, folder, 0)?.open().await?;
    let embedder = embed::open(config.choice(), &config.model_folder(None), None)?;
    join(config, &opened, embedder, Digester::new(THROW_AWAY_KEY), Timing::default()).await
}

/// The key of the digests. A new one is made only if neither the database nor the ledger knows another.
pub async fn digester(config: &Config, opened: &Opened) -> Result<Digester, Failure> {
    let file = key_file(config);
    let known = key_of(opened.custody.as_ref()).await?;
    let digester = match Digester::read(&file)? {
        Some(digester) => digester,
        None if known.is_none() && opened.custody.notes_beside().await?.is_empty() => Digester::create(&file)?,
        None => {
            return Err(Failure::Said(format!(
                "{} is missing; without it nobody who was erased can be recognised. Put back the key{}",
                file.display(),
                known.map(|id| format!(" with the id {id}")).unwrap_or_default()
            )));
        }
    };
    let id = digester.key_id();
    match known {
        None => name_key(opened.custody.as_ref(), &id).await?,
        Some(known) if known == id => {}
        Some(known) => {
            return Err(Failure::Said(format!(
                "{} holds the key {id}, and this database was made with the key {known}. Put back that key",
                file.display()
            )));
        }
    }
    Ok(digester)
}

/// The key for a database that is about to be restored: the one that is there, or else a new one.
pub fn key_or_new(config: &Config) -> Result<Digester, Failure> {
    let file = key_file(config);
    Ok(Digester::read(&file)?.map_or_else(|| Digester::create(&file), Ok)?)
}

fn key_file(config: &Config) -> PathBuf {
    config.data_dir.join("ledger.key")
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
