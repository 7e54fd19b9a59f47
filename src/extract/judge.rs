//! Checks a model's answer against the rules' reading of the message: a model is not trusted about what a user wants to forget or
//! to tell the team.

use std::collections::HashSet;

use domain::facts::fact::Candidate;
use domain::facts::provenance::Origin;
use domain::memory::claim::{Claim, Takes};
use domain::recall::words::{Term, terms};
use ports::extractor::{Extraction, Known};

/// Drops claims to forget something that the message (`read`) does not mention, and marks candidates that it asks to keep.
pub(super) fn judged(mut claims: Vec<Claim>, mut candidates: Vec<Candidate>, known: &[Known], read: &Extraction) -> Extraction {
    let wishes = wishes(&read.claims);
    claims.retain(|claim| claim.says.is_some() || is_wished(claim, known, &wishes));
    let asked: Vec<Vec<Term>> = read.candidates.iter().map(|candidate| terms(candidate.content.as_str())).collect();
    for candidate in &mut candidates {
        let held: HashSet<Term> = terms(candidate.content.as_str()).into_iter().collect();
        if asked.iter().any(|asked| names_half(asked, &held)) {
            candidate.origin = Origin::User;
        }
    }
    Extraction { claims, candidates, ..Extraction::default() }
}

/// The words of each wish to forget, without those for the user, with which every memory begins.
fn wishes(forget: &[Claim]) -> Vec<Vec<Term>> {
    let speaker = terms("User User's Pengguna");
    let words = |wish: &Claim| match &wish.takes {
        Takes::Term(said) | Takes::Every(said) => terms(said).into_iter().filter(|term| !speaker.contains(term)).collect(),
        Takes::Id(_) | Takes::Nearest | Takes::Last { .. } | Takes::Nothing => Vec::new(),
    };
    forget.iter().map(words).collect()
}

/// Whether the message asks to forget what a claim would delete: at least half of the words of one wish are in it. Nothing else
/// is forgotten, whatever an answer says.
fn is_wished(claim: &Claim, known: &[Known], wishes: &[Vec<Term>]) -> bool {
    let text = match &claim.takes {
        Takes::Term(term) | Takes::Every(term) => term,
        Takes::Id(id) => known.iter().find(|known| known.id == *id).map_or("", |known| &known.text),
        Takes::Nearest | Takes::Last { .. } | Takes::Nothing => "",
    };
    let held: HashSet<Term> = terms(text).into_iter().collect();
    wishes.iter().any(|wish| names_half(wish, &held))
}

/// Whether at least half of these words, and one, are among those held.
fn names_half(words: &[Term], held: &HashSet<Term>) -> bool {
    let shared = words.iter().filter(|term| held.contains(term)).count();
    shared > 0 && shared * 2 >= words.len()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::extract::provider::Provider;
    use crate::extract::stub::{exchange, llm};
    use crate::extract::{reply, rules};
    use ports::extractor::{Extractor, Material, StatementOwner};

    /// A claim as a model would say it.
    fn said(claim: &Claim) -> Value {
        let takes = match &claim.takes {
            Takes::Nothing => Value::Null,
            Takes::Nearest => json!("nearest"),
            Takes::Term(term) => json!({"term": term}),
            Takes::Id(_) | Takes::Every(_) | Takes::Last { .. } => panic!("not for a model"),
        };
        match &claim.says {
            None => json!({"forget": takes}),
            Some(says) => json!({
                "content": says.content.as_str(), "kind": says.kind.as_str(), "importance": says.importance.get(),
                "takes": takes, "only_instead": !claim.lasting,
            }),
        }
    }

    #[derive(serde::Deserialize)]
    struct Dialogue {
        #[serde(default)]
        user: String,
        #[serde(default)]
        known: Vec<String>,
    }

    #[test]
    fn whatever_the_rules_find_a_model_can_say() {
        let (mut claims, mut candidates) = (0, 0);
        let (mut forgets, mut terms, mut nearest, mut asked) = (false, false, false, false);
        for dialogue in language::dialogues::<Dialogue>(|one| one.split != language::Split::Blind) {
            let exchange = exchange(&dialogue.user);
            let known: Vec<Known> = dialogue
                .known
                .iter()
                .map(|text| Known { id: "mem_1".to_owned(), text: text.clone(), owner: StatementOwner::User })
                .collect();
            let material = Material { exchange: &exchange, known: &known, personal: true, global: true };
            let found = rules::read(&material);
            let read = Extraction {
                claims: found.claims.iter().filter(|claim| claim.says.is_none()).cloned().collect(),
                candidates: found.candidates.iter().filter(|one| one.origin == Origin::User).cloned().collect(),
                ..Extraction::default()
            };
            // A wish that names nothing finds nothing, and one for the last memory needs no model.
            let empty = |claim: &Claim| claim.says.is_none() && wishes(std::slice::from_ref(claim))[0].is_empty();
            for claim in
                found.claims.iter().filter(|claim| !empty(claim) && !matches!(claim.takes, Takes::Last { .. } | Takes::Every(_)))
            {
                let answer = json!({"items": [said(claim)]}).to_string();
                let told = reply::personal(&answer, &known).expect("can be said");
                let told = judged(told, Vec::new(), &known, &read).claims;
                assert_eq!(told, std::slice::from_ref(claim), "{}", dialogue.user);
                claims += 1;
                forgets |= claim.says.is_none();
                terms |= matches!(claim.takes, Takes::Term(_)) && claim.says.is_some();
                nearest |= claim.takes == Takes::Nearest;
            }
            for candidate in &found.candidates {
                let item = json!({"content": candidate.content.as_str(), "kind": candidate.kind.as_str(), "importance": candidate.importance.get()});
                let told = reply::global(&json!({"items": [item]}).to_string()).expect("can be said");
                let told = judged(Vec::new(), told, &known, &read).candidates;
                assert_eq!(told[0].content.as_str(), candidate.content.as_str());
                assert!(candidate.origin != Origin::User || told[0].origin == Origin::User, "{}", dialogue.user);
                candidates += 1;
                asked |= candidate.origin == Origin::User;
            }
        }
        assert!(claims > 50 && candidates > 5, "{claims} {candidates}");
        assert!(forgets && terms && nearest && asked, "{forgets} {terms} {nearest} {asked}");
    }

    #[test]
    fn a_fact_that_nobody_asked_to_keep_is_the_assistants_whatever_an_answer_says() {
        let exchange = exchange("For the team: deploys run on Fridays.");
        let material = Material { exchange: &exchange, known: &[], personal: true, global: true };
        let llm = llm(Provider::OpenAi, "http://127.0.0.1:9".to_owned());
        let read = llm.read(&material);
        let told = reply::global(
            r#"[{"content":"Deploys run on Fridays","kind":"fact","importance":4},
            {"content":"The pool is ports 9000-9999","kind":"fact","importance":3}]"#,
        );
        let told = judged(Vec::new(), told.expect("readable"), &[], &read).candidates;
        assert_eq!([told[0].origin, told[1].origin], [Origin::User, Origin::Assistant]);
    }
}
