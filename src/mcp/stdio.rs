//! One client on standard input and output.
//!
//! The library's own transport leaves a line that it cannot read without an answer, and stops at the end of the input while some
//! requests are still being handled. This one answers every request.

use std::io;
use std::time::Duration;

use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage, ServerJsonRpcMessage};
use rmcp::service::ServerInitializeError;
use rmcp::transport::Transport;
use rmcp::{RoleServer, ServiceExt};
use tokio::sync::{mpsc, watch};

use super::Server;
use super::lines::{Lines, answering};

/// Messages that were read and not yet handled.
const AHEAD: usize = 64;
/// How long the end of the input waits for the answers to what was asked before.
const ANSWERED_WITHIN: Duration = Duration::from_secs(30);

/// Serves one client until it closes its end, and answers what it has asked until then.
pub async fn on_stdio(server: Server) -> io::Result<()> {
    let (answers, writing) = answering();
    let (ahead, messages) = mpsc::channel(AHEAD);
    let reading = tokio::spawn(read(answers.clone(), ahead));
    let ended = match server.serve(StdioClient { messages, answers, open: watch::Sender::new(0) }).await {
        Ok(running) => running.waiting().await.map(drop).map_err(io::Error::other),
        // The client went before it had said anything.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(failed) => Err(io::Error::other(failed)),
    };
    if ended.is_err() {
        reading.abort();
    } else {
        reading.await.map_err(io::Error::other)??;
    }
    writing.await.map_err(io::Error::other)??;
    ended
}

/// Reads messages and answers lines that are none. What comes before the first request is passed over: it can be about nothing.
async fn read(answers: mpsc::Sender<String>, ahead: mpsc::Sender<ClientJsonRpcMessage>) -> io::Result<()> {
    let (mut lines, mut begun) = (Lines::of(tokio::io::stdin()), false);
    while let Some(message) = lines.next().await? {
        let sent = match message.map(serde_json::from_value::<ClientJsonRpcMessage>) {
            Ok(Ok(message)) => {
                begun |= matches!(message, JsonRpcMessage::Request(_));
                !begun || ahead.send(message).await.is_ok()
            }
            // An answer of the client to nothing that was asked.
            Ok(Err(_)) => true,
            Err(answer) => answers.send(answer.to_string()).await.is_ok(),
        };
        if !sent {
            break;
        }
    }
    Ok(())
}

/// The two ends of a client, and how many of its requests wait for their answer.
struct StdioClient {
    messages: mpsc::Receiver<ClientJsonRpcMessage>,
    answers: mpsc::Sender<String>,
    open: watch::Sender<u64>,
}

impl Transport<RoleServer> for StdioClient {
    type Error = io::Error;

    fn send(&mut self, message: ServerJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let (answers, open) = (self.answers.clone(), self.open.clone());
        async move {
            let line = serde_json::to_string(&message)?;
            let sent = answers.send(line).await.map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe));
            if matches!(message, JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_)) {
                open.send_modify(|open| *open = open.saturating_sub(1));
            }
            sent
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        let Some(message) = self.messages.recv().await else {
            // A request that the client took back is never answered, so the wait has an end.
            let _ = tokio::time::timeout(ANSWERED_WITHIN, self.open.subscribe().wait_for(|open| *open == 0)).await;
            return None;
        };
        if matches!(message, JsonRpcMessage::Request(_)) {
            self.open.send_modify(|open| *open += 1);
        }
        Some(message)
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}
