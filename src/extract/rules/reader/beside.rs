//! Statements next to a question, a request or something else that is not learned.

use super::super::message::{INSTEAD, MID_STANDING, POLITE_WISH, REFUSES, STANDING_HINT};
use super::super::pattern::pattern;
use super::super::person::{Tongue, expand, tongue, tongue as tongue_of};
use super::super::personal::{self, Judged};
use super::super::{clauses, drops, frames, wishes};
use super::Reader;
use crate::domain::gate;

// "Two girls, Maya and Isla": who they are.
pattern! {
    NAMES = r"^(?:called |named |namanya )?(?-i:[A-Z])\w+(?:(?:,| and| dan| &) (?-i:[A-Z])\w+)*$";
    THAT = r"^(?:and |also |that |dan |kalo |kalau )+";

    OWN = r"^(?:(?-i:[A-Z])\w+ (?:(?-i:[A-Z])\w+ )?is my|I|my|we|our|all (?:of )?my|most of my|{AKU}|\w{3,}ku|you can|(?:just |recently |newly )+\w+ed|been|(?:[\w/-]+ ){1,3}{AKU}|[\w/-]+ (?:\w+ ){0,4}(?:for )?me)\b";
    // What follows is material for a text, not the user's own statement.
    pub WRITING = r"^(?:(?:please|can you|could you|tolong|help me|let us|i need you to|i want you to)[, ]+)*(?:write|draft|compose|translate|rewrite|rephrase|reply|tell|say|answer|proofread|email|send|post|tweet|fix|correct|polish|shorten|summari[sz]e|bikin|buat|tulis|terjemah|balas|bales|kirim|bilang|imagine|pretend|generate|make up|invent)\w*\b";
}

/// Whether `text` names what is wanted instead of what the previous sentence rejected.
pub fn instead(before: &str, text: &str) -> bool {
    REFUSES.is_match(before) && INSTEAD.is_match(text)
}

impl Reader<'_> {
    /// "No more screenshots. Send me text instead."
    pub(super) fn wish_instead(&mut self, text: &str) {
        let wish = wishes::instead(text);
        self.keep_or_correct(&wish.text, wish.kind, wish.importance, true);
    }

    /// A question is not learned, but people say who they are while asking.
    pub(super) fn question(&mut self, text: &str) {
        self.drop("question");
        if let Some(wish) = wishes::wish(text, tongue(text), true).filter(|_| POLITE_WISH.is_match(text)) {
            return self.keep_or_correct(&wish.text, wish.kind, wish.importance, self.changing);
        }
        let kept = self.kept.len() + self.out.candidates.len();
        let mut said = clauses::tucked(text);
        let parts = clauses::clauses(text);
        let asked = parts.iter().position(|part| drops::is_question(part) || drops::is_request(part)).unwrap_or(parts.len() - 1);
        said.extend(parts.into_iter().take(asked));
        for clause in said {
            let bare = clauses::bare(&clause).text;
            let tongue = tongue(&bare);
            let text = expand(&bare, tongue);
            if !drops::is_question(&text) && !drops::is_request(&text) {
                self.clause(&text, tongue, false);
            }
        }
        if self.kept.len() + self.out.candidates.len() == kept {
            self.pieces(text);
        }
    }

    /// The reliable parts of a clause that does not last as a whole: split at punctuation, then also at conjunctions.
    fn firm_pieces(&mut self, clause: &str, corrects: bool) {
        let kept = self.kept.len();
        for pieces in [clauses::marked(clause), clauses::pieces(clause)] {
            for (at, piece) in pieces.iter().enumerate() {
                if pieces.len() > 1 && OWN.is_match(piece) && personal::is_firm(piece) {
                    let names = pieces.get(at + 1).filter(|next| NAMES.is_match(next));
                    let said = names.map_or(piece.clone(), |names| format!("{piece}, {names}"));
                    self.own(&said, tongue_of(&said), corrects);
                }
            }
            if self.kept.len() > kept {
                return;
            }
        }
    }

    /// The rest of a sentence from which a secret was removed.
    pub(super) fn beside_secret(&mut self, sentence: &str) {
        for piece in clauses::pieces(sentence).iter().filter(|piece| !piece.contains(gate::REDACTED)) {
            let piece = expand(THAT.replace(piece, "").trim(), tongue_of(piece));
            if OWN.is_match(&piece) && personal::is_firm(&piece) {
                self.own(&piece, tongue_of(&piece), false);
            }
        }
    }

    /// Looks for a statement in each part of a question or request; only one about the user counts.
    fn pieces(&mut self, text: &str) {
        let pieces = clauses::pieces(text);
        if pieces.len() < 2 {
            return;
        }
        for piece in pieces {
            let bare = clauses::bare(&piece).text;
            let tongue = tongue(&bare);
            let text = expand(&bare, tongue);
            if OWN.is_match(&text) && !drops::is_question(&text) && !drops::is_request(&text) {
                self.own(&text, tongue, false);
            }
        }
    }

    pub(super) fn statement(&mut self, text: &str, tongue: Tongue, corrects: bool) {
        let wished =
            wishes::wish(text, tongue, self.heard.asking).is_some() || frames::fitting(text).any(|f| f.rule.name == "reach");
        if drops::is_request(text) && !wished && !STANDING_HINT.is_match(text) {
            self.drop("one_off");
            let kept = self.kept.len();
            for clause in clauses::tucked(text) {
                let tongue = tongue_of(&clause);
                self.clause(&expand(&clause, tongue), tongue, false);
            }
            if self.kept.len() == kept && !WRITING.is_match(text) {
                self.pieces(text);
            }
            return;
        }
        if let Some(found) = MID_STANDING.captures(text)
            && wishes::wish(&found["tail"], tongue_of(&found["tail"]), false).is_some()
        {
            self.statement(&found["lead"], tongue, corrects);
            return self.clause(&found["tail"], tongue_of(&found["tail"]), corrects);
        }
        // The whole first: a wish or a list loses its meaning when it is split.
        if let Judged::Keep { .. } = personal::judge(text, tongue, self.heard.asking)
            && (clauses::clauses(text).len() == 1 || wishes::swaps(text))
        {
            return self.clause(text, tongue, corrects);
        }
        let before = self.kept.len() + self.out.candidates.len();
        // "Being dyslexic, I prefer …" says two things.
        if let Some(rest) = clauses::after_as(text) {
            for clause in clauses::tucked(text).into_iter().chain([rest]) {
                let tongue = tongue_of(&clause);
                self.clause(&expand(&clause, tongue), tongue, corrects);
            }
            return;
        }
        for clause in clauses::clauses(text) {
            let kept = self.kept.len() + self.out.candidates.len();
            self.clause(&clause, tongue_of(&clause), corrects);
            if self.kept.len() + self.out.candidates.len() == kept {
                self.firm_pieces(&clause, corrects);
            }
        }
        if self.kept.len() + self.out.candidates.len() == before {
            for clause in clauses::tucked(text) {
                let tongue = tongue_of(&clause);
                self.clause(&expand(&clause, tongue), tongue, false);
            }
        }
    }
}
