//! Hebrew: articles, conjunctions and prepositions are written with the noun, gershayim in many
//! ways; past verbs show the gender of their subject.

use super::{CommonGender, Grammar, Language};
use crate::occupation::NounGender;
use crate::occupation::gender::Genders;
use crate::occupation::sentence::Sentence;

pub(crate) static LANGUAGE: Language = Language::new(Grammar {
    fold,
    common_gender: CommonGender::Agreement {
        otherwise: Some(NounGender::Masculine),
    },
    context: Some(predicate),
    ..Grammar::plain("he", packed!("he/occupations.txt"))
});

/// Drops vowel points; one sign for gershayim and one for geresh.
fn fold(letter: char) -> Option<char> {
    Some(match letter {
        '\u{591}'..='\u{5BD}' | '\u{5BF}' | '\u{5C1}'..='\u{5C7}' => return None,
        '״' | '”' | '“' => '"',
        '׳' | '’' | '‘' => '\'',
        letter => letter,
    })
}

/// Evidence for a noun that serves both genders: the verb of which it is the subject ("המורה
/// אמרה"), else the first pronoun of the third person behind it ("המורה היא", "ושאל אותה").
fn predicate(sentence: &Sentence, noun: usize) -> Option<(Genders, usize)> {
    let subject = noun == 0 || !sentence.is_word(noun - 1);
    let verb = sentence.word(noun + 1);
    if subject
        && sentence.is_word(noun + 1)
        && sentence.role(noun + 1).is_none()
        && sentence.noun(noun + 1, None).is_none()
        && !verb.starts_with('ו')
    {
        let (genders, _) = sentence.lexicon.predicate_suffixes.find(verb)?;
        // The past of roots in ה ends in it for a man ("מחה"), in תה for a woman ("מחתה").
        let weak = WEAK.contains(&verb);
        let genders = if weak { Genders::M } else { genders };
        return Some((genders, noun + 1));
    }
    (noun + 1..sentence.len()).find_map(|at| Some((pronoun(sentence.word(at))?, at)))
}

/// Third-person masculine pasts of common roots in ה.
const WEAK: [&str; 30] = [
    "מחה",
    "עשה",
    "ראה",
    "קנה",
    "בנה",
    "רצה",
    "שתה",
    "בכה",
    "עלה",
    "ענה",
    "פנה",
    "טעה",
    "זכה",
    "היה",
    "חלה",
    "נראה",
    "ניסה",
    "גילה",
    "שינה",
    "חיכה",
    "קיווה",
    "ציווה",
    "מינה",
    "כיסה",
    "הודה",
    "הראה",
    "הרצה",
    "התנצה",
    "השתנה",
    "נטה",
];

fn pronoun(word: &str) -> Option<Genders> {
    match word.trim_start_matches(['ו', 'ש', 'כ']) {
        "הוא" | "אותו" | "לו" | "עליו" | "ממנו" | "אליו" => Some(Genders::M),
        "היא" | "אותה" | "לה" | "עליה" | "ממנה" | "אליה" => Some(Genders::F),
        _ => None,
    }
}
