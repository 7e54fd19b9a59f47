//! Inputs of a pipeline's memory blocks: the name of a store, a template for the output, and the commands of a chat.

use super::limits::Limit;
use crate::blocks::{BlockPath, PIPELINES, is_pipeline};
use crate::erasure::people::UserId;
use crate::problem::Problem;

/// Placeholder for the instance that a key is bound to.
const OWN: &str = "${pipeline_uid}";
/// Default kind of a record.
pub const KIND: &str = "observation";
/// Maximum size of the output of a template.
pub const OUTPUT_BYTES: Limit = Limit {
    what: "Bytes of the output",
    max: 32 << 20,
    then: "Shorten `output_template`, or ask for fewer records with `kind`, `scope` or `source`.",
};

/// The name of a store of a pipeline: `instances/<uid>/<alias>`.
#[derive(Clone, PartialEq, Eq)]
pub struct MemoryId {
    /// `instances/<uid>`.
    pub user: UserId,
    pub alias: String,
    /// The full name, with the instance filled in.
    pub whole: String,
}

impl MemoryId {
    /// Parses a name. `own`: the only instance that may be named. `None`: the name is invalid, or another instance's.
    #[must_use]
    pub fn read(text: &str, own: Option<&UserId>) -> Option<Self> {
        let uid = own.filter(|own| is_pipeline(own)).and_then(|own| own.as_str().strip_prefix(PIPELINES));
        let whole = match uid {
            Some(uid) => text.replace(OWN, uid),
            None => text.to_owned(),
        };
        // Path rules: no segment that is empty or `..`, and no invisible characters.
        BlockPath::new(format!("/{whole}")).ok()?;
        let (uid, alias) = whole.strip_prefix(PIPELINES)?.split_once('/')?;
        if alias.contains('/') || whole.contains(['\\', '$']) || [uid, alias].iter().any(|part| part.trim() != *part) {
            return None;
        }
        let user = UserId::new(format!("{PIPELINES}{uid}")).ok()?;
        if own.is_some_and(|own| *own != user) {
            return None;
        }
        let alias = alias.to_owned();
        Some(Self { user, alias, whole })
    }
}

/// A record as a template sees it.
pub struct Filled<'a> {
    pub guid: &'a str,
    pub scope: &'a str,
    pub kind: &'a str,
    pub content: &'a str,
    pub source: &'a str,
    /// Separated by commas.
    pub tags: &'a str,
}

impl Filled<'_> {
    fn token(&self, name: &str) -> Option<&str> {
        match name {
            "guid" => Some(self.guid),
            "scope" => Some(self.scope),
            "kind" => Some(self.kind),
            "content" => Some(self.content),
            "source" => Some(self.source),
            "tags" => Some(self.tags),
            _ => None,
        }
    }
}

/// Appends the template with its tokens replaced. Inserted text is not expanded again; unknown tokens stay as they are.
pub fn fill(output: &mut String, template: &str, record: &Filled<'_>) -> Result<(), Problem> {
    let mut rest = template;
    while let Some(at) = rest.find("{{") {
        output.push_str(&rest[..at]);
        rest = &rest[at..];
        let token = rest[2..].split_once("}}").and_then(|(name, after)| Some((record.token(name)?, after)));
        if let Some((value, after)) = token {
            output.push_str(value);
            rest = after;
        } else {
            // One bracket only: the next one may open a token.
            output.push('{');
            rest = &rest[1..];
        }
        OUTPUT_BYTES.check(output.len() as u64)?;
    }
    output.push_str(rest);
    OUTPUT_BYTES.check(output.len() as u64)
}

/// A command of a chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PipelineVerb {
    Write,
    Read,
    Search,
    Delete,
}

/// Splits a line into its command and the rest. `None`: the line is none of the four.
#[must_use]
pub fn command(line: &str) -> Option<(PipelineVerb, &str)> {
    let verbs = [
        ("/write", PipelineVerb::Write),
        ("/read", PipelineVerb::Read),
        ("/search", PipelineVerb::Search),
        ("/delete", PipelineVerb::Delete),
    ];
    verbs.into_iter().find_map(|(word, verb)| {
        let rest = line.strip_prefix(word)?;
        (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| (verb, rest.trim_start()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(id: &str) -> UserId {
        UserId::new(id).expect("valid")
    }

    #[test]
    fn a_memory_id_names_an_instance_and_its_store() {
        let read = |text: &str| MemoryId::read(text, None).expect(text);
        let id = read("instances/a3d8f1b2/memories");
        assert_eq!((id.user.as_str(), id.alias.as_str()), ("instances/a3d8f1b2", "memories"));
        assert_eq!(read("instances/a/a.b").alias, "a.b");
        assert_eq!(read("instances/a/day log").alias, "day log");
    }

    #[test]
    fn the_token_is_the_bound_instance_and_nobody_names_another() {
        let own = user("instances/a3d8f1b2");
        let read = |text: &str| MemoryId::read(text, Some(&own)).map(|id| id.whole);
        assert_eq!(read("instances/${pipeline_uid}/memories").as_deref(), Some("instances/a3d8f1b2/memories"));
        assert_eq!(read("instances/a3d8f1b2/memories").as_deref(), Some("instances/a3d8f1b2/memories"));
        assert_eq!(read("instances/a3d8f1b3/memories"), None);
        assert_eq!(MemoryId::read("instances/${pipeline_uid}/memories", None).map(|id| id.whole), None, "nobody is bound");
        let anna = user("anna");
        assert_eq!(MemoryId::read("instances/a/memories", Some(&anna)).map(|id| id.whole), None);
        assert_eq!(MemoryId::read("instances/${pipeline_uid}/memories", Some(&anna)).map(|id| id.whole), None);
    }

    #[test]
    fn what_is_no_memory_id_is_refused() {
        for bad in [
            "",
            "memories",
            "instances",
            "instances/",
            "instances/a",
            "instances/a/",
            "instances//memories",
            "instances/a//memories",
            "/instances/a/memories",
            "instances/a/memories/",
            "instances/a/b/c",
            "instances/../memories",
            "instances/a/..",
            "instances/a/../../b",
            "instances/./memories",
            "../instances/a/memories",
            "Instances/a/memories",
            "users/a/memories",
            "instances\\a\\memories",
            "instances/a/..\\b",
            "instances/a/\u{202e}b",
            "instances/a/b\n",
            "instances/ a/memories",
            "instances/a/ ",
            "instances/${other}/memories",
            "instances/a/cafe\u{301}",
        ] {
            assert!(MemoryId::read(bad, None).is_none(), "{bad:?}");
        }
        assert!(MemoryId::read(&format!("instances/{}/memories", "a".repeat(200)), None).is_none());
    }

    #[test]
    fn a_token_in_a_content_is_not_expanded_again_and_unknown_ones_stay() {
        let record = Filled { guid: "mem_1", scope: "s", kind: "k", content: "{{kind}} {{guid}}", source: "", tags: "a,b" };
        let filled = |template: &str| {
            let mut output = String::new();
            fill(&mut output, template, &record).expect("short");
            output
        };
        for (template, expected) in [
            ("", ""),
            ("plain", "plain"),
            ("{{content}}\n", "{{kind}} {{guid}}\n"),
            ("{{guid}}|{{scope}}|{{kind}}|{{source}}|{{tags}}", "mem_1|s|k||a,b"),
            ("{{unknown}} {{kind}}", "{{unknown}} k"),
            ("{{ kind }}", "{{ kind }}"),
            ("{{{kind}}}", "{k}"),
            ("{{kind", "{{kind"),
            ("}}{{kind}}{{", "}}k{{"),
            ("{{é}}", "{{é}}"),
        ] {
            assert_eq!(filled(template), expected, "{template}");
        }
    }

    #[test]
    fn an_output_does_not_grow_without_end() {
        let content = "x".repeat(100_000);
        let record = Filled { guid: "", scope: "", kind: "", content: &content, source: "", tags: "" };
        let told = fill(&mut String::new(), &"{{content}}".repeat(400), &record).expect_err("too much").to_string();
        assert!(told.contains("Shorten `output_template`"), "{told}");
    }

    #[test]
    fn a_line_of_a_chat_is_a_command_or_is_none() {
        for (line, expected) in [
            ("/write The meeting is at 3pm", Some((PipelineVerb::Write, "The meeting is at 3pm"))),
            ("/write  two\nlines ", Some((PipelineVerb::Write, "two\nlines "))),
            ("/write", Some((PipelineVerb::Write, ""))),
            ("/write /delete x", Some((PipelineVerb::Write, "/delete x"))),
            ("/read", Some((PipelineVerb::Read, ""))),
            ("/read all of it", Some((PipelineVerb::Read, "all of it"))),
            ("/search blue sky", Some((PipelineVerb::Search, "blue sky"))),
            ("/delete mem_1", Some((PipelineVerb::Delete, "mem_1"))),
            ("/writes x", None),
            ("/Write x", None),
            (" /write x", None),
            ("write x", None),
            ("/append x", None),
            ("", None),
        ] {
            assert_eq!(command(line), expected, "{line}");
        }
    }
}
