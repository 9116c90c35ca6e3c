//! `epicene align`.

use std::path::PathBuf;

use clap::Args;
use epicene_lang::align::Symmetry;
use epicene_lm::ModelSpec;

use super::aligner::LAYER;

#[derive(Args)]
#[command(after_help = "Examples:
  paste -d '~' en.txt de.txt | sed 's/~/ ||| /' | epicene align > forward.align
  epicene align --symmetrise grow-diag-final-and en-de.txt.gz > en-de.align
  epicene align --encoder hf:google-bert/bert-base-multilingual-cased --layer 8 en-de.txt
  epicene align --run epicene-runs/winomt-0123456789 --encoder dir:mbert

Words stand between spaces. A line of output has the links of a line of input, source before target,
counted from 0: 0-0 1-2. The default aligner is fast_align (its options -d -o -v); it learns from all
lines, so that a few lines are aligned badly. With --encoder each side is read on its own by a model,
and sub-words that choose each other in one of its layers are linked.")]
pub struct AlignArgs {
    /// forward, reverse, intersection, union or grow-diag-final-and [default: forward]
    #[arg(long, value_name = "HOW", conflicts_with = "encoder")]
    pub symmetrise: Option<Symmetry>,

    /// An encoder instead of fast_align: dir:PATH or hf:ORG/NAME
    #[arg(long, value_name = "SPEC")]
    pub encoder: Option<ModelSpec>,

    /// Layer of the encoder whose output is compared
    #[arg(long, value_name = "N", default_value_t = LAYER, requires = "encoder")]
    pub layer: usize,

    /// Both probabilities of a link must be greater than this
    #[arg(long, value_name = "P", default_value_t = 0.001, requires = "encoder")]
    pub threshold: f64,

    /// Link the translations of a run that has all its answers, keep the links with it and measure it anew, as
    /// `run --aligner` does
    #[arg(
        long,
        value_name = "RUN",
        requires = "encoder",
        conflicts_with = "file"
    )]
    pub run: Option<PathBuf>,

    /// Read this file (plain or gzip) instead of standard input
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
}
