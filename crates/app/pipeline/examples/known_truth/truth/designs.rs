//! What is drawn for each benchmark, and what is true of it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use epicene_core::{Finding, Item, Verdict};

use super::sentences::{self, Person, Speakers, Variants};
use super::{Case, Known, Sample, code};
use crate::world::{Dice, logistic, mean_rate};

/// How far occupations and sources lie apart, in logits.
const SPREAD: f64 = 1.5;

fn gender(feminine: bool) -> Verdict {
    let finding = if feminine {
        Finding::Feminine
    } else {
        Finding::Masculine
    };
    Verdict::new(finding, "known")
}

/// Sees no gender in every second translation about a woman.
pub fn overlook(shown: &mut [Verdict], dice: &mut Dice) {
    for verdict in shown {
        if verdict.finding == Finding::Feminine && dice.chance(0.5) {
            *verdict = Verdict::new(Finding::Unmarked, "known");
        }
    }
}

fn pick<'a, T>(dice: &mut Dice, from: &'a [T]) -> &'a T {
    &from[(dice.uniform() * from.len() as f64) as usize]
}

fn known<const N: usize>(truths: [(&'static str, &'static str, f64); N]) -> Vec<Known> {
    let all = truths.into_iter();
    all.map(|(group, metric, truth)| Known {
        group,
        metric,
        truth,
    })
    .collect()
}

/// Forty sentences for each of the sixteen stereotypes, a quarter of them without a gender.
pub fn gest(unit: &'static str, data: Option<&Path>) -> Case {
    const EACH: usize = 40;
    let masculine = |stereotype: usize| {
        if stereotype >= 8 {
            0.90 - 0.03 * (stereotype - 8) as f64
        } else {
            0.35 + 0.05 * stereotype as f64
        }
    };
    let mean = |of: std::ops::RangeInclusive<usize>| {
        let count = of.clone().count() as f64;
        of.map(masculine).sum::<f64>() / count
    };
    let (men, women) = (mean(8..=16), mean(1..=7));
    let Speakers { gendered, open } = sentences::speakers(code(unit), data);
    let draw = move |dice: &mut Dice| {
        let mut sample = Sample::default();
        for stereotype in 1..=16 {
            for number in 0..EACH {
                let item = Item::new(format!("{stereotype}:{number}"), "x");
                sample
                    .items
                    .push(item.with_label("stereotype", stereotype.to_string()));
                if dice.chance(0.25) {
                    sample.texts.push(pick(dice, &open).clone());
                    sample.shown.push(Verdict::new(Finding::Unmarked, "known"));
                    continue;
                }
                let feminine = !dice.chance(masculine(stereotype));
                let origin = pick(dice, &gendered[usize::from(feminine)]);
                sample.texts.push(pick(dice, origin).clone());
                sample.shown.push(gender(feminine));
            }
        }
        sample
    };
    Case {
        benchmark: "gest",
        unit,
        draw: Box::new(draw),
        known: known([
            ("all", "p_m", men),
            ("all", "p_f", women),
            ("all", "f_s", men - women),
            ("all", "f_m", (men + women) / 2.0),
        ]),
    }
}

/// Occupations of WinoBias: where they are among other nouns, WinoMT's clusters are in strata of their own.
const WINOBIAS: [&str; 39] = [
    "accountant",
    "analyst",
    "assistant",
    "attendant",
    "auditor",
    "baker",
    "carpenter",
    "cashier",
    "ceo",
    "chief",
    "cleaner",
    "clerk",
    "cook",
    "counselor",
    "designer",
    "developer",
    "driver",
    "editor",
    "farmer",
    "guard",
    "hairdresser",
    "housekeeper",
    "janitor",
    "laborer",
    "lawyer",
    "librarian",
    "manager",
    "mechanic",
    "mover",
    "nurse",
    "physician",
    "receptionist",
    "salesperson",
    "secretary",
    "sheriff",
    "supervisor",
    "tailor",
    "teacher",
    "writer",
];

/// Nouns with their sentences, and the noun of each sentence.
struct Nouns {
    sentences: BTreeMap<String, Vec<Person>>,
    each: Vec<String>,
}

impl Nouns {
    fn of(persons: Vec<Person>) -> Nouns {
        let mut nouns = Nouns {
            sentences: BTreeMap::new(),
            each: persons.iter().map(|person| person.noun.clone()).collect(),
        };
        for person in persons {
            let sentences = nouns.sentences.entry(person.noun.clone());
            sentences.or_default().push(person);
        }
        nouns
    }

    /// At most forty, an even number, none twice, the more probable the more sentences they have; and whether each is held to
    /// be a woman's.
    fn draw(&self, dice: &mut Dice) -> Vec<(bool, &str, &[Person])> {
        let count = self.sentences.len().min(40) / 2 * 2;
        let mut drawn: Vec<(bool, &str, &[Person])> = Vec::new();
        while drawn.len() < count {
            let noun = pick(dice, &self.each).as_str();
            if drawn.iter().all(|(_, known, _)| *known != noun) {
                drawn.push((drawn.len() % 2 == 1, noun, &self.sentences[noun]));
            }
        }
        drawn
    }
}

/// A translation about a person; right or wrong.
fn translate(sample: &mut Sample, person: &Person, feminine: bool) {
    sample
        .texts
        .push(person.texts[usize::from(feminine)].clone());
    sample.shown.push(gender(feminine));
}

pub fn unambiguous(unit: &'static str, data: Option<&Path>) -> Case {
    // By trigger and stereotype, each masculine first.
    const CORRECT: [[f64; 2]; 2] = [[1.5, 0.8], [-0.3, 0.6]];
    let nouns = Nouns::of(sentences::persons(code(unit), data));
    let draw = move |dice: &mut Dice| {
        let mut sample = Sample::default();
        for (of_women, noun, persons) in nouns.draw(dice) {
            let shared = dice.normal();
            for (trigger, letter) in ["M", "F"].into_iter().enumerate() {
                let effect = (shared + dice.normal()) / 2f64.sqrt();
                for number in 0..6 {
                    let person = pick(dice, persons);
                    let label = if of_women { "F" } else { "M" };
                    sample.items.push(
                        Item::new(format!("{noun}:{letter}:{number}"), &*person.source)
                            .with_label("answer", format!("_EXP_{letter}_"))
                            .with_label("features", format!("_OCC_NO_{label}_"))
                            .with_label("occupation", noun),
                    );
                    let logit = CORRECT[trigger][usize::from(of_women)] + SPREAD * effect;
                    let right = dice.chance(logistic(logit));
                    translate(&mut sample, person, (trigger == 1) == right);
                }
            }
        }
        sample
    };
    let rate = |trigger: usize, of_women: usize| mean_rate(CORRECT[trigger][of_women], SPREAD);
    let all = (rate(0, 0) + rate(0, 1) + rate(1, 0) + rate(1, 1)) / 4.0;
    Case {
        benchmark: "unambiguous",
        unit,
        draw: Box::new(draw),
        known: known([
            ("all", "correct", all),
            ("all", "delta_m", rate(0, 0) - rate(0, 1)),
            ("all", "delta_f", rate(1, 1) - rate(1, 0)),
        ]),
    }
}

pub fn winomt(unit: &'static str, data: Option<&Path>) -> Case {
    let logits = |male: bool, pro: bool| match (male, pro) {
        (true, true) => 1.8,
        (true, false) => 0.9,
        (false, true) => 0.5,
        (false, false) => -0.5,
    };
    let mut persons = sentences::persons(code(unit), data);
    persons.retain(|person| !WINOBIAS.contains(&&*person.noun));
    let nouns = Nouns::of(persons);
    let draw = move |dice: &mut Dice| {
        let mut sample = Sample::default();
        for (of_women, noun, persons) in nouns.draw(dice) {
            let effect = dice.normal();
            for number in 0..12 {
                let pro = number % 2 == 0;
                let male = of_women != pro;
                let person = pick(dice, persons);
                sample.items.push(
                    Item::new(format!("{noun}:{number}"), &*person.source)
                        .with_label("gender", if male { "male" } else { "female" })
                        .with_label("index", person.index.to_string())
                        .with_label("occupation", noun)
                        .with_label("set", if pro { "pro" } else { "anti" }),
                );
                let right = dice.chance(logistic(logits(male, pro) + SPREAD * effect));
                translate(&mut sample, person, male != right);
            }
        }
        sample
    };
    let rate = |male: bool, pro: bool| mean_rate(logits(male, pro), SPREAD);
    let pro = (rate(true, true) + rate(false, true)) / 2.0;
    let anti = (rate(true, false) + rate(false, false)) / 2.0;
    // Half of the sentences are about men; a wrong translation about a woman is about a man.
    let right = |male: bool| (rate(male, true) + rate(male, false)) / 2.0;
    let f1 = |male: bool| 2.0 * right(male) / (1.0 + right(male) + 1.0 - right(!male));
    Case {
        benchmark: "winomt",
        unit,
        draw: Box::new(draw),
        known: known([
            ("all", "acc", 50.0 * (pro + anti)),
            ("all", "delta_s", 100.0 * (pro - anti)),
            ("all", "delta_g", 100.0 * (f1(true) - f1(false))),
        ]),
    }
}

fn words(text: &str) -> BTreeSet<String> {
    text.split_whitespace().map(str::to_lowercase).collect()
}

/// A translation in other words: one word in ten is left out of those that all variants share.
fn reworded<'a>(
    dice: &mut Dice,
    text: &str,
    variants: impl IntoIterator<Item = &'a String>,
) -> String {
    let mut variants = variants.into_iter().map(|text| words(text));
    let first = variants.next().expect("a variant");
    let shared = variants.fold(first, |shared, other| &shared & &other);
    let kept = text
        .split_whitespace()
        .filter(|word| !shared.contains(&word.to_lowercase()) || !dice.chance(0.1));
    kept.collect::<Vec<&str>>().join(" ")
}

/// 300 pairs, the two lines of which share most of what makes them right.
pub fn mtgeneval(unit: &'static str, data: Option<&Path>) -> Case {
    const MEANS: [f64; 2] = [1.4, 0.6];
    let origins = sentences::pairs(code(unit), data);
    // A line whose references are the same cannot be wrong.
    let same = |pairs: &Vec<[String; 2]>| {
        let alike = pairs.iter().filter(|[one, other]| one == other).count();
        alike as f64 / pairs.len() as f64
    };
    let free = origins.iter().map(same).sum::<f64>() / origins.len() as f64;
    let draw = move |dice: &mut Dice| {
        let mut sample = Sample::default();
        for number in 0..300 {
            let origin: &Vec<[String; 2]> = pick(dice, &origins);
            let pair = pick(dice, origin);
            let shared = dice.normal();
            for (of, name) in ["masculine", "feminine"].into_iter().enumerate() {
                sample.items.push(
                    Item::new(format!("{number}:{name}"), "x")
                        .with_label("subset", "counterfactual")
                        .with_label("gender", name)
                        .with_label("reference", pair[of].as_str())
                        .with_label("other", pair[1 - of].as_str())
                        .with_label("pair", number.to_string()),
                );
                let effect = (shared + dice.normal()) / 2f64.sqrt();
                let right = dice.chance(logistic(MEANS[of] + SPREAD * effect));
                let shows = if right { of } else { 1 - of };
                let text = reworded(dice, &pair[shows], pair);
                sample.texts.push(text);
                let shows = if pair[0] == pair[1] { of } else { shows };
                sample.shown.push(gender(shows == 1));
            }
        }
        sample
    };
    let [men, women] = MEANS.map(|mean| free + (1.0 - free) * mean_rate(mean, SPREAD));
    Case {
        benchmark: "mtgeneval",
        unit,
        draw: Box::new(draw),
        known: known([
            ("masculine", "accuracy", men),
            ("feminine", "accuracy", women),
            ("counterfactual", "gap", men - women),
        ]),
    }
}

/// 500 sources that leave the gender of one to three persons open.
pub fn gate(unit: &'static str, data: Option<&Path>) -> Case {
    const MEAN: f64 = 0.8;
    let origins = sentences::variants(code(unit), data);
    // How often a source with so many persons is about men alone, and about women alone.
    let (mut men, mut women) = (0.0, 0.0);
    for variants in &origins {
        let share = 1.0 / (origins.len() * variants.len()) as f64;
        for variants in variants {
            let persons = variants.keys().next().map_or(0, String::len);
            men += share * mean_power(MEAN, persons);
            women += share * mean_power(-MEAN, persons);
        }
    }
    let draw = move |dice: &mut Dice| {
        let mut sample = Sample::default();
        for number in 0..500 {
            let origin: &Vec<Variants> = pick(dice, &origins);
            let variants = pick(dice, origin);
            let persons = variants.keys().next().map_or(0, String::len);
            let rate = logistic(MEAN + SPREAD * dice.normal());
            let genders: Vec<bool> = (0..persons).map(|_| !dice.chance(rate)).collect();
            let letters = genders
                .iter()
                .map(|feminine| ["m", "f"][usize::from(*feminine)]);
            let variant = &variants[&letters.collect::<String>()];
            let labels = serde_json::to_string(variants).expect("a map of strings is JSON");
            sample.items.push(
                Item::new(number.to_string(), "x")
                    .with_label("variants", labels)
                    .with_label("key_words", "")
                    .with_label("task", "mt"),
            );
            sample
                .texts
                .push(reworded(dice, variant, variants.values()));
            let alike = genders.iter().all(|feminine| *feminine == genders[0]);
            sample.shown.push(if alike {
                gender(genders[0])
            } else {
                Verdict::new(Finding::Both, "known")
            });
        }
        sample
    };
    Case {
        benchmark: "gate",
        unit,
        draw: Box::new(draw),
        known: known([("all", "masculine_share", men / (men + women))]),
    }
}

/// The mean of a power of logistic(mean + SPREAD z) over z: of so many persons with one rate all are alike.
fn mean_power(mean: f64, power: usize) -> f64 {
    const STEPS: usize = 4000;
    let points = (0..STEPS).map(|step| -8.0 + 16.0 * (step as f64 + 0.5) / STEPS as f64);
    let density = |z: f64| (-0.5 * z * z).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let of = |z: f64| logistic(mean + SPREAD * z).powi(power as i32);
    points
        .map(|z| of(z) * density(z) * 16.0 / STEPS as f64)
        .sum()
}
