//! Descriptions of the rules that refuse a text, for its author.

/// Description of what each rule forbids. A rule that is not listed is shown by its name.
const WORDS: [(&str, &str); 27] = [
    ("too_long", "whatever makes it longer than 4 KiB"),
    ("hidden_text", "invisible characters"),
    ("mixed_script", "words that mix alphabets"),
    ("file_path", "the path of a file"),
    ("first_person", "the first person (I, my, we)"),
    ("second_person", "the second person (you, your)"),
    ("person_name", "names of people"),
    ("person_reference", "words that describe a person"),
    ("email", "email addresses"),
    ("handle", "user names"),
    ("phone", "phone numbers"),
    ("payment_account", "card and account numbers"),
    ("national_id", "numbers of identity documents"),
    ("ip_address", "IP addresses"),
    ("hostname", "host names"),
    ("device", "names of devices"),
    ("link", "links to private places"),
    ("user_path", "paths in somebody’s home folder"),
    ("secret", "passwords and keys"),
    ("street_address", "street addresses"),
    ("birth_date", "dates of birth"),
    ("disguised", "disguised or encoded text"),
    ("likeness", "what reads like a person or a secret"),
    ("role_tag", "tags that stand for a speaker"),
    ("override", "instructions to ignore other instructions"),
    ("system_prompt", "requests for the system prompt"),
    ("order", "instructions to the assistant"),
];

/// Rules against a replacement that loses text, with their whole sentence.
const LOST: [(&str, &str); 2] = [
    ("left_out", "A line is a placeholder for omitted text. Send the whole text, or `allow_shrink` if the line is intended."),
    (
        "shrinks",
        "The new text is less than half as long as the old one. Send the whole text, or `allow_shrink` if that is intended.",
    ),
];

/// Returns the sentence that says what to remove from a refused text.
#[must_use]
pub fn sentence(rules: &[String]) -> String {
    if let [rule] = rules
        && let Some((_, words)) = LOST.iter().find(|(name, _)| name == rule)
    {
        return (*words).to_owned();
    }
    let words: Vec<String> = rules.iter().map(|rule| words(rule)).collect();
    let (last, rest) = match words.split_last() {
        None => return "The text was refused.".to_owned(),
        Some((last, rest)) => (last, rest),
    };
    let all = if rest.is_empty() { last.clone() } else { format!("{} and {last}", rest.join(", ")) };
    format!("Remove {all} from the text, then try again.")
}

fn words(rule: &str) -> String {
    let known = WORDS.iter().find(|(name, _)| *name == rule);
    known.map_or_else(|| format!("what the rule “{}” found", rule.replace('_', " ")), |(_, words)| (*words).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_told_in_words() {
        let rules = ["first_person", "email"].map(str::to_owned);
        assert_eq!(sentence(&rules), "Remove the first person (I, my, we) and email addresses from the text, then try again.");
        assert_eq!(
            sentence(&["jail_break".to_owned()]),
            "Remove what the rule “jail break” found from the text, then try again."
        );
    }

    #[test]
    fn every_rule_of_the_gate_has_words() {
        let rules =
            include_str!("../../../gate/rules.toml").lines().filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
        let missing: Vec<_> = rules.filter(|rule| !WORDS.iter().any(|(name, _)| name == rule)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
