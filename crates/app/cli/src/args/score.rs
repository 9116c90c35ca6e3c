//! `epicene score`.

use std::path::PathBuf;

use clap::Args;
use epicene_core::Scorer;
use epicene_lm::{Dtype, Placement, SystemSpec};
use epicene_mt::Named;

use super::known;
use super::run::{parse_model, parse_translator};

/// The ways of asking that a line can be asked in.
fn parse_task(given: &str) -> Result<Scorer, String> {
    let asks = |scorer: &Scorer| {
        !matches!(
            scorer,
            Scorer::GroupMeans | Scorer::Translate | Scorer::ChoiceLogprob | Scorer::ChoiceSampled
        )
    };
    let mut known = Scorer::all().filter(asks);
    known.find(|scorer| scorer.name() == given).ok_or_else(|| {
        let known: Vec<&str> = Scorer::all().filter(asks).map(Scorer::name).collect();
        format!("`{given}` is none of {}", known.join(", "))
    })
}

#[derive(Args)]
#[command(after_help = "Examples:
  echo '{\"id\": 1, \"text\": \"She is a doctor.\"}' | epicene score --model demo:mlm --task aula
  epicene score --model dir:bert --task aula,cps pairs.jsonl > scores.jsonl
  epicene score --model demo:mlm --task aula --embeddings < f_and_m.jsonl > likelihoods.jsonl
  epicene run mbe --data sets.tsv --model file:likelihoods.jsonl
  epicene export-questions gest --kind masked | epicene score --stream --model dir:bert | epicene import-answers run
  split -n l/8 in.jsonl part. && parallel 'epicene score --model M --task aul {}' ::: part.*

One JSON object a line, answered by one object a line in the same order:
  aula, aul                {\"id\": …, \"text\": \"…\"} or {\"id\": …, \"texts\": [\"…\", …]}
  cps, sss, sss-released   {\"id\": …, \"texts\": [\"…\", \"…\"]}: two texts, compared with each other
  masked-pair              {\"id\": …, \"masculine\": \"He cried.\", \"feminine\": \"She cried.\"}
  next-word                {\"id\": …, \"prompt\": \"The doctor said that\", \"masculine\": \"he\", \"feminine\": \"she\"}
  text-pair                {\"id\": …, \"masculine\": \"Soy maestro\", \"feminine\": \"Soy maestra\"}
  continuations            {\"id\": …, \"context\": \"Who ran?\", \"continuations\": [\" He\", \" She\"]}
  filled-blank             {\"id\": …, \"context\": \"She is BLANK.\", \"words\": [\"kind\", \"red\"]}

Answers carry the id (the line's number where there is none) and a number under the task's name:
natural log-likelihoods for aula to sss-released, probabilities for filled-blank, log10 of
P(masculine)/P(feminine) for masked-pair and next-word, for text-pair the sums of natural
log-probabilities of either text, whole and from its first differing token; null is no likelihood. `cut` and `unknown`
count texts cut to the model's length and texts in which the tokenizer knows no word; with
--accuracy, `scored` and `first` count positions and those whose token is the likeliest.
Nothing is stored between lines: any part of a file can be scored anywhere. gzip and Zstandard
are accepted. At a bad line everything before it has been written, and the exit code is 2.

next-word, text-pair and continuations ask causal models, everything else masked ones.

With --stream a line brings its `task` (also translate: {\"text\": …, \"to\": \"sk\"}; with --task chat, chat: {\"messages\": …,
\"max_tokens\": …}), is answered by {\"id\": …, \"answer\": …}
as a run's log has it or by {\"id\": …, \"error\": …}, and its other fields come back as they were.")]
pub struct ScoreArgs {
    #[arg(long, value_name = "SPEC", required_unless_present = "translator", value_parser = parse_model, help = known::answering())]
    pub model: Option<SystemSpec>,

    /// Every line brings its own task, answers flow when the input pauses, a bad line costs only itself, and the first
    /// line out is the system's card
    #[arg(long)]
    pub stream: bool,

    /// With --stream: how long the input pauses before what has come is answered, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 50, requires = "stream")]
    pub flush: u64,

    /// With --stream: a translator for `translate` tasks, as in `epicene translate`
    #[arg(
        long = "mt",
        id = "translator",
        value_name = "SPEC",
        requires = "stream",
        requires = "lang",
        conflicts_with = "model",
        value_parser = parse_translator
    )]
    pub translator: Option<Named>,

    /// Languages the translator is asked for, e.g. sk,cs
    #[arg(
        long,
        value_name = "L,L",
        value_delimiter = ',',
        requires = "translator"
    )]
    pub lang: Vec<String>,

    /// Languages the translator is given, e.g. hu,fi
    #[arg(
        long,
        value_name = "L,L",
        value_delimiter = ',',
        default_value = "en",
        requires = "translator"
    )]
    pub from: Vec<String>,

    /// Ask a paid service for whatever the stream brings
    #[arg(long, requires = "stream")]
    pub yes: bool,

    /// aula, aul, cps, sss, sss-released (several of these, separated by commas, if you like),
    /// masked-pair, next-word, text-pair or filled-blank; with --stream, the task of lines that name none. chat (with
    /// --stream) opens the model as one that holds a conversation
    #[arg(long, value_name = "TASK", required_unless_present = "stream", value_delimiter = ',', value_parser = parse_task)]
    pub task: Vec<Scorer>,

    /// With aula or aul on `text`: also the mean of the last layer's vectors, for `run mbe`
    #[arg(long)]
    pub embeddings: bool,

    /// Also how many positions were scored, and at how many the token is the likeliest
    #[arg(long)]
    pub accuracy: bool,

    /// Tokens a checkpoint reads in one go on each thread; changes speed, never an answer
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub batch_tokens: Option<u32>,

    /// Where checkpoints run: cpu, cuda, cuda:N, or cuda:N,N for several GPUs that share the work [default: cuda where a GPU is found and the model
    /// fits]
    #[arg(long, value_name = "cpu|cuda[:N,N]")]
    pub device: Option<Placement>,

    /// Arithmetic: f32, bf16, int8 on CPU [default: f32]; f32, tf32, f16, bf16 on a GPU [default: as the
    /// weights are stored]; stands in the signature
    #[arg(long, value_name = "DTYPE")]
    pub dtype: Option<Dtype>,

    /// Read a checkpoint (hf:, dir:) as if a field of its settings, or a tensor, were not there (may be repeated);
    /// stands in the signature
    #[arg(long, value_name = "FIELD")]
    pub ignore_config: Vec<String>,

    /// Read this file instead of standard input
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
}
