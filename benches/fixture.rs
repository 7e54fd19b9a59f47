//! A complete Keepsake in a temporary folder with a stopped clock, and its possible embedders.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use access::digest::Digester;
use async_trait::async_trait;
use domain::moment::Moment;
use keepsake::cli::wiring::{Ports, Timing, compose};
use keepsake::embed::bert::Bert;
use keepsake::embed::lexical::Lexical;
use keepsake::extract::rules::Rules;
use ports::clock::{Clock, SystemClock};
use ports::embedder::{EmbedError, Embedder, EmbedderFamily, EmbedderId, Vector};
use ports::extractor::Extractor;
use service::Keepsake;
use service::audit::Actor;
use service::settings::change;
use store::sqlite::SqliteStore;
use tempfile::TempDir;

/// 2026-11-20T12:00:00Z
pub const NOON: Moment = Moment(1_795_176_000_000);

struct Noon;

impl Clock for Noon {
    fn now(&self) -> Moment {
        NOON
    }

    fn steady(&self) -> Moment {
        SystemClock.steady()
    }

    fn id(&self, prefix: &str) -> String {
        SystemClock.id(prefix)
    }
}

pub struct Fixture {
    pub keepsake: Keepsake,
    pub store: Arc<SqliteStore>,
    _folder: TempDir,
}

impl Fixture {
    pub async fn with(embedder: Arc<dyn Embedder>) -> Self {
        Self::reading(Arc::new(Rules), embedder).await
    }

    /// With another extractor.
    pub async fn reading(extractor: Arc<dyn Extractor>, embedder: Arc<dyn Embedder>) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Arc::new(SqliteStore::open(&folder.path().join("keepsake.db")).await.expect("opens"));
        let digester = Digester::new([7; 32]);
        let ports = Ports { store: store.clone(), custody: store.clone(), embedder, extractor, clock: Arc::new(Noon), digester };
        let keepsake = compose(ports, Timing::default()).await.expect("composed");
        Self { keepsake, store, _folder: folder }
    }

    pub async fn set(&self, key: &str, value: f64) {
        self.keepsake
            .settings
            .set(&Actor::CommandLine, key, change::parse(&value.to_string()).expect("a number"))
            .await
            .expect("set");
    }
}

/// Reads a file of the repository.
pub fn file(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A folder named by an environment variable.
#[allow(clippy::disallowed_methods, reason = "a bench finds its data where it was told")]
pub fn told(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The folder of all-MiniLM-L6-v2, which may not be installed.
pub fn minilm_folder() -> PathBuf {
    let cache = || told("XDG_CACHE_HOME").or_else(|| Some(told("HOME")?.join(".cache"))).unwrap_or_default();
    told("KEEPSAKE_MODEL_DIR").unwrap_or_else(|| cache().join("keepsake/models/all-MiniLM-L6-v2"))
}

/// Loads all-MiniLM-L6-v2, or prints how to get it.
pub fn minilm() -> Option<Arc<dyn Embedder>> {
    match Bert::open(&minilm_folder()) {
        Ok(model) => Some(Arc::new(model)),
        Err(error) => {
            println!("skipped for all-MiniLM-L6-v2, `scripts/model.sh minilm` installs it: {error}");
            None
        }
    }
}

/// Every available embedder, by name.
pub fn embedders() -> Vec<(&'static str, Arc<dyn Embedder>)> {
    let lexical: Arc<dyn Embedder> = Arc::new(Lexical::default());
    minilm().map(|model| ("MiniLM", model)).into_iter().chain([("lexical", lexical)]).collect()
}

/// Embeds each text once and records every call, so that the same calls can be repeated by themselves.
pub struct Noted {
    inner: Arc<dyn Embedder>,
    pub calls: Mutex<Vec<Vec<String>>>,
    known: Option<Mutex<HashMap<String, Vector>>>,
}

impl Noted {
    /// Records calls and forwards them.
    pub fn calls_of(inner: Arc<dyn Embedder>) -> Arc<Self> {
        Arc::new(Self { inner, calls: Mutex::default(), known: None })
    }

    /// Also caches vectors: for benchmarks that count and do not measure time.
    pub fn once_each(inner: Arc<dyn Embedder>) -> Arc<Self> {
        Arc::new(Self { inner, calls: Mutex::default(), known: Some(Mutex::default()) })
    }
}

#[async_trait]
impl Embedder for Noted {
    fn id(&self) -> &EmbedderId {
        self.inner.id()
    }

    fn family(&self) -> EmbedderFamily {
        self.inner.family()
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vector>, EmbedError> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).push(texts.to_vec());
        let Some(known) = &self.known else { return self.inner.embed(texts).await };
        let mut vectors = Vec::with_capacity(texts.len());
        for text in texts {
            let before = known.lock().unwrap_or_else(PoisonError::into_inner).get(text).cloned();
            let vector = match before {
                Some(vector) => vector,
                None => self.inner.embed(std::slice::from_ref(text)).await?.remove(0),
            };
            known.lock().unwrap_or_else(PoisonError::into_inner).insert(text.clone(), vector.clone());
            vectors.push(vector);
        }
        Ok(vectors)
    }
}
