//! The messages of webhooks, in the document of the API.

use serde_json::{Value, json};

use domain::facts::rejection::Reason;
use domain::webhook::Event;

/// Adds every message that an address can ask for.
pub fn add(document: &mut Value) {
    for event in Event::ALL {
        let mut data = json!({ "id": { "type": "string", "description": "What it is about" } });
        match event {
            Event::FactRejected => {
                let codes = Reason::CANNED.map(Reason::as_str);
                data["reason"] = json!({ "type": "string", "enum": codes, "description": "Why, if the operator chose a reason" });
            }
            Event::ErasureFinished => data["status"] = json!({ "type": "string", "enum": ["verified", "partial"] }),
            _ => {}
        }
        let body = json!({
            "type": "object",
            "required": ["type", "timestamp", "data"],
            "properties": {
                "type": { "type": "string", "const": event.as_str() },
                "timestamp": { "type": "string", "format": "date-time" },
                "data": { "type": "object", "required": ["id"], "properties": data },
            },
        });
        document["webhooks"][event.as_str()] = json!({
            "post": {
                "summary": event.words(),
                "description": "Signed as Standard Webhooks describes it. It holds no text and no user.",
                "requestBody": { "required": true, "content": { "application/json": { "schema": body } } },
                "responses": { "2XX": { "description": "It has arrived" } },
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::value;
    use super::*;

    #[test]
    fn every_message_is_described_and_a_rejection_may_say_why() {
        let hooks = value()["webhooks"].as_object().expect("listed");
        assert_eq!(hooks.len(), Event::ALL.len());
        let of =
            |event: Event| &hooks[event.as_str()]["post"]["requestBody"]["content"]["application/json"]["schema"]["properties"];
        assert_eq!(of(Event::FactRejected)["data"]["properties"]["reason"]["enum"][2], "wrong");
        assert!(of(Event::FactApproved)["data"]["properties"]["reason"].is_null());
    }
}
