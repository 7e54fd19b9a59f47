//! Commands to the memory in languages that are not read otherwise: to remember a statement, or to forget something.
//!
//! `commands.toml` lists the words of each language; one function makes patterns of them. Kept text stays as it was written,
//! because these languages cannot be put into the third person here.

use std::sync::LazyLock;

use regex::{Captures, Regex, RegexBuilder};
use serde::Deserialize;

use crate::forget::Forget;

/// A command to the memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// Keep this, as it was written; `None`: the statement before.
    Remember(Option<String>),
    Forget(Forget),
}

/// The words of one language; `commands.toml` says what each list is.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Words {
    code: String,
    spaced: Option<bool>,
    polite: Vec<String>,
    remember: Vec<String>,
    remind: Vec<String>,
    remind_that: Option<Vec<String>>,
    this: Vec<String>,
    that: Vec<String>,
    begins: Vec<String>,
    says: Vec<String>,
    shapes: Vec<String>,
    remind_shapes: Vec<String>,
    forget: Vec<String>,
    delete: Vec<String>,
    about: Vec<String>,
    told: Vec<String>,
    forget_shapes: Vec<String>,
    delete_shapes: Vec<String>,
    all: Vec<String>,
    me: Vec<String>,
    my: Vec<String>,
    not: Vec<String>,
    secret: Vec<String>,
    must: Vec<String>,
    must_not: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Table {
    language: Vec<Words>,
}

/// The patterns of one language.
struct Language {
    #[cfg(test)]
    words: Words,
    /// Any of its verbs: without one, no pattern is tried.
    verbs: Regex,
    remember: Vec<Regex>,
    /// Only the verb, possibly with a word that points back.
    alone: Regex,
    forget: Vec<Regex>,
    this: Regex,
    me: Regex,
    my: Regex,
    not: Regex,
    says: Regex,
    secret: Regex,
}

static LANGUAGES: LazyLock<Vec<Language>> = LazyLock::new(|| {
    let table: Table = toml::from_str(include_str!("../commands.toml")).unwrap_or_else(|error| panic!("{error}"));
    table.language.into_iter().map(Language::new).collect()
});

/// Parses a sentence as a command in one of these languages.
pub fn said(sentence: &str) -> Option<Said> {
    let sentence = sentence.trim();
    LANGUAGES.iter().find_map(|language| language.said(sentence))
}

/// Pattern that matches any of these words or patterns; with none, it matches nothing.
fn any(words: &[String]) -> String {
    if words.is_empty() { r"[^\s\S]".to_owned() } else { format!("(?:{})", words.join("|")) }
}

fn compile(pattern: &str) -> Regex {
    RegexBuilder::new(pattern).case_insensitive(true).build().unwrap_or_else(|error| panic!("{pattern}: {error}"))
}

impl Language {
    #[cfg_attr(not(test), expect(clippy::needless_pass_by_value, reason = "tests keep the words"))]
    fn new(words: Words) -> Self {
        let spaced = words.spaced.unwrap_or(true);
        // Gaps between two words, and after one that may end in an apostrophe.
        let (gap, after) = if spaced { (r"\s+", r"(?:\s+|\b)") } else { (r"\s*", r"\s*") };
        let [polite, remember, remind, this, that] =
            [&words.polite, &words.remember, &words.remind, &words.this, &words.that].map(|list| any(list));
        let [begins, forget, delete, about, told, all, me] =
            [&words.begins, &words.forget, &words.delete, &words.about, &words.told, &words.all, &words.me].map(|list| any(list));
        let errand = any(words.remind_that.as_ref().unwrap_or(&words.that));
        let open = format!(r"^(?:{polite}\s*[,，،、]?{gap})*");
        let tail = format!(r"(?:\s*[,，،、]?{gap}{polite})*[\s.,!。！،]*$");
        let soft = format!("(?:{gap}{polite})*");
        let this_too = format!(r"(?:(?:{gap}|-)?{this})?");
        let follows = |that: &str| format!(r"\s*[,،]?{gap}{that}{after}");
        let (that_follows, errand_follows) = (follows(&that), follows(&errand));
        let rest = "(?P<rest>.+?)";
        let mut kept = vec![
            format!(
                r"{open}(?:{this}{gap})?{remember}{soft}{this_too}(?:(?:\s*[:：,，،、]\s*|\s+[–—-]\s+)(?:{that}{after})?|{that_follows}){rest}{tail}"
            ),
            format!(r"{open}(?:{this}{gap})?{remind}{soft}{this_too}(?:\s*[:：]\s*|{errand_follows}){rest}{tail}"),
            format!(r"{open}(?:{remember}|{remind}){soft}[,，،]?{gap}(?P<rest>{begins}.+?){tail}"),
        ];
        let at_the_end = |shapes: &[String], verb: &str| -> Vec<String> {
            shapes.iter().map(|shape| format!("{open}{shape}{verb}{tail}")).collect()
        };
        kept.extend(at_the_end(&words.shapes, &remember));
        kept.extend(at_the_end(&words.remind_shapes, &remind));
        kept.push(format!(r"^{rest}\s*[,，،、;；–—]\s*(?:{polite}{gap})*{remember}{this_too}{tail}"));
        let told = format!(r"(?:\s*,?{gap}{told}|{told})?");
        let mut gone = vec![
            format!(r"{open}(?:{forget}|{delete}){soft}{gap}(?P<all>{all})(?:\s*,?{gap}{about}{after}{me})?{told}{tail}"),
            format!(r"{open}(?:{forget}|{delete}){soft}{gap}(?P<all>{all})\s*,?{gap}{about}{after}{rest}{told}{tail}"),
            format!(r"{open}(?:{forget}|{delete}){soft}\s*,?{gap}{about}{after}{rest}的(?P<all>{all}){tail}"),
            format!(r"{open}(?:{forget}|{delete}){soft}\s*,?{gap}{about}{after}{rest}{told}{tail}"),
            format!(r"{open}{forget}{soft}{gap}(?P<rest>[^,;，；،、]+?){tail}"),
        ];
        gone.extend(at_the_end(&words.forget_shapes, &forget));
        gone.extend(at_the_end(&words.delete_shapes, &delete));
        let edge = |list: &[String]| {
            let word = any(list);
            compile(&if spaced { format!(r"^{word}\b|(?:^|\s){word}\W*$") } else { format!(r"^{word}|{word}\W*$") })
        };
        let all = |patterns: Vec<String>| patterns.iter().map(|pattern| compile(pattern)).collect();
        Self {
            verbs: compile(&[&remember, &remind, &forget, &delete].map(String::as_str).join("|")),
            remember: all(kept),
            alone: compile(&format!("{open}(?:{this}[をは]?{gap})?{remember}{this_too}{tail}")),
            forget: all(gone),
            this: compile(&format!("^{this}[をは]?$")),
            me: compile(&format!("^{me}$")),
            my: compile(&format!("^{}", any(&words.my))),
            not: edge(&words.not),
            says: compile(&format!(r"{}\W*$", any(&words.says))),
            secret: compile(&any(&words.secret)),
            #[cfg(test)]
            words,
        }
    }

    fn said(&self, sentence: &str) -> Option<Said> {
        if !self.verbs.is_match(sentence) {
            return None;
        }
        if self.alone.is_match(sentence) {
            return Some(Said::Remember(None));
        }
        let kept = self.remember.iter().find_map(|pattern| pattern.captures(sentence));
        if let Some(rest) = kept.as_ref().and_then(rest) {
            let is_statement = !self.this.is_match(rest) && !self.says.is_match(rest);
            return (is_statement && !self.secret.is_match(rest)).then(|| Said::Remember(Some(rest.to_owned())));
        }
        let found = self.forget.iter().find_map(|pattern| pattern.captures(sentence))?;
        let all = found.name("all").is_some();
        let wish = match rest(&found) {
            None if all || found.name("every").is_some() => Forget::Everything,
            None => return None,
            Some(topic) if self.me.is_match(topic) => Forget::Everything,
            Some(topic) if self.this.is_match(topic) || self.not.is_match(topic) => return None,
            Some(topic) => {
                let end = self.my.find(topic).map_or(0, |my| my.end());
                let topic = Some(&topic[end..]).filter(|rest| !rest.is_empty()).unwrap_or(topic).to_owned();
                if all { Forget::Every(topic) } else { Forget::About(topic) }
            }
        };
        Some(Said::Forget(wish))
    }
}

fn rest<'t>(found: &Captures<'t>) -> Option<&'t str> {
    let rest = found.name("rest")?.as_str().trim_matches(|c: char| c.is_whitespace() || ".,:;!，。！、：；،«»\"".contains(c));
    (!rest.is_empty()).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(said: Option<Said>) -> String {
        match said {
            None => "nothing".to_owned(),
            Some(Said::Remember(None)) => "+".to_owned(),
            Some(Said::Remember(Some(text))) => format!("+ {text}"),
            Some(Said::Forget(Forget::Everything)) => "- everything".to_owned(),
            Some(Said::Forget(Forget::Every(topic))) => format!("- all of {topic}"),
            Some(Said::Forget(Forget::About(topic))) => format!("- {topic}"),
            Some(Said::Forget(Forget::Last { .. })) => "- last".to_owned(),
        }
    }

    #[test]
    fn each_language_takes_its_sentences_and_leaves_what_looks_similar() {
        let mut wrong = Vec::new();
        for language in LANGUAGES.iter() {
            let Words { code, must, must_not, .. } = &language.words;
            assert!(must.len() >= 8 && must_not.len() >= 6, "{code}");
            for line in must {
                let (sentence, wanted) = line.split_once(" → ").expect("an arrow");
                let found = told(said(sentence));
                if found != wanted {
                    wrong.push(format!("{code}: {sentence}: {found}, not {wanted}"));
                }
            }
            wrong.extend(
                must_not.iter().filter_map(|text| said(text).map(|found| format!("{code}: {text}: {}", told(Some(found))))),
            );
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn a_secret_is_not_kept_in_any_language() {
        for sentence in ["Merk dir, dass mein Passwort blauwal ist", "记住我的密码是蓝鲸", "パスワードは青鯨だと覚えておいて"]
        {
            assert_eq!(said(sentence), None, "{sentence}");
        }
    }
}
