//! Shared by the tests of chats: one user's calls over HTTP.

pub(super) mod commands;
mod history;
pub(super) mod notes;
pub(super) mod preferences;

use access::callers::Scope;
use serde_json::{Value, json};

use crate::fixture::Fixture;

/// One user, with a key that may name any user and has every scope.
pub struct Chat<'a> {
    pub fixture: &'a Fixture,
    pub key: String,
    pub user: &'static str,
}

impl<'a> Chat<'a> {
    pub async fn of(fixture: &'a Fixture, user: &'static str) -> Chat<'a> {
        Self { fixture, key: fixture.key(&Scope::ALL, None).await, user }
    }

    /// Sends a body with the user in it.
    pub async fn send(&self, method: &str, path: &str, mut body: Value) -> (u16, Value) {
        body["user_id"] = self.user.into();
        self.fixture.call(method, path, &self.key, Some(body)).await
    }

    pub async fn post(&self, path: &str, body: Value) -> (u16, Value) {
        self.send("POST", path, body).await
    }

    /// Reads; more of the query follows in `query`.
    pub async fn get(&self, path: &str, query: &str) -> (u16, Value) {
        self.fixture.call("GET", &format!("{path}?user_id={}{query}", self.user), &self.key, None).await
    }

    pub async fn delete(&self, path: &str) -> u16 {
        self.fixture.call("DELETE", &format!("{path}?user_id={}", self.user), &self.key, None).await.0
    }

    /// The answer to a line in Indonesian in the conversation `t1`.
    pub async fn says(&self, text: &str) -> Value {
        self.says_in("t1", text, "id").await
    }

    pub async fn says_in(&self, thread: &str, text: &str, language: &str) -> Value {
        let line = json!({ "surface": "telegram", "thread": thread, "text": text, "language": language });
        let (status, answer) = self.post("/v1/commands", line).await;
        assert_eq!(status, 200, "{text}: {answer}");
        answer
    }

    /// The words of the reply to a command.
    pub async fn reply(&self, text: &str) -> String {
        let answer = self.says(text).await;
        assert_eq!(answer["handled"], true, "{text}: {answer}");
        answer["reply"].as_str().expect("a reply").to_owned()
    }

    /// The texts of a list.
    pub async fn texts(&self, path: &str, query: &str) -> Vec<String> {
        let (status, answer) = self.get(path, query).await;
        assert_eq!(status, 200, "{answer}");
        let items = answer["items"].as_array().expect("a list");
        items.iter().map(|item| item["content"].as_str().expect("a text").to_owned()).collect()
    }

    /// Saves a personal memory.
    pub async fn learns(&self, content: &str) -> String {
        let (status, saved) = self.post("/v1/memories", json!({ "surface": "web", "content": content })).await;
        assert!(status == 201 || status == 200, "{saved}");
        saved["id"].as_str().expect("an id").to_owned()
    }

    pub async fn prefers(&self, content: &str, platform: Option<&str>) -> (u16, Value) {
        self.post("/v1/preferences", json!({ "content": content, "platform": platform })).await
    }
}

/// Whether any file of the data folder contains these bytes.
pub fn is_on_disk(fixture: &Fixture, text: &str) -> bool {
    let files = std::fs::read_dir(fixture.folder.path()).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut files = files.filter(|path| path.is_file());
    files.any(|path| memchr::memmem::find(&std::fs::read(path).expect("read"), text.as_bytes()).is_some())
}
