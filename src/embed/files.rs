//! The files of a model.

use std::fmt::Display;
use std::path::Path;

use serde::de::DeserializeOwned;

use ports::embedder::EmbedError;

pub(super) const WEIGHTS_FILE: &str = "model.safetensors";

pub(super) fn read(path: &Path) -> Result<Vec<u8>, EmbedError> {
    std::fs::read(path).map_err(|e| unusable(path, e))
}

pub(super) fn parse<T: DeserializeOwned>(path: &Path) -> Result<T, EmbedError> {
    serde_json::from_slice(&read(path)?).map_err(|e| unusable(path, e))
}

pub(super) fn unusable(path: &Path, cause: impl Display) -> EmbedError {
    EmbedError::Model(format!("{}: {cause}", path.display()))
}
