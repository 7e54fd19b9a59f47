//! The terms of many texts in one flat list, so that each word of a question is found in one fast pass.

use domain::recall::search::WordScore;
use domain::recall::words::Term;

/// Number of terms compared together, so that the compiler uses vector instructions.
const CHUNK: usize = 32;

/// A list of terms for each text.
#[derive(Debug, Default)]
pub(super) struct TermLists {
    terms: Vec<Term>,
    /// Index at which each text's terms end.
    ends: Vec<usize>,
}

impl TermLists {
    fn start(&self, n: usize) -> usize {
        n.checked_sub(1).map_or(0, |before| self.ends[before])
    }

    fn of(&self, n: usize) -> &[Term] {
        &self.terms[self.start(n)..self.ends[n]]
    }

    pub fn each(&self) -> impl Iterator<Item = &[Term]> {
        (0..self.ends.len()).map(|n| self.of(n))
    }

    pub fn bytes(&self) -> usize {
        size_of_val(self.terms.as_slice()) + size_of_val(self.ends.as_slice())
    }

    pub fn push(&mut self, own: &[Term]) {
        self.terms.extend_from_slice(own);
        self.ends.push(self.terms.len());
    }

    pub fn insert(&mut self, n: usize, own: &[Term]) {
        self.ends.insert(n, self.start(n));
        self.set(n, own);
    }

    pub fn set(&mut self, n: usize, own: &[Term]) {
        if self.of(n) == own {
            return;
        }
        let (start, end) = (self.start(n), self.ends[n]);
        self.terms.splice(start..end, own.iter().copied());
        self.ends[n..].iter_mut().for_each(|later| *later = *later - (end - start) + own.len());
    }

    /// Okapi BM25 of every text for a question.
    pub fn scores(&self, question: &[Term]) -> Vec<f64> {
        let mut distinct = question.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        // Occurrences as text and index in `distinct`; those of one text are adjacent after sorting.
        let mut occurrences: Vec<(usize, usize)> = Vec::new();
        for (word, &term) in distinct.iter().enumerate() {
            self.occurrences(term, |text| occurrences.push((text, word)));
        }
        occurrences.sort_unstable();
        let mut holding = vec![0; distinct.len()];
        for same in occurrences.chunk_by(|a, b| a == b) {
            holding[same[0].1] += 1;
        }
        let place = |term: Term| distinct.binary_search(&term).unwrap_or_default();
        let score = WordScore::new(&distinct, self.ends.len(), |term| holding[place(term)]);
        let mut scores = vec![0.0; self.ends.len()];
        let mut times = vec![0; distinct.len()];
        for own in occurrences.chunk_by(|a, b| a.0 == b.0) {
            times.fill(0);
            for (_, word) in own {
                times[*word] += 1;
            }
            scores[own[0].0] = score.of(|term| times[place(term)]);
        }
        scores
    }

    /// Calls `visit` with the number of the text for every occurrence of a term, in order.
    fn occurrences(&self, term: Term, mut visit: impl FnMut(usize)) {
        let mut text = 0;
        for (chunk, some) in self.terms.chunks(CHUNK).enumerate() {
            // Counted, not searched: without an early exit the compiler compares many at once.
            if some.iter().map(|other| u32::from(*other == term)).sum::<u32>() == 0 {
                continue;
            }
            for (at, _) in some.iter().enumerate().filter(|(_, other)| **other == term) {
                let at = chunk * CHUNK + at;
                text += self.ends[text..].partition_point(|end| *end <= at);
                visit(text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(texts: &[&[Term]]) -> TermLists {
        let mut lists = TermLists::default();
        for text in texts {
            lists.push(text);
        }
        lists
    }

    #[test]
    fn lists_are_changed_and_inserted_in_place() {
        let mut lists = lists(&[&[1, 2], &[], &[3]]);
        lists.set(0, &[7, 8, 9]);
        lists.insert(1, &[4]);
        lists.insert(4, &[5, 6]);
        lists.set(3, &[]);
        assert_eq!(lists.each().collect::<Vec<_>>(), [&[7, 8, 9][..], &[4], &[], &[], &[5, 6]]);
    }

    #[test]
    fn scores_are_those_of_counting_word_by_word() {
        let texts: Vec<Vec<Term>> = (0..70_u32).map(|n| (0..n % 9).map(|m| (n * m + n / 5) % 11).collect()).collect();
        let lists = lists(&texts.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let question = [3, 10, 3, 0, 99];
        let holding = |term: Term| texts.iter().filter(|text| text.contains(&term)).count();
        let score = WordScore::new(&question, texts.len(), holding);
        let count = |text: &[Term], term: Term| text.iter().map(|other| u32::from(*other == term)).sum();
        for (text, found) in texts.iter().zip(lists.scores(&question)) {
            let expected = score.of(|term| count(text, term));
            assert!((found - expected).abs() < 1e-12, "{text:?}: {found} ≠ {expected}");
        }
        assert!(lists.scores(&[]).iter().all(|score| score.abs() < f64::EPSILON));
        assert!(TermLists::default().scores(&question).is_empty());
    }
}
