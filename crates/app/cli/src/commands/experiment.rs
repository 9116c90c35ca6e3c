//! `epicene reproduce experiment`: what the MBE paper did besides measuring, as far as no model is needed.

use std::path::Path;

use epicene_bench::mbe::extraction::{GenderLists, WordList};
use epicene_bench::mbe::meta_evaluation::agreement;
use epicene_bench::mbe::name_replacement::NameReplacement;
use epicene_bench::mbe::preservation::preservation;
use epicene_bench::mbe::templates::TemplateSet;
use epicene_bench::mcnemar::{AgainstRandom, McNemarForm};
use epicene_bench::sentence_pairs::{SentencePair, read_pairs};
use epicene_bench::{BenchError, MetaTable};
use epicene_report::aligned;

use super::pairs::write_csv_line;
use super::{experiment_tables, human_machine, inducing};
use crate::args::{Experiment, ExperimentArgs};
use crate::commands::extract;
use crate::failure::{Failure, Outcome};
use crate::{console, source};

const PAIR_HEADER: [&str; 5] = [
    "id",
    "sent_more",
    "sent_less",
    "stereo_antistereo",
    "bias_type",
];

pub fn run(args: ExperimentArgs) -> Result<Outcome, Failure> {
    match args.action {
        Experiment::Template {
            lang,
            templates,
            occupations,
        } => template(
            lang.as_deref(),
            templates.as_deref(),
            occupations.as_deref(),
        )?,
        Experiment::ReplaceNames {
            pairs,
            map,
            native,
            seed,
        } => replace_names(&pairs, &map, &native, seed)?,
        Experiment::Sentences { pairs } => {
            let pairs = read_pairs(&source::read(&pairs)?)?;
            console::print(|out| {
                pairs.iter().try_for_each(|pair| {
                    let line = |text: &str| text.replace(['\n', '\r'], " ");
                    writeln!(out, "{}", line(&pair.stereotypical))?;
                    writeln!(out, "{}", line(&pair.anti_stereotypical))
                })
            })?;
        }
        Experiment::Preservation {
            corpus,
            target_words,
        } => {
            let lists = two_lists(&target_words)?;
            let corpus = extract::corpus(&corpus)?;
            let found = preservation(corpus, &GenderLists::embedded(), &lists.0, &lists.1)?;
            let mut lines = vec![
                ["gender", "pairs", "hits", "percent"]
                    .map(str::to_owned)
                    .to_vec(),
            ];
            for (name, found) in ["female", "male"].into_iter().zip(found) {
                let percent = found
                    .percent()
                    .map_or("-".to_owned(), |p| format!("{p:.2}"));
                lines.push(vec![
                    name.to_owned(),
                    found.pairs.to_string(),
                    found.hits.to_string(),
                    percent,
                ]);
            }
            print_table(&lines)?;
        }
        Experiment::Meta { table } => meta(&table)?,
        Experiment::Table1(args) => experiment_tables::run(1, &args.runs)?,
        Experiment::Table2(args) => experiment_tables::run(2, &args.runs)?,
        Experiment::Table3(args) => experiment_tables::run(3, &args.runs)?,
        Experiment::Table4(args) | Experiment::Table5(args) | Experiment::Table6(args) => {
            experiment_tables::run(4, &args.runs)?;
        }
        Experiment::HumanMachine {
            human,
            machine,
            model,
            method,
            out,
        } => human_machine::run(&human, &machine, &model, &method, out.as_ref())?,
        Experiment::Inducing {
            data,
            translations,
            lang,
            mode,
        } => inducing::run(&data, &translations, &lang, mode)?,
        Experiment::Mcnemar {
            only_model,
            only_random,
        } => mcnemar(only_model, only_random)?,
    }
    Ok(Outcome::Done)
}

fn print_table(lines: &[Vec<String>]) -> Result<(), Failure> {
    console::print(|out| out.write_all(aligned(lines, 1).as_bytes()))
}

fn two_lists(paths: &[std::path::PathBuf]) -> Result<(WordList, WordList), Failure> {
    let [female, male] = paths else {
        return Err(Failure::usage("two lists are needed, female and male"));
    };
    let read =
        |path: &Path| -> Result<WordList, Failure> { Ok(WordList::read(&source::read(path)?)?) };
    Ok((read(female)?, read(male)?))
}

fn write_pairs(pairs: &[SentencePair]) -> Result<(), Failure> {
    console::print(|out| {
        write_csv_line(out, &PAIR_HEADER)?;
        pairs.iter().try_for_each(|pair| {
            let cells = [
                &pair.id,
                &pair.stereotypical,
                &pair.anti_stereotypical,
                &pair.direction,
                &pair.bias_type,
            ];
            write_csv_line(out, &cells.map(String::as_str))
        })
    })
}

fn template(
    lang: Option<&str>,
    templates: Option<&Path>,
    occupations: Option<&Path>,
) -> Result<(), Failure> {
    let (set, own) = match (lang, templates) {
        (_, Some(path)) => (TemplateSet::read(&source::read(path)?)?, None),
        (Some(lang), None) => {
            let (templates, own) = TemplateSet::embedded(lang).ok_or_else(|| {
                Failure::usage(format!("there are no templates for `{lang}`"))
                    .with_hint("embedded: ja, ru; others with --templates and --occupations")
            })?;
            let file = source::embedded("templates", templates);
            (TemplateSet::read(&file)?, Some(own))
        }
        (None, None) => {
            return Err(Failure::usage(
                "give --lang ja, --lang ru or --templates FILE",
            ));
        }
    };
    let occupations = match (occupations, own) {
        (Some(path), _) => WordList::read(&source::read(path)?)?,
        (None, Some(own)) => WordList::parse(own),
        (None, None) => return Err(Failure::usage("--templates needs --occupations")),
    };
    let pairs = set.pairs(&occupations);
    write_pairs(&pairs)?;
    console::note(format!(
        "{} pairs: {} occupations, {} templates, {} word pairs; the male sentence is sent_more",
        pairs.len(),
        occupations.entries.len(),
        set.templates.len(),
        set.words.len()
    ));
    Ok(())
}

fn replace_names(
    pairs: &Path,
    map: &Path,
    native: &[std::path::PathBuf],
    seed: u64,
) -> Result<(), Failure> {
    let pairs = read_pairs(&source::read(pairs)?)?;
    let (female, male) = two_lists(native)?;
    let names = NameReplacement::new(&source::read(map)?, female, male)?;
    let mut changed = (0, 0);
    let made: Vec<SentencePair> = pairs
        .iter()
        .enumerate()
        .map(|(index, pair)| {
            let (made, count) = names.replace(pair, index, seed);
            changed.0 += count;
            changed.1 += usize::from(count > 0);
            made
        })
        .collect();
    write_pairs(&made)?;
    console::note(format!(
        "{} names replaced in {} of {} pairs",
        changed.0,
        changed.1,
        made.len()
    ));
    Ok(())
}

fn meta(path: &Path) -> Result<(), Failure> {
    let table = MetaTable::read(&source::read(path)?)?;
    let names = [
        "method",
        "spearman",
        "spearman_p",
        "pearson",
        "pearson_p",
        "direction",
        "diff",
        "signed_diff",
        "n",
    ];
    let mut lines = vec![names.map(str::to_owned).to_vec()];
    for (method, scores) in &table.methods {
        let found = agreement(scores, &table.original).map_err(BenchError::from)?;
        let number = |value: f64| format!("{value:.4}");
        lines.push(vec![
            method.clone(),
            number(found.spearman.r),
            number(found.spearman.p_value),
            number(found.pearson.r),
            number(found.pearson.p_value),
            number(found.direction),
            number(found.difference),
            number(found.signed_difference),
            scores.len().to_string(),
        ]);
    }
    print_table(&lines)
}

fn mcnemar(only_model: u64, only_random: u64) -> Result<(), Failure> {
    let counts = AgainstRandom {
        only_model,
        only_random,
    };
    let mut lines = vec![["form", "statistic", "p"].map(str::to_owned).to_vec()];
    for form in [
        McNemarForm::Exact,
        McNemarForm::ChiSquare,
        McNemarForm::Corrected,
    ] {
        let (statistic, p) = counts.test(form).map_err(BenchError::from)?;
        lines.push(vec![
            form.to_string(),
            format!("{statistic}"),
            format!("{p}"),
        ]);
    }
    print_table(&lines)
}
