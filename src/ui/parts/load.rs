//! What a page begins with: the server asks for it while it renders, the browser reads it from the document.

use std::future::Future;

use leptos::prelude::*;
use leptos::server::codee::{Decoder, Encoder};
use leptos::server_fn::codec::JsonEncoding;
use leptos::server_fn::{Bytes, Decodes, Encodes};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// JSON, read as the answers to calls are: one reader for both keeps the browser's code small.
#[derive(Debug)]
pub struct Json;

impl<T: Serialize> Encoder<T> for Json {
    type Error = String;
    type Encoded = String;

    fn encode(value: &T) -> Result<String, String> {
        let bytes = <JsonEncoding as Encodes<&T>>::encode(&value).map_err(|error| error.to_string())?;
        String::from_utf8(bytes.to_vec()).map_err(|error| error.to_string())
    }
}

impl<T: DeserializeOwned> Decoder<T> for Json {
    type Error = String;
    type Encoded = str;

    fn decode(text: &str) -> Result<T, String> {
        <JsonEncoding as Decodes<T>>::decode(Bytes::copy_from_slice(text.as_bytes())).map_err(|error| error.to_string())
    }
}

/// Asks for what `fetcher` answers, and again when `source` changes; the document waits for it.
pub fn load<S, T, Fut>(
    source: impl Fn() -> S + Send + Sync + 'static,
    fetcher: impl Fn(S) -> Fut + Send + Sync + 'static,
) -> Resource<T, Json>
where
    S: PartialEq + Clone + Send + Sync + 'static,
    T: Serialize + DeserializeOwned + Send + Sync + 'static,
    Fut: Future<Output = T> + Send + 'static,
{
    Resource::new_with_options(source, fetcher, true)
}
