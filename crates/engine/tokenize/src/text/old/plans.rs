//! Tokenizer classes by the files and special tokens they have, and how each builds its tokenizer.

use super::parts::Parts;
use super::special::Marks;
use super::{OldFiles, byte_pairs, languages, sentence_piece, word_piece};
use epicene_checkpoint::CheckpointError;

/// A kind of vocabulary, and how its class of `transformers` builds a tokenizer of it.
pub struct Plan {
    pub class: &'static str,
    /// Model types whose class it is where no file names one.
    pub model_types: &'static [&'static str],
    /// All that must be there, the first of them named where none is.
    pub files: &'static [&'static str],
    /// The special tokens of the class.
    pub marks: Marks,
    pub build: fn(&OldFiles<'_>, &Plan) -> Result<Parts, CheckpointError>,
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

pub const PLANS: &[Plan] = &[
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
pub const TWINS: &[(&str, &str)] = &[
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
