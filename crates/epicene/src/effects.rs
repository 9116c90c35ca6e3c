//! Options of `run` that would do nothing with the benchmark and the systems of the command. An option that is taken in silence
//! makes somebody believe that it was heeded, so each is refused with a word on what it belongs to. Only what certainly has no
//! effect stands here; what is wrong in itself is refused where it is read.

use epicene_bench::Card;
use epicene_lm::{Placement, SystemSpec};
use epicene_mt::Named;

use crate::args::RunArgs;
use crate::failure::Failure;
use crate::{encoder, systems};

/// An option's name, and whether the command has it.
type Given = (&'static str, fn(&RunArgs) -> bool);

/// Options with one fate.
struct Family {
    options: &'static [Given],
    /// Whether they can do anything.
    heeded: fn(&RunArgs, &Card) -> bool,
    belongs_to: fn() -> String,
}

const FAMILIES: &[Family] = &[
    Family {
        options: &[
            ("--words", |args| args.sentences.lists.words.is_some()),
            ("--names", |args| args.sentences.lists.names.is_some()),
            ("--no-names", |args| args.sentences.lists.no_names),
            ("--names-ignore-case", |args| {
                args.sentences.lists.names_ignore_case
            }),
        ],
        heeded: |args, _| {
            let corpus = &args.sentences.corpus;
            corpus.source.is_some() || corpus.table.is_some()
        },
        belongs_to: || "a parallel corpus (--source EN --target XX, or --table TSV)".to_owned(),
    },
    Family {
        options: &[
            ("--allow-missing", |args| args.allow_missing),
            ("--column", |args| args.column.is_some()),
            ("--trust-language", |args| args.trust_language),
        ],
        heeded: |args, _| args.translators.iter().any(is_file),
        belongs_to: || "files of translations (--mt file:PATH)".to_owned(),
    },
    Family {
        options: &[("--keep-going", |args| args.keep_going)],
        heeded: |args, card| systems::has_translators(args) || card.by_language,
        belongs_to: || "languages (--lang), of which some cannot be measured".to_owned(),
    },
    Family {
        options: &[
            ("--exclude", |args| !args.exclude.is_empty()),
            ("--kind", |args| args.kind.is_some()),
            ("--tokenizer", |args| !args.tokenizer.is_empty()),
        ],
        heeded: |args, _| has_model(args, |spec| matches!(spec, SystemSpec::File(_))),
        belongs_to: || "files of answers (--model file:PATH)".to_owned(),
    },
    Family {
        options: &[
            ("--dtype", |args| args.dtype.is_some()),
            // A general script may well say where nothing is run.
            ("--device", |args| {
                args.device.is_some_and(|device| device != Placement::Cpu)
            }),
        ],
        heeded: |args, _| has_model(args, runs_here) || args.translators.iter().any(is_checkpoint),
        belongs_to: || "models that are run here (hf:, dir:, gguf:, demo:)".to_owned(),
    },
    Family {
        options: &[("--batch-tokens", |args| args.batch_tokens.is_some())],
        heeded: |args, _| has_model(args, runs_here),
        belongs_to: || "models that are run here (--model hf:, dir:, gguf:, demo:)".to_owned(),
    },
    Family {
        options: &[("--ignore-config", |args| !args.ignore_config.is_empty())],
        heeded: |args, _| {
            has_model(args, |spec| matches!(spec, SystemSpec::Checkpoint(_)))
                || args.translators.iter().any(is_checkpoint)
        },
        belongs_to: || "checkpoints (hf:, dir:)".to_owned(),
    },
    Family {
        options: &[("--price", |args| args.price.is_some())],
        heeded: |args, _| has_model(args, is_chat_service),
        belongs_to: || "chat services (--model chat:, anthropic:, gemini:)".to_owned(),
    },
    Family {
        options: &[("--budget", |args| args.budget.is_some())],
        heeded: |args, _| {
            let asked = |named: &Named| !is_file(named) && !is_checkpoint(named);
            has_model(args, is_chat_service) || args.translators.iter().any(asked)
        },
        belongs_to: || "services that cost money (see `epicene list translators`)".to_owned(),
    },
    Family {
        options: &[("--aligner", |args| args.aligner.is_some())],
        heeded: |_, card| encoder::reads_links(card),
        belongs_to: || owners(encoder::reads_links),
    },
    Family {
        options: &[("--unresolved", |args| args.unresolved.is_some())],
        heeded: |_, card| takes_decisions(card),
        belongs_to: || owners(takes_decisions),
    },
];

/// Refuses the first option that would do nothing.
pub fn check(args: &RunArgs, card: &Card) -> Result<(), Failure> {
    for family in FAMILIES {
        let given = family.options.iter().find(|(_, given)| given(args));
        if let Some((option, _)) = given
            && !(family.heeded)(args, card)
        {
            let whose = (family.belongs_to)();
            return Err(Failure::usage(format!(
                "{option} belongs to {whose} and would do nothing here"
            )));
        }
    }
    Ok(())
}

/// The benchmarks that have something, by name.
pub fn owners(have: fn(&Card) -> bool) -> String {
    let cards = epicene_bench::ALL.iter().map(|benchmark| benchmark.card());
    let owners: Vec<&str> = cards
        .filter(|card| have(card))
        .map(|card| card.name)
        .collect();
    owners.join(", ")
}

fn has_model(args: &RunArgs, is: fn(&SystemSpec) -> bool) -> bool {
    args.models.iter().any(is)
}

fn runs_here(spec: &SystemSpec) -> bool {
    matches!(
        spec,
        SystemSpec::Checkpoint(_) | SystemSpec::Gguf(_) | SystemSpec::Embedded(_)
    )
}

fn is_chat_service(spec: &SystemSpec) -> bool {
    matches!(spec, SystemSpec::Chat(_))
}

fn is_file(named: &Named) -> bool {
    named.spec.file().is_some()
}

fn is_checkpoint(named: &Named) -> bool {
    named.spec.is_checkpoint()
}

/// Whether answers may be left to a person, who decides them with `--input decisions=FILE`.
fn takes_decisions(card: &Card) -> bool {
    card.input("decisions").is_some()
}
