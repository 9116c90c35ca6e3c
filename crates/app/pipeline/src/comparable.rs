//! Whether runs can be compared: pairs are made by place, so that both must have asked the same items; and what else is not
//! the same in them, in words.

use epicene_bench::{Card, Given, Options, Stage};
use epicene_core::{Items, SystemCard};
use epicene_run::RunDirectory;

use crate::loading::choices;
use crate::{PipelineError, benchmark};

fn name(run: &RunDirectory) -> String {
    run.path().display().to_string()
}

pub fn refuse_other_data(first: &RunDirectory, second: &RunDirectory) -> Result<(), PipelineError> {
    let [ours, theirs] = [first, second].map(|run| &run.manifest);
    if ours.benchmark == theirs.benchmark && ours.data.sha256 == theirs.data.sha256 {
        return Ok(());
    }
    let data = [ours, theirs].map(|run| format!("{} {}", run.benchmark, run.data.short()));
    Err(PipelineError::NotTheSame {
        first: name(first),
        second: name(second),
        difference: data.join(" against "),
        hint: "a paired comparison needs the same benchmark, data and choice of items".to_owned(),
    })
}

/// Refuses runs on other items, or on the same in another order or wording.
pub fn refuse_other_items(
    (first, ours): (&RunDirectory, &Items),
    (second, theirs): (&RunDirectory, &Items),
) -> Result<(), PipelineError> {
    let Some(place) = ours.first_difference(theirs) else {
        return Ok(());
    };
    let difference = if place == ours.len().min(theirs.len()) {
        format!("{} items against {}", ours.len(), theirs.len())
    } else {
        let (our, their) = (ours.get(place), theirs.get(place));
        let what = if our.id != their.id {
            format!("is {} in one and {} in the other", our.id, their.id)
        } else if our.text != their.text {
            format!("({}) has two texts", our.id)
        } else {
            format!("({}) has other labels", our.id)
        };
        format!("item {} {what}", place + 1)
    };
    let mut unlike: Vec<String> =
        unlike(Stage::is_before_asking, [first, second], &Given::default())?
            .into_iter()
            .map(|(name, [ours, theirs])| format!("--{name} {ours} and {theirs}"))
            .collect();
    let [ours, theirs] = [first, second].map(|run| &run.manifest);
    if ours.limit != theirs.limit {
        let limits =
            [ours, theirs].map(|run| run.limit.map_or("none".to_owned(), |n| n.to_string()));
        unlike.push(format!("--limit {}", limits.join(" and ")));
    }
    if ours.seed != theirs.seed {
        unlike.push(format!("--seed {} and {}", ours.seed, theirs.seed));
    }
    Err(PipelineError::NotTheSame {
        first: name(first),
        second: name(second),
        difference,
        hint: if unlike.is_empty() {
            "ask both about the same items of the same languages".to_owned()
        } else {
            format!(
                "they were asked with {}: ask again with one of them",
                unlike.join(", ")
            )
        },
    })
}

/// Options of some stages that two runs have otherwise.
fn unlike(
    is_meant: fn(Stage) -> bool,
    runs: [&RunDirectory; 2],
    given: &Given,
) -> Result<Vec<(&'static str, [String; 2])>, PipelineError> {
    let benchmark = benchmark(&runs[0].manifest.benchmark)?;
    let card: &Card = benchmark.card();
    let mut records = Vec::new();
    for run in runs {
        let options: Options = choices(run, benchmark, given)?;
        records.push(options.record(card));
    }
    let own = card.specs().filter(|spec| is_meant(spec.stage));
    let both = own.map(|spec| {
        let value = |run: usize| records[run].get(&spec.key()).map_or("off", String::as_str);
        (spec.name, [0, 1].map(|run| value(run).to_owned()))
    });
    Ok(both.filter(|(_, [ours, theirs])| ours != theirs).collect())
}

/// Warnings where the second run was asked, or measured, in another way than the first.
pub fn unlike_options(
    first: &RunDirectory,
    second: &RunDirectory,
    given: &Given,
) -> Result<Vec<String>, PipelineError> {
    let mut warnings = Vec::new();
    for asked in [true, false] {
        let stages = if asked {
            Stage::is_before_asking
        } else {
            |stage: Stage| !stage.is_before_asking()
        };
        let unlike = unlike(stages, [first, second], given)?;
        if unlike.is_empty() {
            continue;
        }
        let say = |run: usize| {
            let said = unlike
                .iter()
                .map(|(name, values)| format!("--{name} {}", values[run]));
            said.collect::<Vec<_>>().join(" ")
        };
        let (ours, theirs, own, other) = (name(first), name(second), say(0), say(1));
        warnings.push(if asked {
            format!(
                "{theirs} was asked with {other}, {ours} with {own}: part of a difference may come from that"
            )
        } else {
            format!(
                "{theirs} has {other}, {ours} has {own}: here both are measured with the options of {ours}"
            )
        });
    }
    Ok(warnings)
}

/// What a system computes in, where that is known: the end of `bf16+f32`, the beginning of `bf16@cuda`.
fn arithmetic(card: &SystemCard) -> Option<&'static str> {
    let computed = card.dtype.as_deref()?.split('@').next()?;
    match computed.rsplit('+').next()? {
        "f32" | "float32" => Some("f32"),
        "tf32" => Some("tf32"),
        "f16" | "float16" => Some("f16"),
        "bf16" | "bfloat16" => Some("bf16"),
        "int8" => Some("int8"),
        _ => None,
    }
}

/// A warning where compared systems compute differently.
pub fn unlike_arithmetic<'a>(cards: impl Iterator<Item = &'a SystemCard>) -> Option<String> {
    let told = cards.filter_map(|card| Some((arithmetic(card)?, card.name.as_str())));
    let told: Vec<(&str, &str)> = told.collect();
    let (first, _) = told.first()?;
    told.iter().find(|(other, _)| other != first)?;
    let each: Vec<String> = told
        .iter()
        .map(|(how, name)| format!("{name} in {how}"))
        .collect();
    Some(format!(
        "the systems were not computed in the same arithmetic ({}): part of a difference may be rounding",
        each.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_arithmetic_is_told() {
        let card = |name: &str, dtype: Option<&str>| SystemCard {
            name: name.to_owned(),
            source: String::new(),
            revision: None,
            dtype: dtype.map(str::to_owned),
            tokenizer: None,
            kind: epicene_core::ModelKind::Masked,
        };
        let told = |dtypes: &[Option<&str>]| {
            let cards: Vec<SystemCard> = dtypes.iter().map(|dtype| card("x", *dtype)).collect();
            unlike_arithmetic(cards.iter())
        };
        assert_eq!(
            told(&[Some("f32"), Some("f16+f32"), None, Some("f32@cuda")]),
            None
        );
        assert_eq!(told(&[Some("bf16@cuda"), Some("f32+bf16")]), None);
        for other in ["f32+bf16", "f16+int8", "bf16@cuda"] {
            let said = told(&[Some("f16+f32"), None, Some(other)]);
            assert!(
                said.is_some_and(|said| said.contains("x in f32, x in ")),
                "{other}"
            );
        }
    }
}
