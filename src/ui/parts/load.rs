//! Loads the data of a page.

use std::future::Future;

use leptos::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Calls `fetcher`; the document waits for its answer.
pub fn load<S, T, Fut>(
    source: impl Fn() -> S + Send + Sync + 'static,
    fetcher: impl Fn(S) -> Fut + Send + Sync + 'static,
) -> Resource<T>
where
    S: PartialEq + Clone + Send + Sync + 'static,
    T: Serialize + DeserializeOwned + Send + Sync + 'static,
    Fut: Future<Output = T> + Send + 'static,
{
    Resource::new_blocking(source, fetcher)
}
