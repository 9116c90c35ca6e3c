//! `epicene list`: what this build knows.

use epicene_bench::gest::stereotypes;
use epicene_core::{Language, ModelKind};
use epicene_lang::first_person::{Detector, Mode};
use epicene_lang::occupation::OccupationJudge;
use epicene_lm::ARCHITECTURES;
use epicene_lm::GGUF_FAMILIES;
use epicene_lm::seq2seq::{FILLING_ARCHITECTURES, TRANSLATION_ARCHITECTURES};
use epicene_report::aligned;

use super::published;
use crate::args::{ListArgs, Listing};
use crate::failure::{Failure, Outcome};
use crate::{console, datasets};

pub fn run(args: ListArgs) -> Result<Outcome, Failure> {
    let text = match args.what {
        Listing::Benchmarks => benchmarks(),
        Listing::Stereotypes => stereotype_table(),
        Listing::Published => published::tables(),
        Listing::Architectures => architectures(),
        Listing::Translators => translators(),
        Listing::Languages => languages(),
        Listing::Data => datasets::listing(),
    };
    console::print(|out| out.write_all(text.as_bytes()))?;
    Ok(Outcome::Done)
}

pub fn line(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|cell| (*cell).to_owned()).collect()
}

fn benchmarks() -> String {
    let lines: Vec<Vec<String>> = epicene_bench::ALL
        .iter()
        .map(|benchmark| line(&[benchmark.card().name, benchmark.card().summary]))
        .collect();
    aligned(&lines, 2)
}

fn stereotype_table() -> String {
    let mut lines = vec![line(&["id", "about", "name", "definition"])];
    for stereotype in stereotypes::all() {
        lines.push(line(&[
            &stereotype.id.to_string(),
            stereotype.about,
            stereotype.name,
            stereotype.definition,
        ]));
    }
    aligned(&lines, 4)
}

fn architectures() -> String {
    let mut lines = vec![line(&[
        "architecture",
        "kind",
        "model_type in config.json",
        "well-known checkpoints",
    ])];
    for architecture in ARCHITECTURES {
        lines.push(line(&[
            architecture.name,
            architecture.kind.name(),
            &architecture.model_types.join(", "),
            &architecture.known(),
        ]));
    }
    let fillers = FILLING_ARCHITECTURES
        .iter()
        .map(|architecture| (architecture, ModelKind::Masked));
    let translators = TRANSLATION_ARCHITECTURES
        .iter()
        .map(|architecture| (architecture, ModelKind::Translator));
    for (architecture, kind) in fillers.chain(translators) {
        lines.push(line(&[
            architecture.name,
            kind.name(),
            &architecture.model_types.join(", "),
            &architecture.known(kind),
        ]));
    }
    let gguf: Vec<&str> = GGUF_FAMILIES.iter().map(|family| family.name).collect();
    format!(
        "{}\nGGUF (gguf:PATH), by llama.cpp's names: {}\n",
        aligned(&lines, 4),
        gguf.join(", ")
    )
}

fn translators() -> String {
    let mut lines = vec![line(&["--mt", "what", "needs", "list price"])];
    for form in epicene_mt::catalogue() {
        let price = form.price.and_then(|price| price.words());
        lines.push(line(&[
            form.form,
            form.about,
            form.needs,
            &price.unwrap_or_default(),
        ]));
    }
    aligned(&lines, 4)
}

fn languages() -> String {
    let mut lines = vec![line(&[
        "code",
        "language",
        "script",
        "first person",
        "occupations",
        "benchmarks",
    ])];
    let yes = |known: bool| if known { "yes" } else { "" };
    for language in Language::all() {
        let measures = epicene_bench::ALL.iter().map(|benchmark| benchmark.card());
        let measures = measures.filter(|card| (card.languages)().contains(&language));
        let measures: Vec<&str> = measures.map(|card| card.name).collect();
        let speaker = Detector::of(language, Mode::Published).is_some();
        let occupations = OccupationJudge::of(language).is_some();
        if measures.is_empty() && !speaker && !occupations {
            continue;
        }
        let scripts: Vec<&str> = language
            .scripts()
            .iter()
            .map(|script| script.code())
            .collect();
        lines.push(line(&[
            language.code(),
            language.name(),
            &scripts.join(", "),
            yes(speaker),
            yes(occupations),
            &measures.join(", "),
        ]));
    }
    aligned(&lines, 6)
}
