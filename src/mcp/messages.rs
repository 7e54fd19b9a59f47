//! Messages as clients send them: bytes become a message of the protocol, or the error that answers them.
//!
//! Clients differ: some write the arguments of a tool as a text, some a number as `5.0`. What can be understood is put into the form
//! that the protocol describes. What cannot be is answered with an error, and with the id of the request wherever that can be read:
//! a client without an answer waits until its own time is over.

use std::fmt;

use rmcp::model::{ClientJsonRpcMessage, ClientRequest, JsonRpcMessage};
use serde::Deserializer;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value, json};

use crate::api::BODY_MAX_BYTES;
use domain::loose::Whole;

/// The codes of JSON-RPC.
const PARSE_ERROR: i32 = -32_700;
pub const INVALID_REQUEST: i32 = -32_600;
const INVALID_PARAMS: i32 = -32_602;
/// Names the version in each request, in the versions of the protocol that have no `initialize`.
const VERSION_OF_EACH: &str = "/_meta/io.modelcontextprotocol~1protocolVersion";
/// Some programs begin a text with it.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";
/// The requests that are served, and what their `params` are.
const REQUESTS: [(&str, &str); 5] = [
    ("initialize", r#"{"protocolVersion": …, "capabilities": {}, "clientInfo": {"name": …, "version": …}}"#),
    ("ping", "left out"),
    ("server/discover", r#"left out, but for "_meta""#),
    ("tools/list", r#"left out, or {"cursor": …}"#),
    ("tools/call", r#"{"name": …, "arguments": {…}}"#),
];

/// A message in the form of the protocol; or the answer to what is none, which is an error, or a list of them.
pub fn read(bytes: &[u8]) -> Result<Value, Value> {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    let message = serde_json::from_slice(bytes).map_err(|fault| {
        let said = format!("This is not valid JSON in UTF-8 ({fault}). Send one whole message of JSON-RPC 2.0.");
        refusal(&id_in(bytes), PARSE_ERROR, &said)
    })?;
    match message {
        Value::Object(message) => understood(message),
        Value::Array(messages) => Err(refused_each(&messages)),
        _ => Err(refusal(&Value::Null, INVALID_REQUEST, "Send a JSON object: one message of JSON-RPC 2.0.")),
    }
}

/// The answer to a message that is too long to be read, of which these are the first bytes.
pub fn too_long(beginning: &[u8]) -> Value {
    let said = format!("The message is longer than {BODY_MAX_BYTES} bytes. Send a shorter one.");
    refusal(&id_in(beginning), INVALID_REQUEST, &said)
}

/// An error that answers a request.
pub fn refusal(id: &Value, code: i32, said: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": said}})
}

fn understood(mut message: Map<String, Value>) -> Result<Value, Value> {
    // What answers a request of the server is none itself, so it gets no answer.
    if message.contains_key("result") || message.contains_key("error") {
        return Ok(Value::Object(message));
    }
    let id = message.get("id").cloned();
    let told = id.clone().filter(|id| id.is_string() || id.is_number()).unwrap_or_default();
    let refused = |code, said: &str| refusal(&told, code, said);
    if message.get("jsonrpc").is_none_or(|version| version != "2.0") {
        return Err(refused(INVALID_REQUEST, r#"Send `"jsonrpc": "2.0"` in every message."#));
    }
    let Some(method) = message.get("method").and_then(Value::as_str).map(str::to_owned) else {
        return Err(refused(INVALID_REQUEST, "Send the name of a method as `method`."));
    };
    if let Some(id) = id.filter(|id| !id.is_string()) {
        let number = id.is_number().then(|| serde_json::from_value::<Whole>(id).ok()).flatten();
        let Some(Whole(number)) = number else {
            return Err(refused(INVALID_REQUEST, "Send the `id` as a text or a whole number."));
        };
        message.insert("id".to_owned(), number.into());
    }
    if message.get("params").is_some_and(Value::is_null) {
        message.shift_remove("params");
    }
    if method == "tools/call" && !take_arguments(&mut message) {
        return Err(refused(INVALID_PARAMS, "Send `arguments` as a JSON object."));
    }
    let names_version = message.get("params").is_some_and(|params| params.pointer(VERSION_OF_EACH).is_some());
    let is_served = message.contains_key("id") && !(method == "initialize" && names_version);
    let message = Value::Object(message);
    let parsed = serde_json::from_value::<ClientJsonRpcMessage>(message.clone());
    // Parameters that do not fit make a request look like one that nobody knows.
    let is_known = match &parsed {
        Ok(JsonRpcMessage::Request(request)) => !matches!(request.request, ClientRequest::CustomRequest(_)),
        Ok(_) => true,
        Err(_) => false,
    };
    match (parsed, REQUESTS.iter().find(|(name, _)| is_served && *name == method)) {
        (_, Some((name, params))) if !is_known => {
            Err(refused(INVALID_PARAMS, &format!("The `params` of `{name}` cannot be read; they are {params}.")))
        }
        (Ok(_), _) => Ok(message),
        (Err(_), _) => {
            Err(refused(INVALID_REQUEST, "This is no message of the Model Context Protocol; send a request or a notification."))
        }
    }
}

/// Reads the arguments of a call that were written as a text. `false`: they are no object.
fn take_arguments(message: &mut Map<String, Value>) -> bool {
    let Some(arguments) = message.get_mut("params").and_then(|params| params.get_mut("arguments")) else { return true };
    if let Value::String(text) = arguments {
        *arguments = match text.trim() {
            "" => Value::Null,
            text => serde_json::from_str(text).unwrap_or(Value::Bool(false)),
        };
    }
    arguments.is_object() || arguments.is_null()
}

/// Several messages in a list were part of one version of the protocol.
fn refused_each(messages: &[Value]) -> Value {
    let said = "Send one message at a time, not a list of them.";
    let ids = messages.iter().filter_map(|message| message.get("id")).filter(|id| id.is_string() || id.is_number());
    let errors: Vec<Value> = ids.map(|id| refusal(id, INVALID_REQUEST, said)).collect();
    if errors.is_empty() { refusal(&Value::Null, INVALID_REQUEST, said) } else { errors.into() }
}

/// The id of a message that cannot be read as a whole, if it stands before the fault, or the fault is in a text. Else null.
fn id_in(bytes: &[u8]) -> Value {
    let mut id = Value::Null;
    // It ends where the fault is.
    let _ = serde_json::Deserializer::from_slice(bytes).deserialize_map(Seeking(&mut id));
    if id.is_string() || id.is_number() { id } else { Value::Null }
}

/// Looks at an object for its id and passes over everything else, whatever is in it.
struct Seeking<'a>(&'a mut Value);

impl<'de> Visitor<'de> for Seeking<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            if name == "id" {
                *self.0 = map.next_value()?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(bytes: &[u8]) -> (Value, i64) {
        let answer = read(bytes).expect_err("refused");
        assert!(answer["error"]["message"].as_str().is_some_and(|said| said.ends_with('.')), "{answer}");
        (answer["id"].clone(), answer["error"]["code"].as_i64().expect("a code"))
    }

    #[test]
    fn what_cannot_be_read_is_answered_with_its_id_wherever_that_is() {
        let call = r#""method":"tools/call","params":{"name":"remember","arguments":{"content":"cut \udc12 off"}}"#;
        for (message, id, code) in [
            (format!(r#"{{"jsonrpc":"2.0","id":31,{call}}}"#).into_bytes(), json!(31), PARSE_ERROR),
            (format!(r#"{{"jsonrpc":"2.0",{call},"id":"x-1"}}"#).into_bytes(), json!("x-1"), PARSE_ERROR),
            (b"{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"ping\",\"x\":\"caf\xe9\"}".to_vec(), json!(4), PARSE_ERROR),
            (br#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"na"#.to_vec(), json!(5), PARSE_ERROR),
            (b"\xff\xfe".to_vec(), Value::Null, PARSE_ERROR),
            (b"hello".to_vec(), Value::Null, PARSE_ERROR),
            (b"7".to_vec(), Value::Null, INVALID_REQUEST),
            (br#"{"jsonrpc":"2.0","id":6.25,"method":"ping"}"#.to_vec(), json!(6.25), INVALID_REQUEST),
            (br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#.to_vec(), Value::Null, INVALID_REQUEST),
            (br#"{"jsonrpc":"2.0","id":[7],"method":"ping"}"#.to_vec(), Value::Null, INVALID_REQUEST),
            (br#"{"id":8,"method":"ping"}"#.to_vec(), json!(8), INVALID_REQUEST),
            (br#"{"jsonrpc":"2.0","id":9}"#.to_vec(), json!(9), INVALID_REQUEST),
            (br#"{"jsonrpc":"2.0","id":10,"method":"tools/call"}"#.to_vec(), json!(10), INVALID_PARAMS),
            (br#"{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":7}}"#.to_vec(), json!(11), INVALID_PARAMS),
            (
                br#"{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"remember","arguments":"tea"}}"#.to_vec(),
                json!(12),
                INVALID_PARAMS,
            ),
            (br#"{"jsonrpc":"2.0","id":15,"method":"tools/list","params":[]}"#.to_vec(), json!(15), INVALID_PARAMS),
            (br#"{"jsonrpc":"2.0","id":13,"method":"initialize","params":{}}"#.to_vec(), json!(13), INVALID_PARAMS),
        ] {
            assert_eq!(answer(&message), (id, i64::from(code)), "{}", String::from_utf8_lossy(&message));
        }
        let each = read(br#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"},{"id":"b"}]"#)
            .expect_err("refused");
        assert_eq!((&each[0]["id"], &each[1]["id"], each.as_array().map(Vec::len)), (&json!(1), &json!("b"), Some(2)));
        assert_eq!(too_long(br#"{"id":14,"params":{"text":"aaaa"#)["id"], 14);
    }

    #[test]
    fn what_clients_write_in_their_own_way_is_put_into_the_form_of_the_protocol() {
        let read = |text: &str| read(text.as_bytes()).expect("understood");
        let call = |id: &str, arguments: &str| {
            let params = format!(r#"{{"name":"recall_memory","arguments":{arguments}}}"#);
            read(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#))
        };
        assert_eq!(call("1", r#""{\"query\":\"tea\"}""#)["params"]["arguments"], json!({"query": "tea"}));
        assert_eq!(call("1", r#""""#)["params"]["arguments"], Value::Null);
        assert_eq!(call("3.0", "{}")["id"].to_string(), "3");
        let list = read("\u{feff}{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"tools/list\",\"params\":null}");
        assert_eq!(list, json!({"jsonrpc": "2.0", "id": "a", "method": "tools/list"}));
        for kept in [
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            json!({"jsonrpc": "2.0", "id": 1, "method": "nothing/known", "params": {"a": 1}}),
            json!({"jsonrpc": "2.0", "id": 1, "method": "initialize",
                "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}}),
            json!({"jsonrpc": "2.0", "id": 1, "result": {}}),
            json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32_700, "message": "x"}}),
        ] {
            assert_eq!(read(&kept.to_string()), kept, "answered by the server, or by nobody");
        }
    }
}
