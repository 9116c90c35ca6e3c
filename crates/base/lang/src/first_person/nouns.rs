//! Nouns that name the speaker ("Som vedkyňa"): whether they count, and where the lexicon of persons finds them.
//!
//! A masculine noun is used of women more or less often, by language and by trade. So the rules count only nouns that
//! a language's data file lists, and Slavic ones list few; whoever wants all of them asks for the lexicon.

use super::predicate::Found;
use super::sentence::{Kind, Sentence};
use super::tags::Tags;
use epicene_core::Language;

use crate::Gender;
use crate::occupation::{JudgeMode, NounGender, OccupationJudge, Token};
use crate::person::Cells;

/// Which nouns for the speaker count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Nouns {
    /// Those that the language's rules list.
    #[default]
    Listed,
    /// Also every predicate noun that the lexicon of persons knows. Strict mode only.
    Lexicon,
    /// None.
    Off,
}

impl Nouns {
    /// All choices with their names, as options and signatures spell them.
    pub const NAMES: [(&'static str, Nouns); 3] = [
        ("listed", Nouns::Listed),
        ("lexicon", Nouns::Lexicon),
        ("off", Nouns::Off),
    ];

    pub fn name(self) -> &'static str {
        match self {
            Nouns::Listed => "listed",
            Nouns::Lexicon => "lexicon",
            Nouns::Off => "off",
        }
    }
}

impl std::str::FromStr for Nouns {
    type Err = String;

    fn from_str(given: &str) -> Result<Nouns, String> {
        let found = Nouns::NAMES.into_iter().find(|(name, _)| *name == given);
        let known = Nouns::NAMES.map(|(name, _)| name).join(", ");
        found
            .map(|(_, nouns)| nouns)
            .ok_or_else(|| format!("`{given}` is none of {known}"))
    }
}

/// The predicate nouns of a text, by the lexicon of persons.
pub(crate) struct Predicates<'a> {
    text: &'a str,
    judge: &'static OccupationJudge,
    tokens: Vec<Token>,
}

impl<'a> Predicates<'a> {
    /// `None` for a language without a lexicon of persons. Bosnian has Croatian's.
    pub(crate) fn of(language: Language, text: &'a str) -> Option<Predicates<'a>> {
        let code = match language.code() {
            "bs" => "hr",
            code => code,
        };
        let judge = OccupationJudge::for_language(code)?;
        Some(Predicates {
            text,
            judge,
            tokens: judge.tokens(text),
        })
    }

    /// Every noun behind "I am" that shows one gender.
    pub(crate) fn each(&self, sentence: &Sentence, tell: &mut dyn FnMut(Found)) {
        for anchor in 0..sentence.len() {
            if let Some(noun) = behind(sentence, anchor)
                && let Some(gender) = self.gender(
                    sentence.tokens[noun].start as usize,
                    sentence.tags(anchor).any(Tags::AUX),
                )
            {
                tell(Found::new(gender, noun).at(anchor));
            }
        }
    }

    /// The gender of a noun for a person that can be a predicate by its case: "sestra", and behind a verb "sestrou",
    /// not "sestru".
    fn gender(&self, start: usize, behind_verb: bool) -> Option<Gender> {
        let at = self.tokens.iter().position(|token| token.start == start)?;
        let view = self.judge.view(&self.tokens, "");
        let noun = view.listed(at).filter(|_| view.is_listed_person(at))?;
        let instrumental = instrumental(self.judge.language());
        let in_it = instrumental.iter().any(|end| view.word(at).ends_with(end));
        let singular = if behind_verb && in_it {
            noun.cells
        } else {
            noun.citation
        };
        let gender = singular.without(Cells::PLURALS).single()?;
        let verdict = self
            .judge
            .judge(self.text, &self.tokens, &[at], "", JudgeMode::Default);
        // The judge may look for a better noun beside this one.
        let speaks = verdict.rule == "noun"
            && verdict
                .evidence
                .iter()
                .any(|word| word.start as usize == start);
        let gender = match gender {
            NounGender::Masculine => Gender::Masculine,
            NounGender::Feminine => Gender::Feminine,
            NounGender::Neuter | NounGender::Common => return None,
        };
        (speaks && verdict.gender() == Some(gender)).then_some(gender)
    }
}

/// Endings of the singular instrumental, where a language puts a predicate noun in it ("budem učiteľkou").
fn instrumental(code: &str) -> &'static [&'static str] {
    match code {
        "sk" => &["ou", "om"],
        "cs" => &["ou", "em"],
        "pl" => &["ą", "em"],
        "hr" | "sr" => &["om", "em"],
        "ru" => &["ой", "ей", "ою", "ею", "ом", "ем", "ём"],
        "uk" => &["ою", "ею", "єю", "ом", "ем", "єм"],
        "be" => &["ай", "яй", "ой", "ёй", "аю", "яю", "ам", "ям", "ом", "ём"],
        "lt" => &["a", "e", "u", "iu", "imi"],
        _ => &[],
    }
}

/// The noun behind a first-person "am" at `anchor`, or behind "I" where nothing else is said. Where a verb has its own
/// say, nouns are its objects ("Poprosil som sestru"), and a copula in the past shows the gender by itself.
fn behind(sentence: &Sentence, anchor: usize) -> Option<usize> {
    let tags = sentence.tags(anchor);
    let phrase = sentence.phrase(anchor);
    let verb = Tags::FIRST | Tags::FINITE | Tags::MAYBE_FINITE | Tags::PAST_MF | Tags::PAST_X;
    let others = |classes: Tags| {
        let mut places = phrase.clone().filter(|&index| index != anchor);
        places.any(|index| sentence.tags(index).any(classes))
    };
    let lexical = Tags::FINITE | Tags::PAST_MF | Tags::PAST_X | Tags::INFINITIVE;
    let am = tags.any(Tags::FIRST)
        && tags.any(Tags::AUX)
        && !others(lexical | Tags::THIRD | Tags::OTHER_SUBJECT);
    let bare = tags.any(Tags::SPEAKER)
        && !others(verb | Tags::AUX | Tags::OTHER_SUBJECT | Tags::THIRD | Tags::INFINITIVE);
    if !am && !bare {
        return None;
    }
    let light = Tags::ADVERB | Tags::CLITIC | Tags::DETERMINER | Tags::ADJ_MF | Tags::SPEAKER;
    let copula = Tags::COPULA;
    (anchor + 1..phrase.end)
        .take_while(|&index| {
            let tags = sentence.tags(index);
            let passes = tags.any(light | copula) || !tags.any(verb | Tags::PREPOSITION);
            sentence.tokens[index].kind == Kind::Word && passes
        })
        .find(|&index| {
            let tags = sentence.tags(index);
            let particle = Tags::ADVERB | Tags::CLITIC | Tags::DETERMINER | Tags::SPEAKER | copula;
            let agrees = tags.any(Tags::ADJ_MF | Tags::INS_MF);
            let attribute = agrees && index + 1 < phrase.end;
            !tags.any(particle) && !attribute
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::first_person::{Detector, Mode};

    #[test]
    fn nouns_for_the_speaker_count_as_chosen() {
        let detector = |code: &str, mode: Mode| {
            let language = Language::find(code).unwrap();
            Detector::of(language, mode).unwrap()
        };
        let verdict = |language: &str, nouns: Nouns, text: &str| {
            let detector = detector(language, Mode::Strict).with_nouns(nouns);
            detector.judge(text).gender().map_or('u', Gender::letter)
        };
        let mut wrong = Vec::new();
        for (language, text, wanted) in [
            ("sk", "Som učiteľka.", 'f'),
            ("sk", "Som učiteľ.", 'm'),
            ("cs", "Jsem dobrá učitelka.", 'f'),
            ("ru", "Я учительница.", 'f'),
            ("sk", "Moja sestra je učiteľka a som doma.", 'u'),
            ("sk", "Budem učiteľkou.", 'f'),
            ("pl", "Jestem dobrą nauczycielką.", 'f'),
            ("hr", "Ja sam učiteljica.", 'f'),
            ("sl", "Sem učitelj.", 'm'),
            ("bg", "Аз съм учителка.", 'f'),
            // Objects, and what a preposition governs, are somebody else.
            ("sk", "Poprosil som sestru o pomoc.", 'm'),
            ("sk", "Sestru som poprosil o pomoc.", 'm'),
            ("sk", "Nadvihol som jej tvár.", 'm'),
            ("sk", "Som sestre vďačný.", 'm'),
            ("sk", "Budem volať sestru.", 'u'),
            ("cs", "Poprosil jsem sestru o pomoc.", 'm'),
            ("cs", "Viděl jsem tam učitelku.", 'm'),
            ("pl", "Będę prosić siostrę o pomoc.", 'u'),
            ("hr", "Zamolio sam sestru za pomoć.", 'm'),
            ("sr", "Замолио сам сестру за помоћ.", 'm'),
            ("sl", "Prosil sem sestro za pomoč.", 'm'),
            ("bg", "Помолил съм сестра си за помощ.", 'm'),
            ("ru", "Я попросил сестру о помощи.", 'm'),
            ("ru", "Я сестру люблю.", 'u'),
            ("uk", "Я таку відповідь вам надам.", 'u'),
            ("uk", "Я попросив сестру про допомогу.", 'm'),
            ("be", "Я папрасіў сястру аб дапамозе.", 'm'),
            ("be", "Я буду прасіць сястру.", 'u'),
        ] {
            let found = verdict(language, Nouns::Lexicon, text);
            if found != wanted {
                wrong.push(format!("{language} {found} not {wanted}: {text}"));
            }
        }
        assert_eq!(wrong, [""; 0]);
        assert_eq!(verdict("sk", Nouns::Listed, "Som vedkyňa."), 'u');
        assert_eq!(verdict("sk", Nouns::Listed, "Som učiteľka."), 'f');
        assert_eq!(verdict("sk", Nouns::Off, "Som učiteľka."), 'u');
        assert_eq!(verdict("es", Nouns::Listed, "Soy ingeniera."), 'f');
        assert_eq!(verdict("es", Nouns::Off, "Soy ingeniera."), 'u');
        let signed = |language, nouns| detector(language, Mode::Strict).with_nouns(nouns).nouns();
        assert_eq!(signed("sk", Nouns::Listed), None);
        assert_eq!(signed("sk", Nouns::Lexicon), Some(Nouns::Lexicon));
        assert_eq!(signed("sk", Nouns::Off), Some(Nouns::Off));
        assert_eq!(signed("es", Nouns::Listed), Some(Nouns::Listed));
        let published = detector("sk", Mode::Published);
        assert_eq!(published.with_nouns(Nouns::Lexicon).nouns(), None);
    }
}
