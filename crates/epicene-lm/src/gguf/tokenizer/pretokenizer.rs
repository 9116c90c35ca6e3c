//! How a text is cut into words before byte-level BPE: `tokenizer.ggml.pre` names the model whose
//! way it is, the patterns are those of that model's `tokenizer.json`.

use tokenizers::normalizers::unicode::NFC;
use tokenizers::pre_tokenizers::PreTokenizerWrapper;
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use tokenizers::pre_tokenizers::digits::Digits;
use tokenizers::pre_tokenizers::sequence::Sequence;
use tokenizers::pre_tokenizers::split::{Split, SplitPattern};
use tokenizers::tokenizer::SplitDelimiterBehavior;

use super::super::{Gguf, GgufError};

/// One way of cutting, and what else goes with it.
#[derive(Debug, Clone, Copy)]
pub struct Pretokenizer {
    pub name: &'static str,
    /// Other names llama.cpp writes for models that cut the same way.
    also: &'static [&'static str],
    cut: Cut,
    /// A word that is a token is taken whole, whatever the merges say.
    pub whole_words: bool,
    /// Text is brought into Unicode's composed form first.
    composed: bool,
    /// BOS is added unless the file says otherwise.
    pub adds_bos: bool,
}

#[derive(Debug, Clone, Copy)]
enum Cut {
    /// GPT-2's own pattern.
    Gpt2,
    /// The same, after every digit was cut off on its own.
    Gpt2Digits,
    Pattern(&'static str),
    /// One pattern after the other, each in what those before it have cut.
    Patterns(&'static [&'static str]),
}

const LLAMA3: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
const QWEN2: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
const TEKKEN: &str = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+";
const O200K: &str = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+";

const FALCON: &[&str] = &[
    r"[\p{P}\$\+<=>\^~\|`]+",
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)",
    "[0-9][0-9][0-9]",
];
const BLOOM: &str = r" ?[^(\s|.,!?…。，、।۔،)]+";
const DEEPSEEK3: &[&str] = &[
    r"\p{N}{1,3}",
    "[一-龥぀-ゟ゠-ヿ]+",
    r##"[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"##,
];

const GPT2: Pretokenizer = Pretokenizer {
    name: "gpt-2",
    also: &["phi-2", "mpt", "olmo", "jais"],
    cut: Cut::Gpt2,
    whole_words: false,
    composed: false,
    adds_bos: false,
};

const KNOWN: &[Pretokenizer] = &[
    GPT2,
    Pretokenizer {
        name: "smollm",
        also: &["starcoder", "refact", "command-r", "codeshell"],
        cut: Cut::Gpt2Digits,
        ..GPT2
    },
    Pretokenizer {
        name: "llama-bpe",
        also: &["llama3", "llama-v3"],
        cut: Cut::Pattern(LLAMA3),
        whole_words: true,
        adds_bos: true,
        ..GPT2
    },
    Pretokenizer {
        name: "dbrx",
        also: &["smaug-bpe", "chatglm-bpe", "glm4"],
        cut: Cut::Pattern(LLAMA3),
        ..GPT2
    },
    Pretokenizer {
        name: "qwen2",
        also: &["stablelm2", "deepseek-r1-qwen"],
        cut: Cut::Pattern(QWEN2),
        composed: true,
        ..GPT2
    },
    Pretokenizer {
        name: "gpt-4o",
        also: &["llama4"],
        cut: Cut::Pattern(O200K),
        ..GPT2
    },
    Pretokenizer {
        name: "falcon",
        also: &[],
        cut: Cut::Patterns(FALCON),
        ..GPT2
    },
    Pretokenizer {
        name: "bloom",
        also: &["gpt3-finnish"],
        cut: Cut::Pattern(BLOOM),
        ..GPT2
    },
    Pretokenizer {
        name: "deepseek-v3",
        also: &[],
        cut: Cut::Patterns(DEEPSEEK3),
        ..GPT2
    },
    Pretokenizer {
        name: "tekken",
        also: &[],
        cut: Cut::Pattern(TEKKEN),
        whole_words: true,
        adds_bos: true,
        ..GPT2
    },
];

impl Pretokenizer {
    /// The one a file names. Files from before the name was written are only understood where
    /// the architecture leaves one possibility.
    pub fn of(gguf: &Gguf) -> Result<Pretokenizer, GgufError> {
        const KEY: &str = "tokenizer.ggml.pre";
        let Some(name) = gguf.text(KEY)? else {
            return match gguf.text("general.architecture")? {
                Some("gpt2" | "gptneox" | "phi2") => Ok(GPT2),
                _ => Err(gguf.bad(KEY, "is missing: how text is cut into words is not known")),
            };
        };
        let found = KNOWN
            .iter()
            .find(|known| known.name == name || known.also.contains(&name));
        found.copied().ok_or_else(|| {
            let names: Vec<&str> = KNOWN.iter().map(|known| known.name).collect();
            gguf.bad(KEY, format!("is `{name}`; read are {}", names.join(", ")))
        })
    }

    pub fn normalizer(&self) -> Option<NFC> {
        self.composed.then_some(NFC)
    }

    pub fn build(&self) -> Result<PreTokenizerWrapper, tokenizers::Error> {
        let bytes =
            |cut_as_gpt2: bool| PreTokenizerWrapper::from(ByteLevel::new(false, true, cut_as_gpt2));
        let patterns = match &self.cut {
            Cut::Gpt2 => return Ok(bytes(true)),
            Cut::Gpt2Digits => {
                return Ok(Sequence::new(vec![Digits::new(true).into(), bytes(true)]).into());
            }
            Cut::Pattern(pattern) => std::slice::from_ref(pattern),
            Cut::Patterns(patterns) => patterns,
        };
        let mut steps = Vec::with_capacity(patterns.len() + 1);
        for pattern in patterns {
            let pattern = SplitPattern::Regex((*pattern).to_owned());
            steps.push(Split::new(pattern, SplitDelimiterBehavior::Isolated, false)?.into());
        }
        steps.push(bytes(false));
        Ok(Sequence::new(steps).into())
    }
}
