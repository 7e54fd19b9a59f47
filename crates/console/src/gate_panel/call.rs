//! The calls of `gate_panel` from the browser.

use leptos::prelude::*;

use crate::gate_panel::shapes::GatePage;
use crate::notice::Refused;

#[server(prefix = "/calls", endpoint = "gate/page", input = leptos::server_fn::codec::GetUrl)]
pub async fn open_gate() -> Result<GatePage, Refused> {
    crate::gate_panel::work::gate(&crate::server::SignedIn::take()?).await
}
