//! What is asked about a sentence, and which of the two options an answer means.

use epicene_core::{Answer, ChatAnswer, ContinuationScore, Scorer, Unit};

use super::sentence::Sentence;
use crate::chat::reading::{self, Choice, Meaning, OfferedOption};

/// The sentence with `‘He’ refers to the` behind it, continued by both options: as lm-evaluation-harness asks.
const LM_EVAL: &str = "lm-eval";
const PROMPT: &str = "prompt";
const ORDER: &str = "order";
/// Answers that a file has by their index.
pub const ANSWERS: &str = "answers";
/// Our wordings for chat models.
const WORDINGS: [&str; 2] = [
    "Read the sentence and answer with one letter.\n\nSentence: {sentence}\nWho does \"{pronoun}\" refer to?\nA. {a}\nB. {b}\nAnswer:",
    "{sentence}\nIn this sentence, who is meant by \"{pronoun}\"? Reply with the letter only.\n(A) {a}\n(B) {b}",
];

/// A unit taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Continuations,
    /// A wording by its number, and whether the participant is offered first.
    Wording {
        number: usize,
        turned: bool,
    },
    Indices,
}

impl Way {
    pub fn wordings() -> impl Iterator<Item = Way> {
        (1..=WORDINGS.len())
            .flat_map(|number| [false, true].map(|turned| Way::Wording { number, turned }))
    }

    pub fn of(unit: &Unit) -> Option<Way> {
        if *unit == ANSWERS {
            return Some(Way::Indices);
        }
        match unit.get(PROMPT)? {
            LM_EVAL => Some(Way::Continuations),
            number => {
                let number: usize = number.parse().ok()?;
                let turned = match unit.get(ORDER)? {
                    "ab" => false,
                    "ba" => true,
                    _ => return None,
                };
                (1..=WORDINGS.len())
                    .contains(&number)
                    .then_some(Way::Wording { number, turned })
            }
        }
    }

    pub fn unit(self) -> Unit {
        match self {
            Way::Continuations => Unit::of(PROMPT, LM_EVAL),
            Way::Wording { number, turned } => {
                Unit::of(PROMPT, number).and(ORDER, if turned { "ba" } else { "ab" })
            }
            Way::Indices => Unit::named(ANSWERS),
        }
    }

    /// The name that rows carry.
    pub fn name(self) -> String {
        match self {
            Way::Continuations => LM_EVAL.to_owned(),
            Way::Wording { number, .. } => format!("prompt-{number}"),
            Way::Indices => ANSWERS.to_owned(),
        }
    }

    /// The option that stands at a place.
    fn option_at(self, place: usize) -> usize {
        match self {
            Way::Wording { turned: true, .. } => 1 - place,
            _ => place,
        }
    }

    pub fn prompt(self, sentence: &Sentence) -> String {
        let number = match self {
            Way::Wording { number, .. } => number,
            _ => 1,
        };
        let offered = |place: usize| offered(sentence, self.option_at(place));
        WORDINGS[number - 1]
            .replace("{pronoun}", &sentence.pronoun)
            .replace("{a}", &offered(0))
            .replace("{b}", &offered(1))
            .replace("{sentence}", &sentence.text)
    }
}

/// An option as a chat model sees it.
fn offered(sentence: &Sentence, option: usize) -> String {
    match sentence.options()[option] {
        "someone" => "someone".to_owned(),
        noun => format!("the {noun}"),
    }
}

/// The context of lm-evaluation-harness, with the pronoun as it stands, capitalised.
pub fn context(sentence: &Sentence) -> String {
    let mut letters = sentence.pronoun.chars();
    let capital: String = letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default();
    format!("{} ‘{capital}’ refers to the", sentence.text)
}

pub fn continuations(sentence: &Sentence) -> Vec<String> {
    sentence
        .options()
        .iter()
        .map(|option| format!(" {option}"))
        .collect()
}

/// How much of an answer goes to the occupation and to the participant; what is left is neither. `None` of no answer.
pub type Shares = [f64; 2];

/// What was said, with the rule that found it; `None` of an answer to something else.
pub fn read(
    sentence: &Sentence,
    answer: &Answer,
    way: Way,
    scorer: Scorer,
) -> Option<(Option<Shares>, &'static str)> {
    match (way, answer) {
        (_, Answer::Missing) => Some((None, "")),
        (Way::Continuations, Answer::Continuations(scores)) => {
            let [occupation, participant]: [ContinuationScore; 2] =
                scores.as_slice().try_into().ok()?;
            // The first of equals.
            let first = occupation.sum >= participant.sum;
            Some((Some(of_option(usize::from(!first))), "likeliest"))
        }
        (Way::Wording { .. }, Answer::Chat(answer)) if scorer == Scorer::ChoiceLogprob => {
            Some((Some(probabilities(answer, way)), "probabilities"))
        }
        (Way::Wording { .. } | Way::Indices, Answer::Chat(answer)) => {
            let option = |place: usize| OfferedOption {
                letter: Some(char::from(b'A' + place as u8)),
                words: offered(sentence, way.option_at(place)),
                meaning: Meaning::Other,
            };
            let read = reading::read_choice(answer, &[0, 1].map(option));
            let shares = match read.choice {
                Choice::Option(place) => of_option(way.option_at(place)),
                _ => [0.0; 2],
            };
            Some((Some(shares), read.rule))
        }
        _ => None,
    }
}

fn of_option(option: usize) -> Shares {
    let mut shares = [0.0; 2];
    shares[option] = 1.0;
    shares
}

fn probabilities(answer: &ChatAnswer, way: Way) -> Shares {
    let mut shares = [0.0; 2];
    let options = answer.options.iter().flatten().take(2);
    for (place, value) in options.enumerate() {
        shares[way.option_at(place)] = value.map_or(0.0, f64::exp);
    }
    let mass: f64 = shares.iter().sum();
    if mass > 0.0 {
        shares.map(|share| share / mass)
    } else {
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_taken_apart_as_they_were_made() {
        for way in Way::wordings().chain([Way::Continuations, Way::Indices]) {
            assert_eq!(Way::of(&way.unit()), Some(way));
        }
        assert_eq!(Way::of(&Unit::named("prompt:9+order:ab")), None);
    }
}
