//! Tokenizers of checkpoints without `tokenizer.json`: vocabularies as the models' authors wrote them, put together as
//! `transformers` 4 does when it makes a fast tokenizer of a slow one. The result is the text of a `tokenizer.json`, which
//! is then read like any other.

mod byte_pairs;
mod languages;
mod parts;
mod sentence_piece;
mod special;
mod word_piece;

use serde_json::{Value, json};

use crate::checkpoint::{CheckpointError, Config};
pub use byte_pairs::vocabulary;
use parts::Parts;
use special::Marks;
pub use special::{FIELDS, added_token};

/// A file of the checkpoint, if it is there.
pub type Read<'a> = &'a dyn Fn(&str) -> Result<Option<Vec<u8>>, CheckpointError>;

/// The files beside a model that say how text becomes tokens.
#[derive(Clone, Copy)]
pub struct OldFiles<'a> {
    pub read: Read<'a>,
    /// `tokenizer_config.json`.
    pub settings: &'a Config,
    /// `special_tokens_map.json`.
    pub special: &'a Config,
    /// `config.json`.
    pub config: &'a Config,
}

/// A kind of vocabulary, and how its class of `transformers` builds a tokenizer of it.
struct Plan {
    class: &'static str,
    /// Model types whose class it is where no file names one.
    model_types: &'static [&'static str],
    /// All that must be there, the first of them named where none is.
    files: &'static [&'static str],
    /// The special tokens of the class.
    marks: Marks,
    build: fn(&OldFiles<'_>, &Plan) -> Result<Parts, CheckpointError>,
}

const VOCABULARY: &[&str] = &["vocab.txt"];
const PAIRS: &[&str] = &["vocab.json", "merges.txt"];

/// `<s>` and its like.
const ANGLES: [(&str, &str); 6] = [
    ("bos_token", "<s>"),
    ("eos_token", "</s>"),
    ("unk_token", "<unk>"),
    ("sep_token", "</s>"),
    ("pad_token", "<pad>"),
    ("cls_token", "<s>"),
];

/// XLM's, without a meaning of their own.
const SPECIALS: [&str; 10] = [
    "<special0>",
    "<special1>",
    "<special2>",
    "<special3>",
    "<special4>",
    "<special5>",
    "<special6>",
    "<special7>",
    "<special8>",
    "<special9>",
];

/// XLM's and FlauBERT's.
const WORD_ENDS: Marks = Marks {
    tokens: &[
        ("bos_token", "<s>"),
        ("unk_token", "<unk>"),
        ("sep_token", "</s>"),
        ("pad_token", "<pad>"),
        ("cls_token", "</s>"),
    ],
    mask: Some("<special1>"),
    more: &SPECIALS,
    ..Marks::NONE
};

/// mBART's.
const LANGUAGES_OF_MBART: Marks = Marks {
    tokens: &ANGLES,
    mask: Some("<mask>"),
    more: &languages::MBART,
    strip: true,
    ..Marks::NONE
};

const PLANS: &[Plan] = &[
    Plan {
        class: "BertTokenizer",
        model_types: &[
            "bert",
            "convbert",
            "distilbert",
            "electra",
            "neobert",
            "nomic_bert",
        ],
        files: VOCABULARY,
        marks: Marks::brackets("[MASK]"),
        build: word_piece::build,
    },
    Plan {
        class: "MPNetTokenizer",
        model_types: &["mpnet"],
        files: VOCABULARY,
        marks: Marks {
            tokens: &[
                ("bos_token", "<s>"),
                ("eos_token", "</s>"),
                ("unk_token", "[UNK]"),
                ("sep_token", "</s>"),
                ("pad_token", "<pad>"),
                ("cls_token", "<s>"),
            ],
            mask: Some("<mask>"),
            strip: true,
            ..Marks::NONE
        },
        build: word_piece::build,
    },
    Plan {
        class: "RobertaTokenizer",
        model_types: &[
            "roberta",
            "roberta-prelayernorm",
            "longformer",
            "bart",
            "luke",
        ],
        files: PAIRS,
        marks: Marks {
            tokens: &ANGLES,
            mask: Some("<mask>"),
            strip: true,
            normalized: true,
            ..Marks::NONE
        },
        build: byte_pairs::roberta,
    },
    Plan {
        class: "GPT2Tokenizer",
        model_types: &["gpt2", "gpt_neo", "gptj", "opt", "phi"],
        files: PAIRS,
        marks: Marks {
            tokens: &[
                ("bos_token", "<|endoftext|>"),
                ("eos_token", "<|endoftext|>"),
                ("unk_token", "<|endoftext|>"),
            ],
            normalized: true,
            ..Marks::NONE
        },
        build: byte_pairs::gpt2,
    },
    Plan {
        class: "Qwen2Tokenizer",
        model_types: &["qwen2", "qwen3", "qwen2_moe", "qwen3_moe"],
        files: PAIRS,
        marks: Marks {
            tokens: &[
                ("eos_token", "<|endoftext|>"),
                ("unk_token", "<|endoftext|>"),
                ("pad_token", "<|endoftext|>"),
            ],
            ..Marks::NONE
        },
        build: byte_pairs::qwen2,
    },
    Plan {
        class: "DebertaTokenizer",
        model_types: &["deberta"],
        files: PAIRS,
        marks: Marks {
            strip: true,
            mask_normalized: true,
            ..Marks::brackets_around("[MASK]")
        },
        build: byte_pairs::deberta,
    },
    Plan {
        class: "HerbertTokenizer",
        model_types: &[],
        files: PAIRS,
        marks: Marks {
            tokens: &[
                ("unk_token", "<unk>"),
                ("sep_token", "</s>"),
                ("pad_token", "<pad>"),
                ("cls_token", "<s>"),
            ],
            mask: Some("<mask>"),
            more: &SPECIALS,
            ..Marks::NONE
        },
        build: byte_pairs::herbert,
    },
    Plan {
        class: "XLMTokenizer",
        model_types: &["xlm"],
        files: PAIRS,
        marks: WORD_ENDS,
        build: byte_pairs::word_ends,
    },
    Plan {
        class: "FlaubertTokenizer",
        model_types: &["flaubert"],
        files: PAIRS,
        marks: WORD_ENDS,
        build: byte_pairs::word_ends,
    },
    Plan {
        class: "AlbertTokenizer",
        model_types: &["albert"],
        files: &["spiece.model"],
        marks: Marks {
            tokens: &[
                ("bos_token", "[CLS]"),
                ("eos_token", "[SEP]"),
                ("unk_token", "<unk>"),
                ("sep_token", "[SEP]"),
                ("pad_token", "<pad>"),
                ("cls_token", "[CLS]"),
            ],
            mask: Some("[MASK]"),
            strip: true,
            ..Marks::NONE
        },
        build: sentence_piece::albert,
    },
    Plan {
        class: "XLMRobertaTokenizer",
        model_types: &["xlm-roberta", "xlm-roberta-xl"],
        files: &["sentencepiece.bpe.model"],
        marks: Marks {
            tokens: &ANGLES,
            mask: Some("<mask>"),
            strip: true,
            ..Marks::NONE
        },
        build: sentence_piece::xlm_roberta,
    },
    Plan {
        class: "MBartTokenizer",
        model_types: &["mbart"],
        files: &["sentencepiece.bpe.model"],
        marks: LANGUAGES_OF_MBART,
        build: sentence_piece::mbart,
    },
    Plan {
        class: "MBart50Tokenizer",
        model_types: &[],
        files: &["sentencepiece.bpe.model"],
        marks: Marks {
            more: &languages::MBART_50,
            mask_normalized: true,
            ..LANGUAGES_OF_MBART
        },
        build: sentence_piece::mbart_50,
    },
    Plan {
        class: "BarthezTokenizer",
        model_types: &[],
        files: &["sentencepiece.bpe.model"],
        marks: Marks {
            more: &[],
            ..LANGUAGES_OF_MBART
        },
        build: sentence_piece::barthez,
    },
    Plan {
        class: "CamembertTokenizer",
        model_types: &["camembert"],
        files: &["sentencepiece.bpe.model"],
        marks: Marks {
            tokens: &ANGLES,
            mask: Some("<mask>"),
            more: &["<s>NOTUSED", "</s>NOTUSED", "<unk>NOTUSED"],
            strip: true,
            ..Marks::NONE
        },
        build: sentence_piece::camembert,
    },
    Plan {
        class: "DebertaV2Tokenizer",
        model_types: &["deberta-v2"],
        files: &["spm.model"],
        marks: Marks {
            unknown_normalized: true,
            ..Marks::brackets_around("[MASK]")
        },
        build: sentence_piece::deberta_v2,
    },
    Plan {
        class: "RemBertTokenizer",
        model_types: &["rembert"],
        files: &["sentencepiece.model"],
        marks: Marks {
            strip: true,
            mask_normalized: true,
            ..Marks::brackets_around("[MASK]")
        },
        build: sentence_piece::rembert,
    },
    Plan {
        class: "BigBirdTokenizer",
        model_types: &["big_bird"],
        files: &["spiece.model"],
        marks: Marks {
            tokens: &[
                ("bos_token", "<s>"),
                ("eos_token", "</s>"),
                ("unk_token", "<unk>"),
                ("sep_token", "[SEP]"),
                ("pad_token", "<pad>"),
                ("cls_token", "[CLS]"),
            ],
            mask: Some("[MASK]"),
            strip: true,
            unknown_normalized: true,
            ..Marks::NONE
        },
        build: sentence_piece::big_bird,
    },
    Plan {
        class: "T5Tokenizer",
        model_types: &["t5", "mt5", "umt5"],
        files: &["spiece.model"],
        marks: Marks {
            tokens: &[
                ("eos_token", "</s>"),
                ("unk_token", "<unk>"),
                ("pad_token", "<pad>"),
            ],
            ..Marks::NONE
        },
        build: sentence_piece::t5,
    },
    Plan {
        class: "LlamaTokenizer",
        model_types: &["llama", "mistral", "mixtral", "ministral"],
        files: &["tokenizer.model"],
        marks: Marks {
            tokens: &[
                ("bos_token", "<s>"),
                ("eos_token", "</s>"),
                ("unk_token", "<unk>"),
            ],
            ..Marks::NONE
        },
        build: sentence_piece::llama,
    },
    Plan {
        class: "CodeLlamaTokenizer",
        model_types: &[],
        files: &["tokenizer.model"],
        marks: Marks {
            tokens: &[
                ("bos_token", "<s>"),
                ("eos_token", "</s>"),
                ("unk_token", "<unk>"),
            ],
            more: &["▁<PRE>", "▁<MID>", "▁<SUF>", "▁<EOT>"],
            ..Marks::NONE
        },
        build: sentence_piece::llama,
    },
    Plan {
        class: "GemmaTokenizer",
        model_types: &["gemma", "gemma2", "gemma3", "gemma3_text", "gemma3n"],
        files: &["tokenizer.model"],
        marks: Marks {
            tokens: &[
                ("bos_token", "<bos>"),
                ("eos_token", "<eos>"),
                ("unk_token", "<unk>"),
                ("pad_token", "<pad>"),
            ],
            ..Marks::NONE
        },
        build: sentence_piece::gemma,
    },
];

/// Classes that do as another one does.
const TWINS: &[(&str, &str)] = &[
    ("BartTokenizer", "RobertaTokenizer"),
    ("CodeGenTokenizer", "GPT2Tokenizer"),
    ("ConvBertTokenizer", "BertTokenizer"),
    ("DistilBertTokenizer", "BertTokenizer"),
    ("ElectraTokenizer", "BertTokenizer"),
    ("LongformerTokenizer", "RobertaTokenizer"),
    ("LukeTokenizer", "RobertaTokenizer"),
    ("MobileBertTokenizer", "BertTokenizer"),
    ("SqueezeBertTokenizer", "BertTokenizer"),
];

/// Files that vocabularies of any class are made of.
pub const FILES: &[&str] = &[
    "added_tokens.json",
    "merges.txt",
    "sentencepiece.bpe.model",
    "sentencepiece.model",
    "spiece.model",
    "spm.model",
    "tokenizer.model",
    "vocab.json",
    "vocab.txt",
];

impl OldFiles<'_> {
    /// The class of `transformers` that the checkpoint names.
    pub fn class(&self) -> Option<&str> {
        let stored = self.settings.stored("tokenizer_class");
        let stored = stored.or_else(|| self.config.stored("tokenizer_class"));
        stored.and_then(Value::as_str)
    }
}

fn plan(files: &OldFiles<'_>) -> Option<&'static Plan> {
    let class = files.class();
    let model_type = files.config.model_type().unwrap_or_default();
    match class {
        None | Some("PreTrainedTokenizerFast") => PLANS
            .iter()
            .find(|plan| plan.model_types.contains(&model_type)),
        Some(class) => {
            let class = class.strip_suffix("Fast").unwrap_or(class);
            let twin = TWINS.iter().find(|(name, _)| *name == class);
            let class = twin.map_or(class, |(_, twin)| twin);
            PLANS.iter().find(|plan| plan.class == class)
        }
    }
}

/// The `tokenizer.json` that the files amount to; none if they are not there, or of a class that is not known here.
pub fn tokenizer_json(files: &OldFiles<'_>) -> Result<Option<Vec<u8>>, CheckpointError> {
    let Some(plan) = plan(files) else {
        return Ok(None);
    };
    for file in plan.files {
        if (files.read)(file)?.is_none() {
            return Ok(None);
        }
    }
    let mut parts = (plan.build)(files, plan)?;
    let added = special::added_tokens(files, &plan.marks, &mut parts)?;
    let tokenizer = json!({
        "version": "1.0",
        "truncation": null,
        "padding": null,
        "added_tokens": added,
        "normalizer": parts.normalizer,
        "pre_tokenizer": parts.pre_tokenizer,
        "post_processor": parts.post_processor(),
        "decoder": parts.decoder,
        "model": parts.model,
    });
    Ok(Some(tokenizer.to_string().into_bytes()))
}

/// The class that the files are read as, if it is one of those here.
pub fn class_of(files: &OldFiles<'_>) -> Option<&'static str> {
    plan(files).map(|plan| plan.class)
}

/// A special token as the files spell it, or the class.
pub fn named(files: &OldFiles<'_>, field: &str) -> Option<String> {
    special::named(files, &plan(files)?.marks, field)
}

/// The complaint that the class which a checkpoint names is none of those here.
pub fn not_read(files: &OldFiles<'_>) -> Option<CheckpointError> {
    let class = files.class()?;
    if plan(files).is_some() || class == "PreTrainedTokenizerFast" {
        return None;
    }
    let twins = TWINS.iter().map(|(twin, _)| *twin);
    let mut read: Vec<&str> = PLANS.iter().map(|plan| plan.class).chain(twins).collect();
    read.sort_unstable();
    let read = read.join(", ").replace("Tokenizer", "");
    let problem = format!(
        "is {class}, which is read here only from a tokenizer.json; without one, read are {read}. Save it with `transformers` as a \
         fast tokenizer, or ask a server that runs the model (`openai:MODEL@URL`)"
    );
    Some(files.settings.bad("tokenizer_class", problem))
}

/// The file that a checkpoint of this class would need, for a complaint that it has none.
pub fn wanted(files: &OldFiles<'_>) -> String {
    match plan(files) {
        Some(plan) => format!("tokenizer.json, and no {}", plan.files.join(" and ")),
        None => "tokenizer.json".to_owned(),
    }
}

/// A file that must be there.
fn needed(files: &OldFiles<'_>, name: &'static str) -> Result<Vec<u8>, CheckpointError> {
    (files.read)(name)?.ok_or_else(|| bad(name, "is not there"))
}

fn bad(file: &str, problem: impl ToString) -> CheckpointError {
    CheckpointError::Tokenizer {
        file: file.to_owned(),
        problem: problem.to_string(),
    }
}
