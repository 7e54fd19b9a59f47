//! Fetching another page of the console, and posting a form, from within a page.

use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::wasm_bindgen::prelude::JsValue;
use leptos::web_sys::js_sys::Promise;
use leptos::web_sys::{Document, DomParser, HtmlFormElement, Request, RequestInit, Response, SupportedType};
use wasm_bindgen_futures::JsFuture;

use crate::document::dom::{CONSOLE, query_of};
use crate::notice::UNREACHED;
use domain::problem::Problem;

/// Header that marks a request for only part of a page, so that one-time messages are kept for a person who opens the page.
pub const IN_PART: &str = "keepsake-part";

pub const UNAUTHORISED: u16 = 401;

pub const GONE: u16 = 404;

/// Why a page could not be loaded.
pub enum Lost {
    /// The session ended.
    SignedOut,
    Unreached,
}

/// Fetches another page of the console, as if it were opened.
pub async fn page(address: &str) -> Result<Document, Lost> {
    let request = Request::new_with_str(address).map_err(|_| Lost::Unreached)?;
    request.headers().set(IN_PART, "1").map_err(|_| Lost::Unreached)?;
    answer(&request).await
}

/// Posts a form and returns the page that it leads to.
pub async fn posted(form: &HtmlFormElement) -> Result<Document, Lost> {
    let init = RequestInit::new();
    init.set_method("POST");
    init.set_body(&JsValue::from_str(&query_of(form)));
    let address = form.get_attribute("action").unwrap_or_default();
    let request = Request::new_with_str_and_init(&address, &init).map_err(|_| Lost::Unreached)?;
    let headers = [("content-type", "application/x-www-form-urlencoded"), ("accept", "text/html")];
    for (name, value) in headers {
        request.headers().set(name, value).map_err(|_| Lost::Unreached)?;
    }
    answer(&request).await
}

pub async fn answer(request: &Request) -> Result<Document, Lost> {
    async fn of(promise: Promise) -> Result<JsValue, Lost> {
        JsFuture::from(promise).await.map_err(|_| Lost::Unreached)
    }
    let answer: Response = of(window().fetch_with_request(request)).await?.dyn_into().map_err(|_| Lost::Unreached)?;
    if answer.status() == UNAUTHORISED || answer.redirected() && answer.url().contains("/login") {
        return Err(Lost::SignedOut);
    }
    // If the server failed, the open page says so; the page of something deleted says so itself.
    if !answer.ok() && answer.status() != GONE {
        return Err(Lost::Unreached);
    }
    let text = of(answer.text().map_err(|_| Lost::Unreached)?).await?.as_string().unwrap_or_default();
    let parser = DomParser::new().map_err(|_| Lost::Unreached)?;
    parser.parse_from_string(&text, SupportedType::TextHtml).map_err(|_| Lost::Unreached)
}

/// Reports why a page could not be loaded.
pub fn lost(why: &Lost) {
    let Some(console) = CONSOLE.get() else { return };
    match why {
        Lost::SignedOut => console.signed_out.set(true),
        Lost::Unreached => {
            console.leftover.set(Some((Problem::Malformed { detail: UNREACHED.to_owned() }, None)));
        }
    }
}
