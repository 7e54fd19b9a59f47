//! `@modelcontextprotocol/server-memory`: a server that keeps entities with observations in one file, called by MCP on its
//! standard input and output.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout};

use crate::fixture::file;

const PROTOCOL: &str = "2025-06-18";

/// The installed package.
pub struct Package {
    folder: PathBuf,
    pub version: String,
}

impl Package {
    /// Installs the package, unless that was done before. `None`: it cannot be installed here.
    pub fn installed() -> Option<Self> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/memory-server.sh");
        let told = Command::new(script).stderr(Stdio::inherit()).output().expect("runs");
        if !told.status.success() {
            return None;
        }
        let folder = PathBuf::from(String::from_utf8(told.stdout).expect("a path").trim_end());
        let manifest: Value = serde_json::from_str(&file(folder.join("package.json").to_str()?)).expect("JSON");
        Some(Self { folder, version: manifest["version"].as_str()?.to_owned() })
    }

    /// Starts a server on this file.
    pub async fn start(&self, memory: &Path) -> MemoryServer {
        let mut command = tokio::process::Command::new("node");
        command.arg(self.folder.join("dist/index.js")).env("MEMORY_FILE_PATH", memory);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
        let mut child = command.spawn().expect("Node.js starts");
        let (ask, told) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        let mut server = MemoryServer { ask, told: BufReader::new(told).lines(), sent: 0, _child: child };
        let hello = json!({ "protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": { "name": "bench", "version": "1" } });
        let id = server.send("initialize", &hello).await;
        server.answers(&[id]).await;
        server.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        server
    }
}

/// A running server.
pub struct MemoryServer {
    ask: ChildStdin,
    told: Lines<BufReader<ChildStdout>>,
    sent: u64,
    _child: Child,
}

impl MemoryServer {
    async fn write(&mut self, message: &Value) {
        self.ask.write_all(format!("{message}\n").as_bytes()).await.expect("listens");
        self.ask.flush().await.expect("listens");
    }

    async fn send(&mut self, method: &str, params: &Value) -> u64 {
        self.sent += 1;
        let id = self.sent;
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).await;
        id
    }

    /// Reads the results of these requests; `None`: an error.
    async fn answers(&mut self, ids: &[u64]) -> Vec<Option<Value>> {
        let mut results: HashMap<u64, Option<Value>> = HashMap::new();
        while results.len() < ids.len() {
            let line = self.told.next_line().await.expect("read").expect("the memory server ended");
            let mut answer: Value = serde_json::from_str(&line).expect("JSON");
            if let Some(id) = answer["id"].as_u64() {
                let result = answer["result"].take();
                let failed = result.is_null() || result["isError"] == true;
                results.insert(id, (!failed).then_some(result));
            }
        }
        ids.iter().map(|id| results.remove(id).flatten()).collect()
    }

    /// Calls a tool with each of these arguments, without waiting in between. `None`: an error.
    pub async fn at_once(&mut self, tool: &str, arguments: &[Value]) -> Vec<Option<Value>> {
        let mut ids = Vec::with_capacity(arguments.len());
        for arguments in arguments {
            ids.push(self.send("tools/call", &json!({ "name": tool, "arguments": arguments })).await);
        }
        self.answers(&ids).await
    }

    /// Makes one call, which must succeed, and returns its result.
    pub async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.at_once(tool, &[arguments]).await.remove(0).unwrap_or_else(|| panic!("{tool} failed"));
        result["structuredContent"].clone()
    }
}
