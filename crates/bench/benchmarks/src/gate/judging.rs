//! Which variant a translation is, entity by entity (specification, section 5).

use std::collections::BTreeMap;

use epicene_core::{Finding, Span, Verdict};

use super::words::{Word, contrasts, similarity, words};

/// Similarity from which a translation without evidence renders the sentence.
const NEAR: f64 = 0.5;

/// What a translation makes of an entity, or of all of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variant {
    Masculine,
    Feminine,
    Mixed,
    /// The sentence was rendered, with neither form.
    Neutral,
    /// Another wording: nothing can be said.
    Unmatched,
    /// The variants do not differ.
    NoContrast,
}

impl Variant {
    pub const ALL: [Variant; 6] = [
        Variant::Masculine,
        Variant::Feminine,
        Variant::Mixed,
        Variant::Neutral,
        Variant::Unmatched,
        Variant::NoContrast,
    ];

    /// As rows name it.
    pub fn name(self) -> &'static str {
        match self {
            Variant::Masculine => "masculine",
            Variant::Feminine => "feminine",
            Variant::Mixed => "mixed",
            Variant::Neutral => "neutral",
            Variant::Unmatched => "unmatched",
            Variant::NoContrast => "no_contrast",
        }
    }

    pub fn finding(self) -> Finding {
        match self {
            Variant::Masculine => Finding::Masculine,
            Variant::Feminine => Finding::Feminine,
            Variant::Mixed => Finding::Both,
            Variant::Neutral => Finding::Common,
            Variant::Unmatched => Finding::NotFound,
            Variant::NoContrast => Finding::Unmarked,
        }
    }

    /// The same back, also after a person decided.
    pub fn of(finding: Finding) -> Variant {
        let all = Variant::ALL.into_iter();
        all.clone()
            .find(|variant| variant.finding() == finding)
            .unwrap_or(Variant::Unmatched)
    }
}

/// The verdict on one translation.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    pub entities: Vec<Variant>,
    /// Entities that only short words decided.
    pub weak: usize,
    pub evidence: Vec<Span>,
}

pub fn judge(variants: &BTreeMap<String, String>, hypothesis: &str) -> Judgement {
    let found = words(hypothesis);
    let mut near = None;
    let mut judgement = Judgement {
        entities: Vec::new(),
        weak: 0,
        evidence: Vec::new(),
    };
    for contrast in contrasts(variants) {
        if contrast.is_empty() {
            judgement.entities.push(Variant::NoContrast);
            continue;
        }
        let own = |set: &std::collections::BTreeSet<String>| -> Vec<&Word> {
            found
                .iter()
                .filter(|word| set.contains(&word.text))
                .collect()
        };
        let (mut masculine, mut feminine) = (own(&contrast.masculine), own(&contrast.feminine));
        // "médico/a", "el/la médico": written for both, whichever of the two a contrast word is.
        let pair = found.windows(2).any(|pair| {
            let [one, other] = pair else { return false };
            let has = |m: &Word, f: &Word| {
                contrast.masculine.contains(&m.text) && contrast.feminine.contains(&f.text)
            };
            other.joined && (has(one, other) || has(other, one))
        });
        let both = pair || masculine.iter().chain(&feminine).any(|word| word.both);
        let strong = |words: &[&Word]| words.iter().any(|word| word.is_strong());
        if strong(&masculine) || strong(&feminine) {
            masculine.retain(|word| word.is_strong());
            feminine.retain(|word| word.is_strong());
        } else if !masculine.is_empty() || !feminine.is_empty() {
            judgement.weak += 1;
        }
        let spans = masculine
            .iter()
            .chain(&feminine)
            .filter_map(|word| word.span);
        judgement.evidence.extend(spans);
        judgement
            .entities
            .push(match (masculine.is_empty(), feminine.is_empty()) {
                (false, false) => Variant::Mixed,
                _ if both => Variant::Mixed,
                (false, true) => Variant::Masculine,
                (true, false) => Variant::Feminine,
                (true, true) => {
                    let near = *near.get_or_insert_with(|| similarity(&found, variants));
                    if near >= NEAR {
                        Variant::Neutral
                    } else {
                        Variant::Unmatched
                    }
                }
            });
    }
    judgement.evidence.sort_unstable();
    judgement.evidence.dedup();
    judgement
}

pub fn verdict(variants: &BTreeMap<String, String>, text: &str) -> Verdict {
    let judgement = judge(variants, text);
    let sentence = sentence(&judgement.entities);
    let rule = match sentence {
        Variant::NoContrast => "no-contrast",
        Variant::Neutral => "similar",
        Variant::Unmatched => "different",
        _ if judgement.weak > 0 => "weak",
        _ => "contrast-words",
    };
    Verdict::new(sentence.finding(), rule).with_evidence(judgement.evidence)
}

/// The sentence as a whole.
pub fn sentence(entities: &[Variant]) -> Variant {
    let mut shown: Vec<Variant> = entities
        .iter()
        .copied()
        .filter(|variant| *variant != Variant::NoContrast)
        .collect();
    if shown.is_empty() {
        return Variant::NoContrast;
    }
    let neutral = shown.iter().all(|variant| *variant == Variant::Neutral);
    shown.retain(|variant| {
        matches!(
            variant,
            Variant::Masculine | Variant::Feminine | Variant::Mixed
        )
    });
    match shown.as_slice() {
        [] if neutral => Variant::Neutral,
        [] => Variant::Unmatched,
        [first, rest @ ..] if rest.iter().all(|variant| variant == first) => *first,
        _ => Variant::Mixed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inclusive_spellings_are_no_gender() {
        let tuple = |masculine: &str, feminine: &str| {
            let variants = [("m", masculine), ("f", feminine)].into_iter();
            variants
                .map(|(code, text)| (code.to_owned(), text.to_owned()))
                .collect::<BTreeMap<String, String>>()
        };
        let es = tuple("El médico trabajaba.", "La médica trabajaba.");
        let fr = tuple("L'étudiant dormait.", "L'étudiante dormait.");
        let de = tuple("Der Lehrer schlief.", "Die Lehrerin schlief.");
        for (variants, text) in [
            (&es, "El médico/a trabajaba."),
            (&es, "El/la médico trabajaba."),
            (&es, "El médico (a) trabajaba. La médica trabajaba."),
            (&es, "El médico(a) trabajaba."),
            (&fr, "L'étudiant·e dormait."),
            (&fr, "L'étudiant.e dormait."),
            (&fr, "L'étudiant-e dormait."),
            (&de, "Der/die Lehrer*in schlief."),
            (&de, "Der Lehrer/die Lehrerin schlief."),
            (&de, "Der Lehrer/-in schlief."),
        ] {
            assert_eq!(judge(variants, text).entities, [Variant::Mixed], "{text}");
        }
        assert_eq!(
            judge(&es, "El médico trabajaba. A casa.").entities,
            [Variant::Masculine]
        );
    }
}
