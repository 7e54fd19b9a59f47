//! The program as a served process, called over HTTP.

use std::net::SocketAddr;
use std::process::Stdio;

use serde_json::Value;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

/// A server with a data folder of its own. It stops when dropped.
pub struct Served {
    key: String,
    address: SocketAddr,
    _child: Child,
    _folder: TempDir,
}

/// A connection that stays open from one request to the next. The server ends one that is idle, and then it is opened again.
pub struct Line {
    stream: BufReader<TcpStream>,
    address: SocketAddr,
    head: String,
}

async fn open(address: SocketAddr) -> BufReader<TcpStream> {
    let stream = TcpStream::connect(address).await.expect("listens");
    stream.set_nodelay(true).expect("set");
    BufReader::new(stream)
}

impl Served {
    pub async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let site = folder.path().join("site");
        std::fs::create_dir_all(site.join("pkg")).expect("made");
        let command = || {
            let mut command = Command::new(env!("CARGO_BIN_EXE_keepsake"));
            command
                .env("KEEPSAKE_DATA_DIR", folder.path().join("data"))
                .env("KEEPSAKE_LISTEN", "127.0.0.1:0")
                .env("KEEPSAKE_LOG", "error")
                .env("KEEPSAKE_RATE_LIMIT", "1000000")
                .env("KEEPSAKE_REHEARSE_HOUR", "never")
                .env("LEPTOS_SITE_ROOT", &site)
                .env_remove("KEEPSAKE_DATABASE_URL");
            command
        };
        let added = command().args(["key", "add", "bench", "--scope", "read,write"]).output().await.expect("runs");
        assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));
        let added: Value = serde_json::from_slice(&added.stdout).expect("JSON");
        let key = added["key"].as_str().expect("a key").to_owned();
        let mut server = command();
        server.arg("serve").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut child = server.spawn().expect("starts");
        let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines();
        let address = loop {
            let line = lines.next_line().await.expect("read").expect("the server ended");
            if let Some((_, address)) = line.split_once("Keepsake is at http://") {
                break address.parse().expect("an address");
            }
        };
        // Its further output is read, so that it never blocks on a full pipe.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Self { key, address, _child: child, _folder: folder }
    }

    /// Opens a connection for the calls of this user.
    pub async fn line(&self, user: &str) -> Line {
        let head = format!(
            "host: {}\r\nauthorization: Bearer {}\r\nx-keepsake-user: {user}\r\ncontent-type: application/json\r\n",
            self.address, self.key
        );
        Line { stream: open(self.address).await, address: self.address, head }
    }
}

impl Line {
    /// Status and body of an answer.
    pub async fn ask(&mut self, method: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
        let body = body.map(Value::to_string).unwrap_or_default();
        let request = format!("{method} {path} HTTP/1.1\r\n{}content-length: {}\r\n\r\n{body}", self.head, body.len());
        // Between two answers, only the end of the connection can be read.
        if matches!(self.stream.get_ref().try_read(&mut [0]), Ok(0)) {
            self.stream = open(self.address).await;
        }
        self.stream.write_all(request.as_bytes()).await.expect("sent");
        let (mut status, mut length) = (0, 0);
        let mut line = String::new();
        while line != "\r\n" {
            line.clear();
            assert!(self.stream.read_line(&mut line).await.expect("read") > 0, "the server hung up");
            if line.starts_with("HTTP/1.1 ") {
                status = line[9..12].parse().expect("a status");
            } else if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().expect("a length");
            }
        }
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes).await.expect("read");
        (status, serde_json::from_slice(&bytes).expect("JSON"))
    }

    /// Returns the body of an answer, which must have the status 200.
    pub async fn done(&mut self, method: &str, path: &str, body: Option<&Value>) -> Value {
        let (status, answer) = self.ask(method, path, body).await;
        assert_eq!(status, 200, "{method} {path}: {answer}");
        answer
    }
}
