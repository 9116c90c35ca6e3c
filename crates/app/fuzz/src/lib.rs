//! Every parser of bytes from outside, as a function of bytes that may refuse but must not panic, hang or
//! take more memory than its input is worth. `tests/mutations.rs` drives them over seeds and seeded
//! mutations with a stable toolchain; `fuzz/` gives the same functions to libFuzzer.

// The gate's own source: it belongs to the command line, which is no library.
#[path = "../../cli/src/gate/mod.rs"]
#[allow(dead_code)]
mod gate;
#[path = "../../cli/src/suggest.rs"]
#[allow(dead_code)]
mod suggest;

/// What the gate complains with.
#[allow(dead_code)]
mod failure {
    #[derive(Debug)]
    pub struct Failure {
        pub message: String,
        pub hint: Option<String>,
    }

    impl Failure {
        pub fn usage(message: impl Into<String>) -> Failure {
            Failure {
                message: message.into(),
                hint: None,
            }
        }

        pub fn with_hint(mut self, hint: impl Into<String>) -> Failure {
            self.hint = Some(hint.into());
            self
        }
    }
}

// Archives of `torch.save`, as the tests of the reader make them.
#[path = "../../../engine/engine/tests/it/pickles/archive.rs"]
#[allow(dead_code, clippy::unwrap_used)]
mod archive;
pub mod memory;
pub mod mutate;
mod readers;
mod seeds;
mod weights;

/// One parser.
pub struct Target {
    pub name: &'static str,
    /// Inputs it takes, or nearly.
    pub seeds: fn() -> Vec<Vec<u8>>,
    pub run: fn(&[u8]),
}

macro_rules! targets {
    ($($name:ident: $seeds:expr => $run:expr;)*) => {
        pub const TARGETS: &[Target] = &[$(Target { name: stringify!($name), seeds: $seeds, run: $run }),*];
    };
}

targets! {
    packed_input: seeds::packed => readers::packed_input;
    terminal_text: seeds::texts => readers::terminal_text;
    http_headers: seeds::headers => readers::http_headers;
    log_line: seeds::log_lines => readers::log_line;
    manifest: seeds::manifests => readers::manifest;
    benchmark_data: seeds::data => readers::benchmark_data;
    benchmark_answers: seeds::answers => readers::benchmark_answers;
    benchmark_inputs: seeds::inputs => readers::benchmark_inputs;
    conllu: seeds::conllu => readers::conllu;
    links: seeds::links => readers::links;
    parallel_text: seeds::parallel => readers::parallel_text;
    grammar: seeds::grammars => readers::grammar;
    gate_expression: seeds::gates => readers::gate_expression;
    first_person: seeds::texts => readers::first_person;
    chat_answer: seeds::chat => readers::chat_answer;
    completion: seeds::completions => readers::completion;
    exchange: seeds::exchange => readers::exchange;
    vectors: seeds::vectors => readers::vectors;
    safetensors: seeds::safetensors => weights::safetensors;
    pickle: seeds::pickles => weights::pickle;
    gguf: seeds::gguf => weights::gguf;
    model_config: seeds::configs => weights::model_config;
    tokenizer: seeds::tokenizers => weights::tokenizer;
    tokenizer_config: seeds::tokenizer_configs => weights::tokenizer_config;
    sentencepiece: seeds::sentencepiece => weights::sentencepiece;
}

/// The target of this name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}
