//! Options of commands that read lines and write lines.

use epicene_core::{Language, Scorer};
use epicene_lang::first_person::Mode;
use epicene_lm::SystemSpec;
use epicene_mt::Named;

use super::{CHECKPOINTS, Effects, Family, HERE, is_checkpoint, is_elsewhere, is_file, runs_here};
use crate::args::{
    AskArgs, AskingArgs, DetectArgs, GenerateArgs, GenerateTextArgs, PairSource, ScoreArgs,
    SentenceArgs, TranslateArgs, UnambiguousArgs,
};

impl Effects for ScoreArgs {
    const FAMILIES: &'static [Family<ScoreArgs>] = &[
        Family {
            options: &[
                ("--dtype", |args| args.dtype.is_some()),
                ("--device", |args| is_elsewhere(args.device)),
            ],
            heeded: |args, ()| {
                args.model.as_ref().is_some_and(runs_here)
                    || args.translator.as_ref().is_some_and(is_checkpoint)
            },
            belongs_to: || HERE.to_owned(),
        },
        Family {
            options: &[("--batch-tokens", |args| args.batch_tokens.is_some())],
            heeded: |args, ()| args.model.as_ref().is_some_and(runs_here),
            belongs_to: || HERE.to_owned(),
        },
        Family {
            options: &[("--ignore-config", |args| !args.ignore_config.is_empty())],
            heeded: |args, ()| {
                matches!(args.model, Some(SystemSpec::Checkpoint(_)))
                    || args.translator.as_ref().is_some_and(is_checkpoint)
            },
            belongs_to: || CHECKPOINTS.to_owned(),
        },
        Family {
            options: &[
                ("--task", |args| !args.task.is_empty()),
                ("--embeddings", |args| args.embeddings),
            ],
            heeded: |args, ()| args.model.is_some(),
            belongs_to: || "models (--model)".to_owned(),
        },
        Family {
            options: &[("--accuracy", |args| args.accuracy)],
            heeded: |args, ()| {
                let counted =
                    |task: &Scorer| matches!(task, Scorer::Likelihood(_) | Scorer::FilledBlank);
                !args.stream && args.task.iter().any(counted)
            },
            belongs_to: || {
                "likelihoods without --stream (--task aula, aul, cps, sss, sss-released, filled-blank)"
                    .to_owned()
            },
        },
    ];
}

/// How a translator is asked, by a command that may name one.
trait AsksTranslator {
    fn asking(&self) -> &AskingArgs;
    fn asked(&self) -> Option<&Named>;
}

impl AsksTranslator for TranslateArgs {
    fn asking(&self) -> &AskingArgs {
        &self.asking
    }

    fn asked(&self) -> Option<&Named> {
        Some(&self.translator)
    }
}

impl AsksTranslator for PairSource {
    fn asking(&self) -> &AskingArgs {
        &self.asking
    }

    fn asked(&self) -> Option<&Named> {
        self.translator.as_ref()
    }
}

const fn again<A: AsksTranslator>() -> Family<A> {
    Family {
        options: &[("--fresh", |args: &A| args.asking().fresh)],
        heeded: |args, ()| args.asked().is_some_and(|named| !is_file(named)),
        belongs_to: || ASKED.to_owned(),
    }
}

const fn computed<A: AsksTranslator>() -> Family<A> {
    Family {
        options: &[
            ("--dtype", |args: &A| args.asking().dtype.is_some()),
            ("--device", |args: &A| is_elsewhere(args.asking().device)),
            ("--ignore-config", |args: &A| {
                !args.asking().ignore_config.is_empty()
            }),
        ],
        heeded: |args, ()| args.asked().is_some_and(is_checkpoint),
        belongs_to: || CHECKPOINTS.to_owned(),
    }
}

const ASKED: &str = "translators that are asked (see `epicene list translators`)";

impl Effects for TranslateArgs {
    const FAMILIES: &'static [Family<TranslateArgs>] = &[
        again(),
        computed(),
        Family {
            options: &[
                ("--from", |args| args.from.is_some()),
                ("--to", |args| args.to.is_some()),
            ],
            heeded: |args, ()| !is_file(&args.translator),
            belongs_to: || ASKED.to_owned(),
        },
    ];
}

impl Effects for PairSource {
    const FAMILIES: &'static [Family<PairSource>] = &[
        again(),
        computed(),
        Family {
            options: &[("--allow-missing", |args| args.allow_missing)],
            heeded: |args, ()| args.translations.is_some(),
            belongs_to: || "files of translations (--translations)".to_owned(),
        },
    ];
}

impl Effects for GenerateTextArgs {
    const FAMILIES: &'static [Family<GenerateTextArgs>] = &[
        Family {
            options: &[
                ("--top-p", |args| args.top_p.is_some()),
                ("--top-k", |args| args.top_k.is_some()),
            ],
            heeded: |args, ()| args.temperature != Some(0.0),
            belongs_to: || "draws (--temperature above 0)".to_owned(),
        },
        Family {
            options: &[("--ignore-config", |args| !args.ignore_config.is_empty())],
            heeded: |args, ()| matches!(args.model, SystemSpec::Checkpoint(_)),
            belongs_to: || CHECKPOINTS.to_owned(),
        },
    ];
}

impl Effects for AskArgs {
    const FAMILIES: &'static [Family<AskArgs>] = &[Family {
        options: &[
            ("--lang", |args| !args.lang.is_empty()),
            ("--data", |args| args.data.is_some()),
            ("--size", |args| args.size.is_some()),
            ("--pairs", |args| args.pairs.is_some()),
            ("--input", |args| !args.input.is_empty()),
            ("--limit", |args| args.limit.is_some()),
            ("a file beside the data", |args| {
                !args.choices.inputs.is_empty()
            }),
            ("an option of a benchmark", |args| {
                !args.choices.given.values.is_empty()
            }),
            ("--seed", |args| args.choices.given.seed.is_some()),
            ("--bootstrap", |args| {
                args.choices.given.replicates.is_some()
            }),
            ("an option of sentences", |args| {
                args.sentences != SentenceArgs::default()
            }),
        ],
        heeded: |args, ()| args.rest.is_none(),
        belongs_to: || "a benchmark's questions (a run has its own)".to_owned(),
    }];
}

impl Effects for UnambiguousArgs {
    const FAMILIES: &'static [Family<UnambiguousArgs>] = &[Family {
        options: &[
            ("--size", |args| args.size.is_some()),
            ("--nonce", |args| args.nonce.is_some()),
        ],
        heeded: |args, ()| GenerateArgs::edition(&args.grammar).is_some(),
        belongs_to: || "the grammars paper and repaired".to_owned(),
    }];
}

impl Effects for DetectArgs {
    const FAMILIES: &'static [Family<DetectArgs>] = &[
        Family {
            options: &[("--nouns", |args| args.nouns.is_some())],
            heeded: |args, ()| matches!(args.detector, None | Some(Mode::Strict)),
            belongs_to: || "--detector epicene".to_owned(),
        },
        Family {
            options: &[("--repository-rules", |args| args.repository_rules)],
            heeded: |args, ()| {
                let slovene = Language::find("sl");
                Language::find(&args.lang) == slovene
            },
            belongs_to: || "Slovene (--lang sl)".to_owned(),
        },
    ];
}
