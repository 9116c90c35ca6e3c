//! What a text shows beyond its letters: struck and bold passages, formatting tags, and symbols that answer like words.

/// How a character is printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Mark {
    pub struck: bool,
    pub bold: bool,
}

/// Tags that only format; they are no words of the answer.
const TAGS: [&str; 14] = [
    "b", "i", "u", "s", "p", "br", "em", "del", "ins", "strong", "strike", "mark", "span", "sup",
];

/// Commands of LaTeX that only format.
const COMMANDS: [&str; 6] = ["text", "textbf", "mathrm", "mathbf", "textit", "mathbb"];

/// Finds struck and bold passages, and blanks out formatting tags, so that the `b` of `<b>` is no letter.
pub fn marks(characters: &mut [char]) -> Vec<Mark> {
    let mut marks = vec![Mark::default(); characters.len()];
    let strike = |mark: &mut Mark| mark.struck = true;
    let embolden = |mark: &mut Mark| mark.bold = true;
    type Set = fn(&mut Mark);
    let pairs: [(&str, &str, Set); 8] = [
        ("~~", "~~", strike),
        ("<s>", "</s>", strike),
        ("<del>", "</del>", strike),
        ("<strike>", "</strike>", strike),
        ("**", "**", embolden),
        ("__", "__", embolden),
        ("<b>", "</b>", embolden),
        ("<strong>", "</strong>", embolden),
    ];
    for (open, close, set) in pairs {
        let mut from = 0;
        while let Some(start) = find(characters, open, from) {
            let inner = start + open.len();
            let Some(end) = find(characters, close, inner) else {
                break;
            };
            marks[inner..end].iter_mut().for_each(set);
            from = end + close.len();
        }
    }
    for place in 1..characters.len() {
        if matches!(characters[place], '\u{335}' | '\u{336}' | '\u{338}') {
            marks[place - 1].struck = true;
        }
    }
    blank_tags(characters);
    blank_commands(characters);
    marks
}

/// Where an ASCII mark stands, from a place on.
fn find(characters: &[char], mark: &str, from: usize) -> Option<usize> {
    let last = characters.len().checked_sub(mark.len())?;
    (from..=last).find(|place| {
        let here = &characters[*place..*place + mark.len()];
        here.iter()
            .zip(mark.chars())
            .all(|(c, wanted)| c.eq_ignore_ascii_case(&wanted))
    })
}

fn blank_tags(characters: &mut [char]) {
    let mut place = 0;
    while let Some(start) = find(characters, "<", place) {
        place = start + 1;
        let rest = &characters[start + 1..];
        let Some(length) = rest.iter().take(40).position(|c| *c == '>') else {
            continue;
        };
        let inner: String = rest[..length].iter().collect();
        let name = inner.trim_start_matches('/').split([' ', '/']).next();
        if name.is_some_and(|name| TAGS.contains(&name.to_lowercase().as_str())) {
            characters[start..start + length + 2].fill(' ');
        }
    }
}

fn blank_commands(characters: &mut [char]) {
    let mut place = 0;
    while let Some(start) = find(characters, "\\", place) {
        place = start + 1;
        let name: String = characters[start + 1..]
            .iter()
            .take_while(|c| c.is_ascii_alphabetic())
            .collect();
        if COMMANDS.contains(&name.as_str()) {
            characters[start..=start + name.len()].fill(' ');
        }
    }
}

/// Symbols that are read like words.
pub fn is_symbol(characters: &[char], place: usize) -> bool {
    match characters[place] {
        '♀' | '♂' => !is_shrug(characters, place),
        '\u{1f1e6}'..='\u{1f1ff}' => true,
        c => "👩👨🧔👧👦👵👴🚺🚹🤷✅✔✓☑❌✗✘☒✖🚫⛔👍👎←⬅".contains(c),
    }
}

/// Whether a sign of gender only says who shrugs or despairs: "🤷‍♀️" answers nothing.
fn is_shrug(characters: &[char], place: usize) -> bool {
    let joined = place > 0 && characters[place - 1] == '\u{200d}';
    let mut before = characters[..place.saturating_sub(1)].iter().rev();
    let base = before.find(|c| !matches!(c, '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}'));
    joined && matches!(base, Some('🤷' | '🤦'))
}

/// The letters of a word, with circled, squared, wide and regional letters as plain ones.
pub fn plain(word: &[char]) -> String {
    let letter = |c: char| {
        let from = |first: u32, plain: u8| {
            let offset = u32::from(c)
                .checked_sub(first)
                .filter(|offset| *offset < 26);
            offset.map(|offset| char::from(plain + offset as u8))
        };
        [
            (0xff21, b'A'),
            (0xff41, b'a'),
            (0x24b6, b'A'),
            (0x24d0, b'a'),
            (0x1f130, b'A'),
            (0x1f150, b'A'),
            (0x1f170, b'A'),
            (0x1f1e6, b'A'),
        ]
        .into_iter()
        .find_map(|(first, plain)| from(first, plain))
        .or_else(|| {
            "①②③④⑤"
                .chars()
                .position(|d| d == c)
                .map(|p| char::from(b'1' + p as u8))
        })
        .or(match c {
            // How Russian and Ukrainian answers write the first two; their third letter looks like a B.
            'А' if word.len() == 1 => Some('A'),
            'Б' if word.len() == 1 => Some('B'),
            _ => None,
        })
        .unwrap_or(c)
    };
    let kept = word.iter().copied();
    kept.filter(|c| !matches!(c, '\u{335}' | '\u{336}' | '\u{338}'))
        .map(letter)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn struck_bold_and_tags() {
        let mut text: Vec<char> = "~~A~~ **B** <b>C</b> \\text{D} E\u{336}".chars().collect();
        let marks = marks(&mut text);
        let at = |letter: char| marks[text.iter().position(|c| *c == letter).unwrap()];
        assert!(at('A').struck && at('E').struck);
        assert!(at('B').bold && at('C').bold && !at('D').bold);
        let left: String = text.iter().collect();
        assert_eq!(left, "~~A~~ **B**    C          {D} E\u{336}");
    }

    #[test]
    fn letters_in_circles_and_squares_are_letters() {
        for (letter, expected) in [("Ⓑ", "B"), ("🅰", "A"), ("Ｃ", "C"), ("🇧", "B"), ("②", "2")]
        {
            let word: Vec<char> = letter.chars().collect();
            assert_eq!(plain(&word), expected);
        }
    }
}
