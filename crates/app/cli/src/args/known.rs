//! What help lists, read from where the things themselves stand: nobody has to remember to name a new benchmark, system or
//! translator here.

use epicene_bench::Options;
use epicene_core::{ModelKind, Scorer};
use epicene_lm::SystemSpec;
use epicene_report::Format;

/// The argument that names a benchmark.
pub fn benchmarks() -> String {
    let all: Vec<&str> = epicene_bench::ALL.iter().map(|b| b.card().name).collect();
    format!("{} (see `epicene list benchmarks`)", all.join(", "))
}

/// `--model` of `run`.
pub fn systems() -> String {
    let forms = SystemSpec::FORMS.join(", ");
    format!("System to measure: {forms} (may be repeated)")
}

/// `--model` of `score`: files of answers cannot be asked.
pub fn answering() -> String {
    let forms = SystemSpec::FORMS.iter().copied();
    let forms: Vec<&str> = forms.filter(|form| !form.starts_with("file:")).collect();
    format!("System to ask: {}", forms.join(", "))
}

/// `--mt` of `run`.
pub fn translators() -> String {
    format!(
        "Translator to measure, [NAME=]SPEC: {}; a file has columns from,to or one translation a line (may be repeated; see `epicene list translators`)",
        epicene_mt::forms().join(", ")
    )
}

/// `--mt` of `translate`.
pub fn translator() -> String {
    let forms = epicene_mt::forms().join(", ");
    format!("Translator: {forms} (see `epicene list translators`)")
}

/// `--format`.
pub fn formats() -> String {
    format!("{} [default: table]", Format::NAMES.join(", "))
}

/// `--method`: what benchmarks that offer a choice of likelihoods have.
pub fn methods() -> String {
    let mut names: Vec<&str> = Vec::new();
    for benchmark in epicene_bench::ALL {
        let mut own: Vec<Scorer> = Vec::new();
        for ask in benchmark.asks(ModelKind::Masked, &Options::default()) {
            if !own.contains(&ask.scorer) {
                own.push(ask.scorer);
            }
        }
        for scorer in own.iter().filter(|_| own.len() > 1) {
            if !names.contains(&scorer.name()) {
                names.push(scorer.name());
            }
        }
    }
    format!(
        "Likelihoods to measure: {} [default: all a file has; of a model what the benchmark wants, for mbe aula]",
        names.join(", ")
    )
}
