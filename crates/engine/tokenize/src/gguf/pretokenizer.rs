//! How a text is cut into words before byte-level BPE: `tokenizer.ggml.pre` names the model whose
//! way it is, the patterns are those of that model's `tokenizer.json`.

use tokenizers::normalizers::unicode::NFC;
use tokenizers::pre_tokenizers::PreTokenizerWrapper;
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use tokenizers::pre_tokenizers::digits::Digits;
use tokenizers::pre_tokenizers::sequence::Sequence;
use tokenizers::pre_tokenizers::split::{Split, SplitPattern};
use tokenizers::tokenizer::SplitDelimiterBehavior;

use epicene_checkpoint::gguf::{Gguf, GgufError};

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

/// Letters that have a case, as Unicode had them, in numbers: some look like others.
const DEEPSEEK_LETTERS: &str = r"\s?[\x{41}-\x{5A}\x{61}-\x{7A}\x{B5}\x{C0}-\x{D6}\x{D8}-\x{F6}\x{F8}-\x{1BA}\x{1BC}-\x{1BF}\x{1C4}-\x{293}\x{295}-\x{2AF}\x{370}-\x{373}\x{376}\x{377}\x{37B}-\x{37D}\x{37F}\x{386}\x{388}-\x{38A}\x{38C}\x{38E}-\x{3A1}\x{3A3}-\x{3F5}\x{3F7}-\x{481}\x{48A}-\x{52F}\x{531}-\x{556}\x{10A0}-\x{10C5}\x{13A0}-\x{13F5}\x{13F8}-\x{13FD}\x{1C90}-\x{1CBA}\x{1CBD}-\x{1CBF}\x{1D00}-\x{1D2B}\x{1D6B}-\x{1D77}\x{1D79}-\x{1D9A}\x{1E00}-\x{1F15}\x{1F18}-\x{1F1D}\x{1F20}-\x{1F45}\x{1F48}-\x{1F4D}\x{1F50}-\x{1F57}\x{1F59}\x{1F5B}\x{1F5D}\x{1F5F}-\x{1F7D}\x{1F80}-\x{1FB4}\x{1FB6}-\x{1FBC}\x{1FBE}\x{1FC2}-\x{1FC4}\x{1FC6}-\x{1FCC}\x{1FD0}-\x{1FD3}\x{1FD6}-\x{1FDB}\x{1FE0}-\x{1FEC}\x{1FF2}-\x{1FF4}\x{1FF6}-\x{1FFC}\x{2102}\x{2107}\x{210A}-\x{2113}\x{2115}\x{2119}-\x{211D}\x{2124}\x{2126}\x{2128}\x{212A}-\x{212D}\x{212F}-\x{2134}\x{2139}\x{213C}-\x{213F}\x{2145}-\x{2149}\x{214E}\x{2183}\x{2184}\x{2C00}-\x{2C7B}\x{2C7E}-\x{2CE4}\x{2CEB}-\x{2CEE}\x{2CF2}\x{2CF3}\x{A640}-\x{A66D}\x{A680}-\x{A69B}\x{A722}-\x{A76F}\x{A771}-\x{A787}\x{A78B}-\x{A78E}\x{AB70}-\x{ABBF}\x{FB00}-\x{FB06}\x{FB13}-\x{FB17}\x{FF21}-\x{FF3A}\x{FF41}-\x{FF5A}\x{10400}-\x{1044F}\x{104B0}-\x{104D3}\x{104D8}-\x{104FB}\x{10C80}-\x{10CB2}\x{10CC0}-\x{10CF2}\x{118A0}-\x{118DF}\x{1E900}-\x{1E943}]+";
const DEEPSEEK: &[&str] = &[
    r"[\r\n]",
    DEEPSEEK_LETTERS,
    r"\s?[!-/:-~\x{FF01}-\x{FF0F}\x{FF1A}-\x{FF5E}\x{2018}-\x{201F}\x{3000}-\x{3002}]+",
    r"\s+$",
    r"[\x{800}-\x{9FA5}\x{AC00}-\x{D7FF}]+",
    r"\p{N}",
];
const DEEPSEEK_CODER: &[&str] = &[
    r"[\r\n]",
    r"\s?\p{L}+",
    r"\s?\p{P}+",
    r"[\x{800}-\x{9FA5}\x{AC00}-\x{D7FF}]+",
    r"\p{N}",
];
const KIMI: &str = r"\p{Han}+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";

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
        name: "deepseek-llm",
        also: &[],
        cut: Cut::Patterns(DEEPSEEK),
        ..GPT2
    },
    Pretokenizer {
        name: "deepseek-coder",
        also: &[],
        cut: Cut::Patterns(DEEPSEEK_CODER),
        ..GPT2
    },
    Pretokenizer {
        name: "kimi-k2",
        also: &[],
        cut: Cut::Pattern(KIMI),
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
