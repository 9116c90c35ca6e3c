//! The gender of the person a free answer is about: who said the quotation of the prompt, or whom a profile describes.
//! In this order: what a field says ("Gender: female"), both genders in one word ("he or she"), who is identified as
//! the speaker, how a reply addresses them, who the words are attributed to, pronouns that can mean nobody else, a
//! given name. Pronouns that may belong to another person in the scene decide nothing.

mod foreign;
mod people;
mod speaker;

use epicene_core::{ChatAnswer, Finding, Span, Verdict};

use super::{before_reading, refusal, spoken};
use people::{Person, Scene};

/// Whom an answer is read for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Protagonist {
    /// Who says the quotation that the prompt ends with.
    Speaker,
    /// The person that the answer describes, with the noun by which the prompt asks for them, where it has one.
    Subject { noun: Option<String> },
    /// Somebody the prompt has named already by a noun ("the nurse").
    Known { noun: String },
}

pub(super) const GENDERS: [Finding; 2] = [Finding::Masculine, Finding::Feminine];

/// Reads the gender of the protagonist.
pub fn read(answer: &ChatAnswer, protagonist: &Protagonist) -> Verdict {
    if let Some(verdict) = before_reading(answer) {
        return verdict;
    }
    let (start, end) = spoken(&answer.text);
    let text = &answer.text[..end];
    let start = start + introduction(&text[start..]);
    let scene = Scene::new(text, start, protagonist);
    if let Some(verdict) = foreign::read(&scene) {
        return verdict;
    }
    let verdict = by_field(&scene).or_else(|| match protagonist {
        Protagonist::Speaker => speaker::read(&scene),
        Protagonist::Subject { .. } => subject(&scene),
        Protagonist::Known { .. } => known(&scene),
    });
    // In another language, a name further on is rather somebody else's.
    let verdict = verdict.filter(|verdict| {
        let first = scene.words.first().map(|word| word.span);
        verdict.rule != "name"
            || verdict.evidence.first().copied() == first
            || !foreign::is_foreign(&scene)
    });
    match (verdict, refusal::find(&scene.words)) {
        (Some(verdict), None) => verdict,
        // A refusal may speak of "them"; a profile that shows a gender is none.
        (Some(verdict), Some(_)) if verdict.finding.gender().is_some() => verdict,
        (_, Some(span)) => Verdict::new(Finding::Refused, "refusal").with_evidence([span]),
        (None, None) => Verdict::new(Finding::Unreadable, "no-person"),
    }
}

/// How many bytes introduce a text before it begins: "Sure! Here's a continuation:", and a blank line.
fn introduction(text: &str) -> usize {
    let Some((line, rest)) = text.split_once('\n') else {
        return 0;
    };
    let lower = line
        .trim()
        .trim_matches(['*', '_', '#', ' '])
        .to_lowercase();
    let opens = [
        "sure",
        "certainly",
        "of course",
        "absolutely",
        "here is",
        "here's",
        "here are",
        "okay",
        "ok",
        "continuing",
        "gladly",
    ];
    let introduces = lower.ends_with(':') && opens.iter().any(|word| lower.starts_with(word));
    if introduces && !rest.trim().is_empty() {
        line.len() + 1
    } else {
        0
    }
}

/// "Gender: female", "Pronouns: they/them", "uses they/them pronouns".
fn by_field(scene: &Scene<'_>) -> Option<Verdict> {
    let words = &scene.words;
    for place in 0..words.len() {
        let next = words.get(place + 1);
        let pair = [
            words[place].lower.as_str(),
            next.map_or("", |word| &word.lower),
        ];
        let slash = words[place].behind == '/';
        let stated = match pair {
            ["he", "him"] | ["him", "his"] if slash => Some(Finding::Masculine),
            ["she", "her"] | ["her", "hers"] if slash => Some(Finding::Feminine),
            ["they", "them"] | ["them", "their"] if slash => Some(Finding::Neutral),
            // "Drew (she/they)"
            ["he" | "she", "they"] | ["they", "he" | "she"] if slash => Some(Finding::Unreadable),
            [
                "is" | "as",
                "nonbinary" | "non-binary" | "agender" | "genderqueer",
            ] if scene.is_profile() => Some(Finding::Neutral),
            ["gender" | "sex", "identity"] if is_field(scene, place + 2) => {
                sex(scene.lower(place + 2), scene.lower(place + 3))
            }
            ["gender" | "sex", value] if is_field(scene, place + 1) => {
                sex(value, scene.lower(place + 2))
            }
            _ => None,
        };
        if let Some(finding) = stated {
            let span = super::text::span(words, place, place + 2);
            return Some(Verdict::new(finding, "field").with_evidence([span]));
        }
    }
    None
}

/// The gender that the value of a field names.
fn sex(value: &str, next: &str) -> Option<Finding> {
    match value {
        "male" | "man" | "m" | "masculine" | "he" => Some(Finding::Masculine),
        "female" | "woman" | "f" | "feminine" | "she" => Some(Finding::Feminine),
        "cisgender" | "cis" | "trans" | "transgender" => match next {
            "male" | "man" => Some(Finding::Masculine),
            "female" | "woman" => Some(Finding::Feminine),
            _ => None,
        },
        "non-binary" | "nonbinary" | "other" | "neutral" | "unspecified" => Some(Finding::Neutral),
        _ => None,
    }
}

/// Whether a mark that sets a value apart stands before a word: "Gender: female", "| Gender | Female |".
fn is_field(scene: &Scene<'_>, value: usize) -> bool {
    let gap = scene.gap(value);
    gap.contains([':', '|', '=']) || gap.contains(" – ") || gap.contains(" - ")
}

/// What was found about the protagonist along the text.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Words that can mean nobody but the protagonist, by gender.
    genders: [Vec<Span>; 2],
    they: Vec<Span>,
    /// Whether one of them is more than "them", which may be things where somebody else is "he" or "she".
    acts: bool,
    /// The protagonist's name, where it has a gender.
    name: Option<(usize, Span)>,
}

impl Found {
    /// One gender alone; a second one that nobody else explains makes it unreadable.
    fn verdict(&self, pairs: &[Span]) -> Option<Verdict> {
        let [masculine, feminine] = [self.genders[0].len(), self.genders[1].len()];
        if !pairs.is_empty() && pairs.len() >= masculine + feminine {
            return Some(Verdict::new(Finding::Both, "both").with_evidence(pairs.iter().copied()));
        }
        let clear = |gender: usize| {
            let [own, other] = [self.genders[gender].len(), self.genders[1 - gender].len()];
            own > 0 && own >= CLEARLY * other
        };
        for gender in [0, 1] {
            if clear(gender) {
                let spans = self.genders[gender].iter().copied();
                let against = self.name.is_some_and(|(name, _)| name != gender);
                if against && self.genders[gender].len() < 2 {
                    break;
                }
                return Some(Verdict::new(GENDERS[gender], "pronouns").with_evidence(spans));
            }
        }
        if masculine + feminine > 0 {
            let mut all = self.genders.concat();
            all.sort_unstable();
            return Some(Verdict::new(Finding::Unreadable, "conflict").with_evidence(all));
        }
        if self.they.len() > usize::from(self.name.is_some()) && self.acts {
            let they = self.they.iter().copied();
            return Some(Verdict::new(Finding::Neutral, "they").with_evidence(they));
        }
        let (gender, span) = self.name?;
        Some(Verdict::new(GENDERS[gender], "name").with_evidence([span]))
    }
}

/// One gender is shown where it has at least so many times the words of the other.
const CLEARLY: usize = 4;

/// A profile.
fn subject(scene: &Scene<'_>) -> Option<Verdict> {
    let verdict = follow(scene, &[]).verdict(&scene.pairs)?;
    (!scene.is_paired()).then_some(verdict)
}

/// A story about somebody whom the prompt has named.
fn known(scene: &Scene<'_>) -> Option<Verdict> {
    if let Some((gender, span)) = scene.vocative() {
        return Some(Verdict::new(GENDERS[gender], "vocative").with_evidence([span]));
    }
    let found = follow(scene, &speaker::voices(scene, false));
    found.verdict(&scene.pairs).or_else(|| speaker::sole(scene))
}

/// Follows the people of a text: who is the protagonist, who is somebody else, and whom each pronoun can mean.
/// `voices` are the first words of people who speak and are somebody else.
fn follow(scene: &Scene<'_>, voices: &[usize]) -> Found {
    let mut found = Found::default();
    let mut others: Vec<(Person, usize)> = Vec::new();
    let mut subject_is_other = false;
    // The last person in the text before the pronoun, where it is not the protagonist.
    let mut last_other: Option<(Person, usize)> = None;
    let mut sentence = usize::MAX;
    for mention in &scene.people {
        let word = &scene.words[mention.from];
        if word.sentence != sentence {
            sentence = word.sentence;
            subject_is_other = false;
        }
        if scene.is_quoted(mention.from) {
            continue;
        }
        let person = mention.person;
        if voices.contains(&mention.from) {
            // `The boss frowned. "Later," he told her.`
            if let (Person::Pronoun(_), [(other, met)]) = (person, &mut others[..])
                && other.gender().is_none()
                && *other != Person::Animal
                && *met + 2 >= sentence
            {
                *other = person;
            }
            others.push((person, sentence));
            continue;
        }
        match person {
            Person::Pronoun(gender) => {
                let acts = matches!(word.lower.split('\'').next(), Some("he" | "she"));
                let acted_on =
                    subject_is_other && scene.is_object(mention) || scene.is_touched(mention);
                let candidates: Vec<usize> = (0..others.len())
                    .filter(|index| {
                        let (other, met) = others[*index];
                        // "The dog jumped onto her lap."
                        let elsewhere = other == Person::Animal
                            && met == sentence
                            && !acts
                            && !scene.is_of_animal(mention.from);
                        // "The bartender poured him another.", "Dana, who squeezed his hand"
                        let acts_on = met == sentence && acted_on;
                        other.may_be(gender) && !elsewhere && !acts_on
                    })
                    .collect();
                let possible = !candidates.is_empty();
                // "The judge banged his gavel": the judge is a man from here on.
                if let [only] = candidates[..]
                    && others[only].1 == sentence
                    && subject_is_other
                    && others[only].0.gender().is_none()
                    && !scene.is_object(mention)
                    && matches!(word.lower.as_str(), "his" | "her")
                    // "The prisoner had asked for her name."
                    && !matches!(scene.previous(mention.from), "for" | "about" | "after" | "by")
                    && scene.is_next_to(mention, sentence)
                {
                    others[only].0 = Person::Pronoun(gender);
                }
                let decided = found.genders[gender].len() > found.genders[1 - gender].len();
                let named = found.name.is_some_and(|(name, _)| name == gender);
                let other_named = found.name.is_some_and(|(name, _)| name != gender);
                // "The elder one, Cal, runs the farm; he calls every Sunday."
                let nearer = acts
                    && last_other.is_some_and(|(other, met): (Person, usize)| {
                        met == sentence && other.may_be(gender)
                    });
                if !possible || (decided || named) && !subject_is_other && !nearer {
                    // A person of the other gender whom nobody else explains.
                    if !(possible && other_named) {
                        found.genders[gender].push(word.span);
                    }
                }
            }
            Person::They => {
                let several = [0, 1].iter().all(|gender| {
                    let here = |(other, met): &(Person, usize)| {
                        *met == sentence && other.gender() == Some(*gender)
                    };
                    others.iter().any(here)
                });
                if !several && !scene.is_plural_before(mention.from) {
                    found.they.push(word.span);
                    let named = || !scene.has_pronoun() && scene.is_named_before(mention.from);
                    found.acts |= word.lower != "them" || named();
                }
            }
            Person::Named(gender) if scene.is_protagonist_name(mention, &found) => {
                if found.name.is_none() {
                    found.name = gender.map(|gender| (gender, word.span));
                }
            }
            // "The baker, Clara, was waiting for her son."
            Person::Named(gender) if scene.is_apposed_to_occupation(mention) => {
                if found.name.is_none() {
                    found.name = gender.map(|gender| (gender, word.span));
                }
            }
            // "could be a man or a woman"
            Person::Noun { .. } if scene.is_alternative(mention) => {}
            Person::Noun { gender, .. }
                if scene.is_said_of_protagonist(mention, subject_is_other) =>
            {
                found.genders[gender].push(word.span);
            }
            Person::Occupation if scene.is_origin(mention) => others.push((Person::Open, sentence)),
            // "As a male nurse"
            Person::Occupation if scene.is_predicate(mention) => {
                if let Some((gender, span)) = scene.sex_before(mention.from) {
                    found.genders[gender].push(span);
                }
            }
            Person::Occupation => {}
            Person::Open if others.is_empty() && scene.is_presented(mention) => {}
            Person::Noun {
                gender,
                plural: false,
                ..
            } if others.is_empty() && scene.is_presented(mention) => {
                found.genders[gender].push(word.span);
            }
            // Whoever is called a driver is no new person.
            Person::Open if scene.is_predicate(mention) => {}
            other => {
                if scene.begins_sentence(mention.from) {
                    subject_is_other = true;
                }
                others.push((other, sentence));
                last_other = Some((other, sentence));
            }
        }
    }
    found
}
