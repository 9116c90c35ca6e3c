//! Why a system could not answer, or could not be opened.

use epicene_checkpoint::CheckpointError;
use epicene_core::{ErrorKind, SystemError};
use epicene_cuda::CudaError;

#[derive(Debug, thiserror::Error)]
pub enum LmError {
    #[error("{system} cannot answer a `{scorer}` question")]
    WrongQuestion {
        system: String,
        scorer: &'static str,
    },

    #[error("{system} has no answer for item {item} ({unit})")]
    NoAnswer {
        system: String,
        item: String,
        unit: String,
    },

    #[error("{system}: `{text}` has {tokens} tokens; the model reads at most {limit}")]
    TooLong {
        system: String,
        text: String,
        tokens: usize,
        limit: usize,
    },

    #[error("{system}: the tokenizer splits `{word}` into {pieces}")]
    SplitWord {
        system: String,
        word: String,
        pieces: String,
    },

    #[error("{system}: `{first}` and `{second}` are the same to its tokenizer")]
    NothingToCompare {
        system: String,
        first: String,
        second: String,
    },

    #[error("{system}: the token `{token}` is beyond the {rows} rows of the embedding")]
    NoRow {
        system: String,
        token: String,
        rows: usize,
    },

    #[error("{system}: the text contains the padding token `{token}` of config.json")]
    Padding { system: String, token: String },

    #[error("{system}: its tokenizer has no mask token")]
    NoMask { system: String },

    #[error("{system} is an encoder-decoder model: {problem} is not supported")]
    NoBlank { system: String, problem: String },

    #[error(
        "{system} is an encoder-decoder model: `{scorer}` is not supported (supported are questions with blanks: masked-pair, cps, \
         sss, filled-blank)"
    )]
    FillsOnly {
        system: String,
        scorer: &'static str,
    },

    #[error("{system}: an encoder saved without its language-model head cannot be scored")]
    NoHead { system: String },

    #[error("{system}: only a causal model can write a text")]
    WritesNothing { system: String },

    #[error("{system}: the checkpoint has no chat template")]
    NoTemplate { system: String },

    #[error("{system}: its chat template: {problem}")]
    Template { system: String, problem: String },

    #[error("{system}: there is no layer {layer}; the model has {layers}")]
    NoLayer {
        system: String,
        layer: usize,
        layers: usize,
    },

    #[error("{system}: no text to read in `{text}`")]
    EmptyText { system: String, text: String },

    #[error("{system} does not know the language `{language}`; it has: {known}")]
    Language {
        system: String,
        language: String,
        known: String,
    },

    #[error("{url}: {message}")]
    Server {
        url: String,
        message: String,
        problem: ServerProblem,
    },

    #[error("{system}: {error}")]
    Cuda { system: String, error: CudaError },

    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),

    /// A system of another crate, in its own words.
    #[error("{message}")]
    Other {
        message: String,
        hint: Option<String>,
    },
}

impl From<CudaError> for LmError {
    fn from(error: CudaError) -> LmError {
        LmError::Checkpoint(error.into())
    }
}

impl From<LmError> for SystemError {
    fn from(error: LmError) -> SystemError {
        let hint = error.hint().map(str::to_owned);
        SystemError::new(error.kind(), error).with_hint(hint)
    }
}

impl LmError {
    /// The error of a system that was asked a batch, of one of its questions.
    pub fn about(self, question: usize) -> SystemError {
        SystemError::from(self).about(question)
    }

    fn kind(&self) -> ErrorKind {
        match self {
            LmError::WrongQuestion { .. } => ErrorKind::WrongQuestion,
            LmError::TooLong { .. }
            | LmError::SplitWord { .. }
            | LmError::NothingToCompare { .. }
            | LmError::EmptyText { .. } => ErrorKind::Unanswerable,
            _ => ErrorKind::Failed,
        }
    }

    /// What to do about it, where that is not plain from the message.
    pub fn hint(&self) -> Option<&str> {
        match self {
            LmError::WrongQuestion { scorer, .. } => match *scorer {
                "next-word" => {
                    Some("next-word asks a causal model, one that reads from left to right")
                }
                "masked-pair" | "filled-blank" | "aula" | "aul" | "cps" | "sss"
                | "sss-released" => Some("this asks a masked model, one with a mask token"),
                "chat" | "choice-logprob" | "choice-sampled" => Some(
                    "this asks a model that holds a conversation; `score --stream --task chat` opens one",
                ),
                _ => None,
            },
            LmError::SplitWord { .. } => Some(
                "a next-word score compares single tokens; this vocabulary has no token for the word",
            ),
            LmError::NoRow { .. } => Some(
                "the tokenizer has more entries than the model; this text needs one that the model never had",
            ),
            LmError::Padding { .. } => Some(
                "the model counts positions without its padding; check `pad_token_id` in config.json",
            ),
            LmError::NoHead { .. } => Some(
                "take a checkpoint saved as …ForMaskedLM or …ForCausalLM; a random head would measure nothing",
            ),
            LmError::WritesNothing { .. } => Some(
                "take a model that reads from left to right; masked models and translators cannot be asked for text",
            ),
            LmError::NoTemplate { .. } => Some(
                "a chat model has chat_template.jinja, or `chat_template` in tokenizer_config.json or in its GGUF file; a base model can only continue a plain prompt",
            ),
            LmError::Template { problem, .. } if problem.to_lowercase().contains("system") => Some(
                "some templates take no system turn: put its words at the beginning of the user's",
            ),
            LmError::Server { problem, .. } => Some(problem.hint()),
            LmError::Language { .. } => Some(
                "languages are named by ISO 639 codes (`de`) or as the model names them (`deu_Latn`)",
            ),
            LmError::NoMask { .. } => {
                Some("masked scoring needs a mask token in tokenizer.json or tokenizer_config.json")
            }
            LmError::Cuda { error, .. } => error.hint(),
            LmError::Checkpoint(error) => error.hint(),
            LmError::Other { hint, .. } => hint.as_deref(),
            _ => None,
        }
    }
}

/// What is wrong with a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerProblem {
    /// What was given is no address.
    Address,
    /// It did not answer.
    Silent,
    /// It refused the key.
    Key,
    /// It has no such model, or nothing at that address.
    Model,
    /// It does not give the probabilities of a text that it is sent.
    NoProbabilities,
    /// It would give them if it were started otherwise (llama-cpp-python).
    ForgetsProbabilities,
    /// Nothing that anybody here can mend.
    Other,
}

impl ServerProblem {
    /// What a server's refusal says, or its silence.
    pub fn of(status: Option<u16>, said: &str) -> ServerProblem {
        match status {
            None => ServerProblem::Silent,
            Some(401 | 403) => ServerProblem::Key,
            Some(404) => ServerProblem::Model,
            // llama-cpp-python names its option, and others the field that they do not know.
            Some(_) if said.contains("logits_all") => ServerProblem::ForgetsProbabilities,
            Some(_) if said.contains("echo") => ServerProblem::NoProbabilities,
            Some(_) => ServerProblem::Other,
        }
    }

    fn hint(self) -> &'static str {
        match self {
            ServerProblem::Address => {
                "write it as openai:MODEL@http://HOST:PORT[,http://HOST:PORT…], with #N behind an address that takes at most N requests at once"
            }
            ServerProblem::Silent => {
                "is the server running, and is this its address? What was answered so far is kept, and the same command continues"
            }
            ServerProblem::Key => {
                "the key is read from OPENAI_API_KEY; what was answered so far is kept, and the same command continues"
            }
            ServerProblem::Model => {
                "name the model as the server does (GET /v1/models), and give its address without a path or with /v1"
            }
            ServerProblem::NoProbabilities => {
                "scores need the probabilities of a given text: /v1/completions with `echo` and `logprobs` (vLLM, llama-cpp-python), or prompt_logprobs; where the server has neither, run the weights here (--model hf:ORG/NAME, dir:PATH, gguf:PATH) or give scores you have (--model file:PATH); what was answered so far is kept"
            }
            ServerProblem::ForgetsProbabilities => {
                "start the server so that it keeps the probabilities of a text: llama_cpp.server --logits_all true"
            }
            ServerProblem::Other => {
                "what was answered so far is kept, and the same command continues"
            }
        }
    }
}
