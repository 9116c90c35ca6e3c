//! Options of `run` with its benchmark and its systems.

use epicene_bench::Card;
use epicene_bench::options::Needs;
use epicene_lm::SystemSpec;
use epicene_mt::Named;

use super::{
    CHECKPOINTS, Effects, Family, HERE, is_checkpoint, is_elsewhere, is_file, no_effect, owners,
    runs_here,
};
use crate::args::RunArgs;
use crate::failure::Failure;
use crate::{encoder, model_reader, systems};

impl Effects<Card> for RunArgs {
    const FAMILIES: &'static [Family<RunArgs, Card>] = &[
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
                ("--device", |args| is_elsewhere(args.device)),
            ],
            heeded: |args, _| {
                has_model(args, runs_here) || args.translators.iter().any(is_checkpoint)
            },
            belongs_to: || HERE.to_owned(),
        },
        Family {
            options: &[("--batch-tokens", |args| args.batch_tokens.is_some())],
            heeded: |args, _| has_model(args, runs_here),
            belongs_to: || "models that epicene runs (--model hf:, dir:, gguf:, demo:)".to_owned(),
        },
        Family {
            options: &[("--ignore-config", |args| !args.ignore_config.is_empty())],
            heeded: |args, _| {
                has_model(args, |spec| matches!(spec, SystemSpec::Checkpoint(_)))
                    || args.translators.iter().any(is_checkpoint)
            },
            belongs_to: || CHECKPOINTS.to_owned(),
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
            options: &[("--reader", |args| args.reader.is_some())],
            heeded: |_, card| model_reader::reads_answers(card),
            belongs_to: || owners(model_reader::reads_answers),
        },
        Family {
            options: &[
                ("--verdicts", |args| !args.verdicts.is_empty()),
                ("--language-pack", |args| args.language_pack.is_some()),
                ("--parses", |args| !args.parses.is_empty()),
                ("--detector", |args| args.detector_command.is_some()),
            ],
            heeded: |args, _| systems::has_translators(args),
            belongs_to: || "translations (--mt)".to_owned(),
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
}

/// Refuses an option of the benchmark that needs what the command does not measure.
pub fn check_choices(args: &RunArgs, card: &Card) -> Result<(), Failure> {
    let values = &args.choices.given.values;
    for spec in card.specs().filter(|spec| values.contains_key(spec.name)) {
        let translations = systems::has_translators(args);
        let (heeded, whose) = match spec.stage.effect().map(|effect| effect.needs) {
            None | Some(Needs::Nothing) => continue,
            Some(Needs::Translations) => (translations, "translations (--mt)"),
            Some(Needs::Models) => (
                !translations || !args.models.is_empty(),
                "language models (--model)",
            ),
            Some(Needs::PublishedTags) => {
                let published = values.get("detector").map(String::as_str) == Some("published");
                let tags = !args.input.is_empty() || args.translators.iter().any(is_file);
                (published || tags, "--detector published and given tags")
            }
        };
        if !heeded {
            return Err(no_effect(&format!("--{}", spec.name), whose));
        }
    }
    Ok(())
}

fn has_model(args: &RunArgs, is: fn(&SystemSpec) -> bool) -> bool {
    args.models.iter().any(is)
}

fn is_chat_service(spec: &SystemSpec) -> bool {
    matches!(spec, SystemSpec::Chat(_))
}

/// Whether answers may be left to a person, who decides them with `--input decisions=FILE`.
fn takes_decisions(card: &Card) -> bool {
    card.input("decisions").is_some()
}
