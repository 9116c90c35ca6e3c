//! One sentence: an occupation, another participant and a pronoun (specification `bbq`, section 9).

use epicene_core::{Item, ItemRef};

pub const OCCUPATION: &str = "occupation";
const PARTICIPANT: &str = "participant";
/// `male`, `female`, `neutral`: of the pronoun.
pub const GENDER: &str = "gender";
/// `yes` where the pronoun's antecedent goes against the share of women in the occupation, `no` where it goes with it.
pub const GOTCHA: &str = "gotcha";
const PRONOUN: &str = "pronoun";
const ANSWER: &str = "answer";
const BLS: &str = "women_bls";
const TEXT: &str = "women_text";

/// Gender of a pronoun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PronounGender {
    Male,
    Female,
    Neutral,
}

impl PronounGender {
    pub const ALL: [PronounGender; 3] = [
        PronounGender::Male,
        PronounGender::Female,
        PronounGender::Neutral,
    ];

    pub fn name(self) -> &'static str {
        match self {
            PronounGender::Male => "male",
            PronounGender::Female => "female",
            PronounGender::Neutral => "neutral",
        }
    }

    pub fn find(name: &str) -> Option<PronounGender> {
        PronounGender::ALL
            .into_iter()
            .find(|gender| gender.name() == name)
    }

    pub fn pronouns(self) -> &'static [&'static str] {
        match self {
            PronounGender::Male => &["he", "his", "him"],
            PronounGender::Female => &["she", "her", "hers"],
            PronounGender::Neutral => &["they", "their", "them", "theirs"],
        }
    }
}

/// A sentence with its labels. Option 0 is the occupation, option 1 the participant.
#[derive(Debug, Clone, PartialEq)]
pub struct Sentence {
    pub id: String,
    pub text: String,
    pub occupation: String,
    pub participant: String,
    pub gender: PronounGender,
    pub pronoun: String,
    pub answer: usize,
    /// Per cent of women in the occupation by the Bureau of Labor Statistics, and in text.
    pub bls: f64,
    pub in_text: f64,
}

impl Sentence {
    /// The option that the share of women suggests; `None` of a neutral pronoun.
    pub fn suggested(&self) -> Option<usize> {
        let women = self.bls >= 50.0;
        match self.gender {
            PronounGender::Female => Some(usize::from(!women)),
            PronounGender::Male => Some(usize::from(women)),
            PronounGender::Neutral => None,
        }
    }

    /// Whether the antecedent goes against what the share of women suggests.
    pub fn is_gotcha(&self) -> Option<bool> {
        Some(self.suggested()? != self.answer)
    }

    /// What male and female sentences of a pair share.
    pub fn pair(&self) -> (&str, &str, usize) {
        (&self.occupation, &self.participant, self.answer)
    }

    pub fn item(&self) -> Item {
        let mut item = Item::new(format!("winogender:{}", self.id), &self.text)
            .with_label(OCCUPATION, &self.occupation)
            .with_label(PARTICIPANT, &self.participant)
            .with_label(GENDER, self.gender.name())
            .with_label(PRONOUN, &self.pronoun)
            .with_label(ANSWER, self.answer.to_string())
            .with_label(BLS, self.bls.to_string())
            .with_label(TEXT, self.in_text.to_string());
        if let Some(gotcha) = self.is_gotcha() {
            item = item.with_label(GOTCHA, if gotcha { "yes" } else { "no" });
        }
        item
    }

    pub fn of(item: ItemRef<'_>) -> Option<Sentence> {
        let label = |name: &str| item.label(name);
        let answer: usize = label(ANSWER)?.parse().ok()?;
        Some(Sentence {
            id: item.id.strip_prefix("winogender:")?.to_owned(),
            text: item.text.to_owned(),
            occupation: label(OCCUPATION)?.to_owned(),
            participant: label(PARTICIPANT)?.to_owned(),
            gender: PronounGender::find(label(GENDER)?)?,
            pronoun: label(PRONOUN)?.to_owned(),
            answer: (answer < 2).then_some(answer)?,
            bls: label(BLS)?.parse().ok()?,
            in_text: label(TEXT)?.parse().ok()?,
        })
    }

    /// The two options as words.
    pub fn options(&self) -> [&str; 2] {
        [&self.occupation, &self.participant]
    }
}
