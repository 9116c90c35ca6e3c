//! `epicene data lint`: whether a data set of one's own keeps to the guide of GEST, and what it consists of.

use std::path::Path;

use epicene_bench::gest::guide::{self, Finding, Severity};
use epicene_bench::gest::own_set::OwnSet;
use epicene_bench::gest::read_items;
use epicene_bench::{AnswerFile, translations};
use epicene_core::{Answer, Item, Language, counted};
use epicene_lang::first_person::{Detector, Mode};
use epicene_report::aligned;

use crate::args::CheckSentencesArgs;
use crate::commands::validate_sentences;
use crate::failure::{Failure, Outcome};
use crate::{console, source};

pub fn run(args: &CheckSentencesArgs) -> Result<Outcome, Failure> {
    let set = match &args.stereotype_set {
        Some(path) => Some(OwnSet::read(&source::read(path)?)?),
        None => None,
    };
    let file = source::read(&args.sentences)?;
    let items = read_items(&file, set.as_ref())?;
    if let Some(folder) = &args.form {
        return validate_sentences::write_forms(folder, &file, &items);
    }
    if !args.labels.is_empty() {
        return validate_sentences::read_labels(&args.labels, &file, &items);
    }
    let mut findings = guide::check(&items);
    if let (Some(path), Some(lang)) = (&args.translations, &args.lang) {
        findings.extend(silent(path, lang, &items)?);
    }
    findings.sort_by_key(|finding| (finding.item, finding.weight));
    let lines: Vec<Vec<String>> = findings
        .iter()
        .map(|finding| line(finding, &items))
        .collect();
    // Statistics describe the set; whether it may be used is decided alike with them and without.
    let text = if args.statistics {
        statistics(&items)
    } else {
        aligned(&lines, 4)
    };
    console::print(|out| out.write_all(text.as_bytes()))?;
    let refused = |finding: &&Finding| finding.weight == Severity::Refused;
    let mut places: Vec<usize> = findings.iter().filter(refused).map(|f| f.item).collect();
    places.dedup();
    console::say(format!(
        "{}: {} refused, {} to look at",
        counted(items.len(), "sentence", "sentences"),
        places.len(),
        counted(
            findings.iter().filter(|finding| !refused(finding)).count(),
            "finding",
            "findings"
        )
    ));
    Ok(if places.is_empty() {
        Outcome::Done
    } else {
        Outcome::GateFailed
    })
}

fn line(finding: &Finding, items: &[Item]) -> Vec<String> {
    let weight = match finding.weight {
        Severity::Refused => "refused",
        Severity::Doubtful => "doubtful",
    };
    vec![
        (finding.item + 1).to_string(),
        weight.to_owned(),
        finding.rule.to_owned(),
        finding.message.clone(),
        items[finding.item].text.clone(),
    ]
}

/// Sentences whose translation shows no gender: past forms that do so in the target are what the guide asks for.
fn silent(path: &Path, lang: &str, items: &[Item]) -> Result<Vec<Finding>, Failure> {
    let language = Language::find(lang)
        .and_then(|language| Some((language, Detector::of(language, Mode::Strict)?)));
    let Some((language, detector)) = language else {
        return Err(
            Failure::usage(format!("no first-person detector for `{lang}`"))
                .with_hint("`epicene list languages` shows the languages that have one"),
        );
    };
    let gest = epicene_pipeline::benchmark("gest")?;
    let file = AnswerFile::Translations {
        file: source::read(path)?,
        system: "translations".to_owned(),
        language,
        allow_missing: true,
    };
    let sheets = translations::sheets(gest.card(), &[file], items)?;
    let answers = sheets
        .into_iter()
        .flat_map(|sheet| sheet.units)
        .flat_map(|(_, answers)| answers);
    let mut findings = Vec::new();
    for (item, answer) in answers.enumerate() {
        let shown = match &answer {
            Answer::Translation(text) => detector.judge(text).gender().is_some(),
            _ => false,
        };
        if !shown {
            findings.push(Finding {
                item,
                weight: Severity::Doubtful,
                rule: "no-gender",
                message: format!("the {} translation shows no gender", language.name()),
            });
        }
    }
    Ok(findings)
}

fn statistics(items: &[Item]) -> String {
    let counted = guide::statistics(items);
    let mut text = format!(
        "{} sentences, {} different; {:.1} words each, {} different words\n",
        counted.sentences, counted.distinct, counted.words, counted.vocabulary
    );
    let head = ["stereotype", "sentences", "words each"]
        .map(str::to_owned)
        .to_vec();
    let mut lines = vec![head];
    for (name, sentences, words) in counted.by_stereotype {
        let known = name.parse::<u8>().ok().and_then(|id| {
            let all = epicene_bench::gest::stereotypes::all();
            all.iter().find(|stereotype| stereotype.id == id)
        });
        let shown = known.map_or(name.clone(), |known| format!("{name} {}", known.name));
        lines.push(vec![shown, sentences.to_string(), format!("{words:.1}")]);
    }
    text += &aligned(&lines, 1);
    text
}
