//! `keepsake mcp`: the MCP server on standard input and output, for clients that start a program.
//!
//! With a URL it passes messages on to a running server: small, and as many of them may run as there are editor windows. Without
//! one it opens the database itself, for one named user; that loads the embedder into every such process.

use std::process::ExitCode;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use clap::Args;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::remote::{Remote, Server, ServerAnswer};
use super::{Exit, Failure, opening};
use crate::config::Config;
use crate::mcp::lines::{Lines, answering};
use crate::mcp::{self, Speaker};
use crate::web;
use access::callers::Caller;

/// Longer than the server itself allows for a request.
const TIMEOUT: Duration = Duration::from_secs(45);
/// Where a request of the newer protocol names its version; the older one says it once, in `initialize`.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// JSON-RPC's code for an internal error.
const INTERNAL_ERROR: i32 = -32603;

#[derive(Args)]
pub struct Mcp {
    #[command(flatten)]
    server: Server,
}

pub async fn run(config: &Config, command: Mcp) -> Exit {
    match &command.server.url {
        Some(url) => pass_on(Remote::new(url, &command.server, TIMEOUT)?).await,
        None => serve(config, command.server.user).await,
    }
}

/// Serves the database of the data folder.
async fn serve(config: &Config, user: Option<String>) -> Exit {
    let Some(user) = user else {
        return Err(Failure::Said(
            "name a running server with --url, or the user whose memories these are with --user".to_owned(),
        ));
    };
    let speaker = Speaker::new(Caller::command_line(), Some(user))?;
    let (keepsake, _opened) = opening::open(config, None).await?;
    let stop = CancellationToken::new();
    let following = tokio::spawn(web::follow(keepsake.clone(), stop.clone()));
    let served = mcp::on_stdio(mcp::Server::of(keepsake.clone(), speaker)).await;
    stop.cancel();
    let _ = following.await;
    keepsake.counts.flush_counts().await?;
    keepsake.blocks.index_blocks().await?;
    served?;
    Ok(ExitCode::SUCCESS)
}

/// Passes each message on to a server and its answer back. Answers may come in another order than the questions.
async fn pass_on(remote: Remote) -> Exit {
    let (answers, writing) = answering();
    let agreed: Arc<OnceLock<String>> = Arc::default();
    let mut lines = Lines::of(tokio::io::stdin());
    let mut under_way = JoinSet::new();
    while let Some(message) = lines.next().await? {
        let message = match message {
            // The server asks a client nothing, so there is nothing to pass an answer to.
            Ok(message) if message.get("method").is_none() => continue,
            Ok(message) => message,
            Err(answer) => {
                // Fails only if the client has gone.
                let _ = answers.send(answer.to_string()).await;
                continue;
            }
        };
        let (remote, answers, agreed) = (remote.clone(), answers.clone(), agreed.clone());
        under_way.spawn(async move {
            if let Some(answer) = exchange(&remote, &message, &agreed).await {
                let _ = answers.send(answer).await;
            }
        });
        while under_way.try_join_next().is_some() {}
    }
    while under_way.join_next().await.is_some() {}
    drop(answers);
    writing.await.map_err(|error| Failure::Said(error.to_string()))??;
    Ok(ExitCode::SUCCESS)
}

/// Sends one message; returns the line to answer with, if there is one.
async fn exchange(remote: &Remote, message: &Value, agreed: &OnceLock<String>) -> Option<String> {
    let body = message.to_string().into_bytes();
    let answer = match remote.post(mcp::PATH, body, headers(message, agreed.get().map(String::as_str))).await {
        Ok(answer) => read(message, &answer)?,
        Err(failure) => broken(message, &failure.to_string())?,
    };
    if message["method"] == "initialize"
        && let Some(version) = answer["result"]["protocolVersion"].as_str()
    {
        let _ = agreed.set(version.to_owned());
    }
    Some(answer.to_string())
}

/// The headers in which HTTP repeats what a message says.
fn headers(message: &Value, agreed: Option<&str>) -> HeaderMap {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let params = &message["params"];
    let own = text(&params["_meta"][VERSION]);
    let version = own.clone().or_else(|| agreed.filter(|_| message["method"] != "initialize").map(str::to_owned));
    let of_the_newer = |value: Option<String>| value.filter(|_| own.is_some());
    let pairs = [
        ("mcp-protocol-version", version),
        ("mcp-method", of_the_newer(text(&message["method"]))),
        ("mcp-name", of_the_newer(text(&params["name"]).or_else(|| text(&params["uri"])))),
    ];
    let header = |(name, value): (&'static str, Option<String>)| {
        Some((HeaderName::from_static(name), HeaderValue::from_str(&value?).ok()?))
    };
    pairs.into_iter().filter_map(header).collect()
}

/// The message in an answer. An answer that is none, such as a refused key, becomes an error of this request.
fn read(message: &Value, answer: &ServerAnswer) -> Option<Value> {
    let mut body: Value = serde_json::from_slice(&answer.body).unwrap_or(Value::Null);
    if body["jsonrpc"] == "2.0" {
        // A fault that was found before the message was read.
        if body["id"].is_null() {
            body["id"] = message.get("id")?.clone();
        }
        return Some(body);
    }
    let detail = body["detail"].as_str().map(str::to_owned);
    broken(message, &detail.unwrap_or_else(|| format!("the server answered with status {}", answer.status)))
}

/// An error for a request, and nothing for a notification. A tool's error is one that the model can read.
fn broken(message: &Value, why: &str) -> Option<Value> {
    let id = message.get("id")?;
    if message["method"] != "tools/call" {
        return Some(
            json!({"jsonrpc": "2.0", "id": id, "error": {"code": INTERNAL_ERROR, "message": format!("Keepsake: {why}")}}),
        );
    }
    let mut result = json!({"content": [{"type": "text", "text": format!("Keepsake: {why}")}], "isError": true});
    if message["params"]["_meta"][VERSION].is_string() {
        result["resultType"] = json!("complete");
    }
    Some(json!({"jsonrpc": "2.0", "id": id, "result": result}))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(message: &Value, agreed: Option<&str>) -> Vec<(String, String)> {
        let text = |value: &HeaderValue| value.to_str().expect("ASCII").to_owned();
        headers(message, agreed).iter().map(|(name, value)| (name.to_string(), text(value))).collect()
    }

    #[test]
    fn headers_repeat_what_the_message_says() {
        let older = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "remember"}});
        assert_eq!(sent(&older, Some("2025-11-25")), [("mcp-protocol-version".to_owned(), "2025-11-25".to_owned())]);
        let newer = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "remember", "_meta": {VERSION: "2026-07-28"}}});
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            sent(&newer, None),
            [pair("mcp-protocol-version", "2026-07-28"), pair("mcp-method", "tools/call"), pair("mcp-name", "remember")]
        );
        assert!(sent(&json!({"method": "initialize"}), Some("2025-11-25")).is_empty());
    }

    #[test]
    fn a_refusal_becomes_an_error_of_the_request() {
        let answer = ServerAnswer { status: 401, body: br#"{"code":"unauthenticated","detail":"Send a valid key."}"#.to_vec() };
        let call = json!({"id": 7, "method": "tools/call", "params": {}});
        let told = read(&call, &answer).expect("an answer");
        assert_eq!((&told["id"], &told["result"]["isError"]), (&json!(7), &json!(true)));
        assert_eq!(told["result"]["content"][0]["text"], "Keepsake: Send a valid key.");
        let listing = read(&json!({"id": 8, "method": "tools/list"}), &answer).expect("an answer");
        assert_eq!(listing["error"]["code"], INTERNAL_ERROR);
        assert!(read(&json!({"method": "notifications/initialized"}), &answer).is_none(), "a notification has no answer");
        let accepted = ServerAnswer { status: 202, body: Vec::new() };
        assert!(read(&json!({"method": "notifications/initialized"}), &accepted).is_none());
        assert_eq!(read(&call, &accepted).expect("an answer")["id"], 7, "no request is left without one");
        let unread =
            ServerAnswer { status: 413, body: br#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}"#.to_vec() };
        assert_eq!(read(&call, &unread).expect("an answer")["id"], 7, "the id that the server could not read");
    }
}
