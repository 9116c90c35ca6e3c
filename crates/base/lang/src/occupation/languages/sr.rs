//! Serbian, in both scripts: the data file is in Latin letters.

use super::slavic::past_tense;
use super::{CommonGender, Grammar, Language};
use crate::occupation::NounGender;

pub(crate) static LANGUAGE: Language = Language::new(Grammar {
    common_gender: CommonGender::Agreement {
        otherwise: Some(NounGender::Masculine),
    },
    also_written: Some(cyrillic),
    context: Some(past_tense),
    feminine_article_wins: true,
    endings_decide: true,
    feminine_predicate_wins: true,
    ..Grammar::plain("sr", packed!("sr/occupations.txt"))
});

/// The Cyrillic spelling of a word in Latin letters.
fn cyrillic(word: &str) -> String {
    let mut out = String::with_capacity(word.len() * 2);
    let mut letters = word.chars().peekable();
    while let Some(letter) = letters.next() {
        let pair = match (letter, letters.peek()) {
            ('l', Some('j')) => Some('љ'),
            ('n', Some('j')) => Some('њ'),
            ('d', Some('ž')) => Some('џ'),
            _ => None,
        };
        if let Some(pair) = pair {
            letters.next();
            out.push(pair);
            continue;
        }
        out.push(match letter {
            'a' => 'а',
            'b' => 'б',
            'c' => 'ц',
            'č' => 'ч',
            'ć' => 'ћ',
            'd' => 'д',
            'đ' => 'ђ',
            'e' => 'е',
            'f' => 'ф',
            'g' => 'г',
            'h' => 'х',
            'i' => 'и',
            'j' => 'ј',
            'k' => 'к',
            'l' => 'л',
            'm' => 'м',
            'n' => 'н',
            'o' => 'о',
            'p' => 'п',
            'r' => 'р',
            's' => 'с',
            'š' => 'ш',
            't' => 'т',
            'u' => 'у',
            'v' => 'в',
            'z' => 'з',
            'ž' => 'ж',
            letter => letter,
        });
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn digraphs_are_one_letter() {
        assert_eq!(super::cyrillic("učiteljica"), "учитељица");
        assert_eq!(super::cyrillic("menadžerka"), "менаџерка");
        assert_eq!(super::cyrillic("pešakinja"), "пешакиња");
    }
}
