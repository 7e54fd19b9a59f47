//! A text as the gate and the heads read it: plain ASCII, mapped back to the original bytes.
//!
//! Compatibility forms are decomposed, marks and invisible characters dropped, look-alikes of Latin letters folded, curly quotes
//! and long dashes straightened. Every byte of the result records which bytes of the original it came from, so that a finding can
//! be shown in the original text. A letter that cannot be folded becomes a placeholder: the rules see that it is there, but not
//! which it is. This file only reads; the rules decide.

use unicode_normalization::UnicodeNormalization;
use unicode_security::skeleton;

/// Stands for a letter of a script that cannot be folded to Latin.
pub const FOREIGN_LETTER: char = '\u{1}';
/// Maximum number of letters that one character stands for. Those that stand for more, up to 18, are words of other scripts.
const MOST_LETTERS: usize = 4;
/// Minimum number of letters in a text of another script; a single one may be a unit.
const MIN_FOREIGN_LETTERS: usize = 2;
/// At least one in this many letters of another script has no Latin look-alike. If all have one, they are a disguise.
const UNLIKE: usize = 5;

/// One folded text, mapped back to the original.
pub struct Folded {
    /// Pure ASCII.
    pub text: String,
    /// `text` in lower case, same offsets.
    pub lower: String,
    starts: Vec<u32>,
    ends: Vec<u32>,
    /// Span in the original of characters that exist to hide or reorder text.
    pub hidden: Option<(usize, usize)>,
    /// Spans in the original of words that mix Latin with a look-alike script.
    pub mixed: Vec<(usize, usize)>,
    /// Whether most of its letters are of other scripts, and are no disguise.
    pub foreign: bool,
    /// Whether look-alikes stand for Latin letters.
    looks: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Script {
    Latin,
    Greek,
    LookAlike,
    Other,
}

impl Folded {
    #[must_use]
    pub fn new(original: &str) -> Self {
        Self::read(original, true)
    }

    /// The same for a text of another script, in which look-alikes do not stand for Latin letters.
    #[must_use]
    pub fn of_other_script(original: &str) -> Self {
        Self::read(original, false)
    }

    fn read(original: &str, looks: bool) -> Self {
        let mut folded = Self {
            text: String::with_capacity(original.len()),
            lower: String::new(),
            starts: Vec::with_capacity(original.len()),
            ends: Vec::with_capacity(original.len()),
            hidden: None,
            mixed: Vec::new(),
            foreign: false,
            looks,
        };
        let mut word = WordScripts::default();
        let (mut latin, mut foreign) = (0_usize, 0_usize);
        for (at, c) in original.char_indices() {
            let end = at + c.len_utf8();
            if c.is_ascii() {
                word.see(c, Script::Latin, at, end, &mut folded.mixed);
                latin += usize::from(c.is_ascii_alphabetic());
                if c.is_ascii_control() && !matches!(c, '\n' | '\r' | '\t') {
                    folded.hidden.get_or_insert((at, end));
                    folded.push(' ', at, end);
                } else {
                    folded.push(c, at, end);
                }
                continue;
            }
            if reorders(c) {
                folded.hidden.get_or_insert((at, end));
                continue;
            }
            if invisible(c) {
                continue;
            }
            if c.is_alphabetic() {
                let script = script_of(c);
                word.see(c, script, at, end, &mut folded.mixed);
                if script == Script::Latin { latin += 1 } else { foreign += 1 }
            } else {
                word.finish(&mut folded.mixed);
            }
            folded.fold(c, at, end);
        }
        word.finish(&mut folded.mixed);
        let unlike = folded.text.chars().filter(|c| *c == FOREIGN_LETTER).count();
        folded.foreign = foreign >= MIN_FOREIGN_LETTERS && foreign > latin && unlike * UNLIKE >= foreign;
        folded.lower = folded.text.to_ascii_lowercase();
        folded
    }

    fn push(&mut self, c: char, start: usize, end: usize) {
        debug_assert!(c.is_ascii());
        self.text.push(c);
        self.starts.push(u32::try_from(start).unwrap_or(u32::MAX));
        self.ends.push(u32::try_from(end).unwrap_or(u32::MAX));
    }

    fn fold(&mut self, c: char, at: usize, end: usize) {
        if let Some(plain) = punctuation(c).or_else(|| small_capital(c)) {
            self.push(plain, at, end);
            return;
        }
        if let Some(letters) = ligature(c) {
            letters.chars().for_each(|letter| self.push(letter, at, end));
            return;
        }
        let most = self.text.len() + MOST_LETTERS;
        for part in std::iter::once(c).nfkd() {
            if self.text.len() >= most {
                break;
            }
            if part.is_ascii() {
                self.push(part, at, end);
            } else if unicode_normalization::char::is_combining_mark(part) || invisible(part) {
            } else if let Some(plain) = punctuation(part) {
                self.push(plain, at, end);
            } else if part.is_alphabetic() {
                self.push(latin_look(part).filter(|_| self.looks).unwrap_or(FOREIGN_LETTER), at, end);
            } else if let Some(digit) = decimal_digit(part) {
                self.push(digit, at, end);
            } else {
                self.push(' ', at, end);
            }
        }
    }

    /// The span of the original that `start..end` of the folded text came from.
    #[must_use]
    pub fn original_span(&self, start: usize, end: usize) -> (usize, usize) {
        match (self.starts.get(start), end.checked_sub(1).and_then(|last| self.ends.get(last))) {
            (Some(from), Some(to)) => (*from as usize, (*to).max(*from) as usize),
            _ => (0, self.ends.last().map_or(0, |to| *to as usize)),
        }
    }
}

impl Folded {
    /// The span of the folded text that came from `start..end` of the original; empty if nothing of it is left.
    #[must_use]
    pub fn folded_span(&self, start: usize, end: usize) -> (usize, usize) {
        let from = self.starts.partition_point(|at| (*at as usize) < start);
        let to = from + self.starts[from..].partition_point(|at| (*at as usize) < end);
        (from, to)
    }
}

/// Checks each word for letters of more than one script.
#[derive(Default)]
struct WordScripts {
    start: usize,
    end: usize,
    latin: bool,
    look_alike: bool,
}

impl WordScripts {
    fn see(&mut self, c: char, script: Script, at: usize, end: usize, mixed: &mut Vec<(usize, usize)>) {
        if !c.is_alphabetic() {
            self.finish(mixed);
            return;
        }
        if !self.latin && !self.look_alike {
            self.start = at;
        }
        self.end = end;
        self.latin |= script == Script::Latin;
        self.look_alike |= script == Script::LookAlike;
    }

    fn finish(&mut self, mixed: &mut Vec<(usize, usize)>) {
        if self.latin && self.look_alike {
            mixed.push((self.start, self.end));
        }
        *self = Self::default();
    }
}

/// Greek is a look-alike only if the letter has a Latin twin: `μs` and `Δt` are units and symbols.
fn script_of(c: char) -> Script {
    match c {
        '\u{aa}'..='\u{2af}'
        | '\u{1d00}'..='\u{1d7f}'
        | '\u{1e00}'..='\u{1eff}'
        | '\u{2100}'..='\u{214f}'
        | '\u{24b6}'..='\u{24e9}'
        | '\u{2c60}'..='\u{2c7f}'
        | '\u{a720}'..='\u{a7ff}'
        | '\u{ff21}'..='\u{ff5a}'
        | '\u{1d400}'..='\u{1d7ff}'
        | '\u{1f130}'..='\u{1f189}' => Script::Latin,
        'ο' | 'ν' | 'Α' | 'Β' | 'Ε' | 'Ζ' | 'Η' | 'Ι' | 'Κ' | 'Μ' | 'Ν' | 'Ο' | 'Ρ' | 'Τ' | 'Υ' | 'Χ' | 'α' | 'ρ' | 'ι' => {
            Script::LookAlike
        }
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Script::Greek,
        '\u{400}'..='\u{58f}' | '\u{13a0}'..='\u{13ff}' => Script::LookAlike,
        _ => Script::Other,
    }
}

/// Controls that change the reading order, and tag characters that hide ASCII.
fn reorders(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}')
}

fn invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180e}'
            | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0100}'..='\u{e01ef}'
    )
}

fn punctuation(c: char) -> Option<char> {
    Some(match c {
        '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}' | '\u{2032}' | '\u{2bc}' | '\u{b4}' | '\u{ff07}' | '\u{ff40}' => '\'',
        '\u{201c}'..='\u{201f}' | '\u{ab}' | '\u{bb}' | '\u{2033}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe63}' | '\u{ff0d}' => '-',
        '\u{2024}' | '\u{3002}' | '\u{ff0e}' | '\u{ff61}' | '\u{b7}' | '\u{2022}' | '\u{2219}' | '\u{22c5}' | '\u{30fb}' => '.',
        '\u{ff20}' | '\u{fe6b}' => '@',
        '\u{2044}' | '\u{2215}' => '/',
        '\u{2192}' | '\u{21d2}' | '\u{279c}' | '\u{27a1}' => '=',
        _ => return None,
    })
}

fn small_capital(c: char) -> Option<char> {
    const SMALL_CAPITALS: &str = "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡxʏᴢ";
    const SQUARED: [u32; 2] = [0x1f150, 0x1f170];
    if let Some(at) = SMALL_CAPITALS.chars().position(|small| small == c) {
        return char::from_u32(u32::from('a') + u32::try_from(at).ok()?);
    }
    SQUARED.iter().find_map(|from| {
        let offset = u32::from(c).checked_sub(*from)?;
        if offset < 26 { char::from_u32(u32::from('A') + offset) } else { None }
    })
}

fn ligature(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' => "ss",
        'æ' => "ae",
        'Æ' => "Ae",
        'œ' => "oe",
        'Œ' => "Oe",
        'þ' => "th",
        'Þ' => "Th",
        'ø' => "o",
        'Ø' => "O",
        'ł' => "l",
        'Ł' => "L",
        'đ' | 'ð' => "d",
        'Đ' | 'Ð' => "D",
        'ı' => "i",
        _ => return None,
    })
}

/// The Latin letter that a letter of another script looks like, if any.
fn latin_look(c: char) -> Option<char> {
    let mut buffer = [0_u8; 4];
    let mut look = skeleton(c.encode_utf8(&mut buffer));
    match (look.next(), look.next()) {
        (Some(letter), None) if letter.is_ascii_alphanumeric() => Some(letter),
        _ => None,
    }
}

fn decimal_digit(c: char) -> Option<char> {
    const ZEROS: [u32; 6] = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0x1d7ce];
    ZEROS.iter().find_map(|zero| {
        let value = u32::from(c).checked_sub(*zero)?;
        if value < 10 { char::from_digit(value, 10) } else { None }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_another_script_is_told_from_a_disguise() {
        for (text, foreign) in [
            ("Кэш очищается каждую ночь", true),
            ("Η κρυφή μνήμη αδειάζει", true),
            ("缓存每晚清空", true),
            ("\u{405}\u{430}\u{455}\u{4bb}\u{430} \u{456}\u{455} \u{43e}\u{440}\u{435}", false),
            ("The delay is 40 µs", false),
            ("R is 5 Ω", false),
        ] {
            assert_eq!(Folded::new(text).foreign, foreign, "{text}");
        }
        assert_eq!(Folded::of_other_script("тест x").text, "\u{1}\u{1}\u{1}\u{1} x");
    }

    #[test]
    fn one_character_stands_for_a_few_letters() {
        for (text, folded) in [("\u{fb03}", "ffi"), ("\u{2121}", "TEL"), ("\u{2486}", "(19)")] {
            assert_eq!(Folded::new(text).text, folded);
        }
        let word = Folded::new("a\u{fdfa}b");
        assert_eq!((word.text.len(), word.original_span(0, 6)), (6, (0, 5)));
    }
}
