//! Words written for both genders at once: "byl/a", "устал(а)", "unavený/á", "Byłem/Byłam", "bil_a".
//!
//! Whoever writes so gives the speaker no gender, so such a word must neither count for the first
//! form nor, cut at its slash, for the second.

use super::lexicon::Lexicon;
use super::script::{Folding, is_letter};
use super::tags::Tags;

/// The rest of such a word.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct OtherGender {
    /// Characters of it, signs included.
    pub(crate) length: usize,
    /// Classes that the ending behind it adds ("zrobił(a)em": first person).
    pub(crate) tags: Tags,
}

/// Longest ending that stands for a whole form ("улыбнулся/лась").
const LONGEST_ENDING: usize = 4;

/// Whether `rest`, right behind `word`, writes its other gender.
pub(crate) fn other_gender(
    word: &str,
    rest: &str,
    folding: Folding,
    lexicon: &Lexicon,
) -> Option<OtherGender> {
    if let Some(other) = sign_for_vowel(word, rest, lexicon) {
        return Some(other);
    }
    let tags = lexicon.tags(word);
    let gender = tags.gender()?;
    let mut letters = rest.chars().peekable();
    let mut length = 0;
    let mut spaced = false;
    while letters.next_if_eq(&' ').is_some() {
        length += 1;
        spaced = true;
    }
    let sign = letters.next()?;
    length += 1;
    let bracket = sign == '(';
    if !bracket {
        while letters.next_if_eq(&' ').is_some() {
            length += 1;
            spaced = true;
        }
    }
    // "Byl / byla", "Unavený (á)".
    if spaced && !matches!(sign, '/' | '(') {
        return None;
    }
    let hyphen = sign != '-' && letters.next_if(|next| matches!(next, '-' | '–')).is_some();
    length += usize::from(hyphen);
    let mut ending = String::new();
    let mut count = 0;
    while let Some(letter) = letters.next_if(|&next| is_letter(next)) {
        folding.push(letter, &mut ending);
        count += 1;
    }
    length += count;
    if count == 0 {
        return None;
    }
    let mut added = Tags::NONE;
    if bracket {
        letters.next_if_eq(&')')?;
        length += 1;
        let mut whole = word.to_owned();
        let mut further = 0;
        while let Some(letter) = letters.next_if(|&next| is_letter(next)) {
            folding.push(letter, &mut whole);
            further += 1;
        }
        length += further;
        if further > 0 {
            added = lexicon.tags(&whole);
        }
    }
    let other = lexicon.tags(&ending).gender();
    let alike = word.chars().next() == ending.chars().next();
    let whole = alike && sign != '.' && other.is_some_and(|other| other != gender);
    let short = (bracket || !spaced) && count <= LONGEST_ENDING && is_ending(&ending, sign);
    (whole || short).then_some(OtherGender {
        length,
        tags: added,
    })
}

/// "Cansad@": a sign where the vowel of the gender would stand.
fn sign_for_vowel(word: &str, rest: &str, lexicon: &Lexicon) -> Option<OtherGender> {
    let after = rest.strip_prefix(['@', '*'])?;
    if after.starts_with(|next: char| is_letter(next) || next.is_numeric()) {
        return None;
    }
    let masculine = lexicon.tags(&format!("{word}o"));
    let feminine = lexicon.tags(&format!("{word}a"));
    let pair = masculine.any(Tags::ADJ_M) && feminine.any(Tags::ADJ_F);
    let bare = lexicon.tags(word).gender().is_none() && !masculine.any(Tags::GUESS);
    (pair && bare).then_some(OtherGender {
        length: 1,
        tags: masculine | feminine,
    })
}

/// Whether letters behind a sign are an ending rather than a word of their own.
fn is_ending(ending: &str, sign: char) -> bool {
    // Particles and pronouns may hang on a verb with a hyphen ("знал-то"): only a bare feminine
    // ending counts there.
    // The full stop of Hebrew "עייף.ה" must not be taken for the end of a sentence.
    let listed: &[&str] = match sign {
        '.' => &[
            "ה", "ת", "ית", "e", "es", "ne", "se", "ve", "le", "te", "rice", "ère",
        ],
        '-' => &["a", "á", "а", "ла", "на", "ая", "la", "na", "e", "ne"],
        _ => &[
            "a", "á", "ą", "la", "ła", "na", "ta", "ka", "va", "sna", "zna", "dna", "ena", "aná",
            "ená", "ná", "á", "y", "ý", "i", "em", "am", "łam", "łem", "bym", "abym", "а", "ла",
            "на", "ая", "яя", "ся", "лась", "лася", "ша", "та", "ена", "вна", "жна", "ва", "я",
            "ий", "ый", "ой", "ий", "а́", "o", "ao", "io", // Baltic
            "usi", "jusi", "ė", "e", "ia", "inga", "oji", "dama", "tāja", // Semitic and Hindi
            "ה", "ת", "ית", "ة", "ية", "ी", "ती", "गी", "ई", // Romance and Greek
            "es", "se", "ve", "ne", "le", "te", "re", "ère", "ive", "euse", "rice", "trice", "da",
            "ra", "sa", "ada", "ida", "uda", "ora", "esa", "osa", "ona", "ă", "tă", "să", "nă",
            "ată", "ită", "ută", "oare", "η", "ή", "α", "ά", "ια", "μένη",
        ],
    };
    listed.contains(&ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATA: &str = "[suffix past_m]\nl\nł\n[suffix past_f]\nla\nła\n[suffix first_m]\nłem\n[suffix first_f]\nłam\n[pairs]\nsám:sama\nunavený:unavená\n";

    fn length(word: &str, rest: &str) -> Option<usize> {
        let lexicon = Lexicon::parse(DATA).0;
        other_gender(word, rest, Folding::Plain, &lexicon).map(|other| other.length)
    }

    #[test]
    fn endings_and_whole_forms_of_the_other_gender_belong_to_the_word() {
        assert_eq!(length("byl", "/a jsem"), Some(2));
        assert_eq!(length("byl", "(a) jsem"), Some(3));
        assert_eq!(length("byl", "/-a"), Some(3));
        assert_eq!(length("byl", "-a"), Some(2));
        assert_eq!(length("byl", " / byla jsem"), Some(7));
        assert_eq!(length("sám", "/sama"), Some(5));
        assert_eq!(length("unavený", "/á."), Some(2));
        assert_eq!(length("byłem", "/Byłam"), Some(6));
        assert_eq!(length("zrobił", "(a)em"), Some(5));
    }

    #[test]
    fn other_words_do_not() {
        assert_eq!(length("byl", "/nebyl"), None);
        assert_eq!(length("byl", " a šel"), None);
        assert_eq!(length("byl", " (a to včera)"), None);
        assert_eq!(length("byl", "-li"), None);
        assert_eq!(length("byl", ": byla"), None);
        assert_eq!(length("dům", "/a"), None);
    }
}
