//! The MCP server for assistants: memory as tools, over HTTP at `/mcp` and on standard input and output.
//!
//! No tool has an argument that names a user. Whose memories they are is decided before a call: by the key, by the header
//! `X-Keepsake-User` that a trusted host sets, or by the command line. Nothing is kept between two requests, so any process can
//! answer any of them, in both versions of the protocol that clients speak.

mod arguments;
mod calls;
mod door;
pub mod lines;
mod messages;
mod server;
mod speaker;
mod stdio;
mod tools;

use std::sync::Arc;

use axum::Router;
use axum::middleware;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

pub use server::Server;
pub use speaker::Speaker;
pub use stdio::on_stdio;

use crate::api::{Api, BODY_MAX_BYTES};

/// Where it is served.
pub const PATH: &str = "/mcp";

/// The route, with authentication and the limits of the API. Hosts and origins other than `public_url` and this machine are
/// refused, so that no website can reach it through a name that it lets point here.
pub fn router(api: Api, public_url: Option<&str>) -> Router {
    let server = Server::over_http(api.keepsake.clone());
    let service =
        StreamableHttpService::new(move || Ok(server.clone()), Arc::new(NeverSessionManager::default()), config(public_url));
    let understood = Router::new().route_service(PATH, service).layer(middleware::from_fn(door::understand));
    understood.layer(middleware::from_fn_with_state(api, speaker::let_in))
}

fn config(public_url: Option<&str>) -> StreamableHttpServerConfig {
    let site = public_url.and_then(Address::parse);
    let hosts = ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned).into_iter();
    let origins = hosts.clone().map(|host| format!("http://{host}:*"));
    StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(BODY_MAX_BYTES)
        .with_allowed_hosts(hosts.chain(site.as_ref().map(Address::host)))
        .with_allowed_origins(origins.chain(site.as_ref().map(Address::origin)))
        .enforce_origin_validation()
}

/// Scheme and authority of a URL.
#[derive(Debug, PartialEq, Eq)]
struct Address<'a> {
    scheme: &'a str,
    authority: &'a str,
}

impl<'a> Address<'a> {
    fn parse(url: &'a str) -> Option<Self> {
        let (scheme, rest) = url.split_once("://")?;
        let authority = rest.split(['/', '?', '#']).next().filter(|authority| !authority.is_empty())?;
        Some(Self { scheme, authority })
    }

    /// The port, if the URL names one.
    fn port(&self) -> Option<&str> {
        let (_, port) = self.authority.rsplit_once(':')?;
        port.bytes().all(|byte| byte.is_ascii_digit()).then_some(port)
    }

    /// As in `Host`: with a port only if the URL has one, because clients leave out the usual one.
    fn host(&self) -> String {
        self.authority.to_owned()
    }

    /// With a port always, or any port would do.
    fn origin(&self) -> String {
        let usual = if self.scheme == "https" { 443 } else { 80 };
        match self.port() {
            Some(_) => format!("{}://{}", self.scheme, self.authority),
            None => format!("{}://{}:{usual}", self.scheme, self.authority),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_gives_the_host_and_the_origin_to_expect() {
        let cases = [
            ("https://keepsake.example", "keepsake.example", "https://keepsake.example:443"),
            ("https://keepsake.example/", "keepsake.example", "https://keepsake.example:443"),
            ("http://keepsake.example/base?x", "keepsake.example", "http://keepsake.example:80"),
            ("https://keepsake.example:8443/", "keepsake.example:8443", "https://keepsake.example:8443"),
            ("http://[::1]/", "[::1]", "http://[::1]:80"),
        ];
        for (url, host, origin) in cases {
            let address = Address::parse(url).expect("an address");
            assert_eq!((address.host().as_str(), address.origin().as_str()), (host, origin), "{url}");
        }
        assert_eq!(Address::parse("keepsake.example"), None);
        assert_eq!(Address::parse("https:///path"), None);
    }
}
