//! `epicene complete`.

use std::path::PathBuf;

use clap::Args;
use epicene_lm::{Dtype, Placement, SystemSpec};

use super::run::parse_model;

#[derive(Args)]
#[command(after_help = "Examples:
  echo '{\"id\": 1, \"prompt\": \"The doctor said that\"}' | epicene complete --model hf:gpt2
  epicene complete --model dir:SmolLM2-135M-Instruct --max-tokens 60 chats.jsonl > answers.jsonl
  epicene complete --model gguf:model.gguf --temperature 0.8 --top-p 0.95 --seed 3 chats.jsonl

One JSON object a line, answered by one object a line in the same order:
  {\"id\": …, \"messages\": [{\"role\": \"user\", \"content\": \"…\"}, …]}   a conversation, through the model's chat template
  {\"id\": …, \"prompt\": \"…\"}                                       a text, continued as it stands
\"options\": [\"A\", \"B\"] asks for the probability of each as the first word of the answer, and
\"variables\": {\"enable_thinking\": false} sets what a template looks at.

Answers: {\"id\", \"text\", \"tokens\", \"ended\"}: how many tokens were written, and whether the model ended
(\"end\"), a stop text came (\"stop\") or the longest length was reached (\"length\"); \"options\" are natural
logarithms of probabilities, null where the vocabulary has no such token.

Without --temperature the checkpoint's generation_config.json says whether tokens are drawn; 0 takes the
likeliest. Draws come from a stream named by the seed and the line's id: other lines, their order, threads and
batches change nothing. Unknown settings of the checkpoint are refused (--ignore-config).")]
pub struct GenerateTextArgs {
    /// A causal model: dir:PATH, hf:ORG/NAME[@REVISION], gguf:PATH
    #[arg(long, value_name = "SPEC", value_parser = parse_model)]
    pub model: SystemSpec,

    /// Most tokens of an answer [default: as the checkpoint says, else 256]
    #[arg(long, value_name = "N")]
    pub max_tokens: Option<usize>,

    /// 0 takes the likeliest token, more draws [default: as the checkpoint says]
    #[arg(long, value_name = "T")]
    pub temperature: Option<f64>,

    /// Draw among the likeliest tokens that together have this probability
    #[arg(long, value_name = "P")]
    pub top_p: Option<f64>,

    /// Draw among this many likeliest tokens
    #[arg(long, value_name = "K")]
    pub top_k: Option<usize>,

    /// Seed of the draws
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// A text that ends an answer and is cut off (may be repeated)
    #[arg(long, value_name = "TEXT")]
    pub stop: Vec<String>,

    /// The day that templates with a date write, YYYY-MM-DD [default: today]
    #[arg(long, value_name = "DAY")]
    pub date: Option<String>,

    /// Where the model runs: cpu, cuda, cuda:N, or cuda:N,N for several GPUs that share the work [default: cuda where a GPU is found and the model fits]
    #[arg(long, value_name = "cpu|cuda[:N,N]")]
    pub device: Option<Placement>,

    /// Arithmetic: f32, bf16, int8 on CPU [default: f32]; f32, tf32, f16, bf16 on a GPU [default: as the
    /// weights are stored]; stands in the signature
    #[arg(long, value_name = "DTYPE")]
    pub dtype: Option<Dtype>,

    /// Read the checkpoint as if a field of its settings, or a tensor, were not there (may be repeated)
    #[arg(long, value_name = "FIELD")]
    pub ignore_config: Vec<String>,

    /// Read this file instead of standard input
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
}
