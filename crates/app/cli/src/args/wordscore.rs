//! `epicene reproduce wordscore`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Args)]
#[command(after_help = "Examples:
  epicene reproduce wordscore --vectors wiki-news-300d-1M.vec --vectors glove.6B.300d.txt --words verbs.txt
  epicene reproduce wordscore --vectors GoogleNews-vectors-negative300.bin --scatter scatter.csv
  epicene reproduce wordscore --vectors cc.en.300.bin --gender-words feminine.txt masculine.txt --words adjectives.txt

Readable: word2vec and fastText text (.vec, gzip too), GloVe text, word2vec binary, fastText binary (.bin). Only
the words asked for are kept in memory. Scores are min-max normalised over the list, so lists are scored
apart and 0 is not neutral: ranks are what counts.

Output: rank (1 is most feminine), word, score, complete (a value from every file and method), values, and one column
for each file and method. The correlation with the share of women in occupations goes to standard error.")]
pub struct WordscoreArgs {
    /// File of word vectors (may be repeated)
    #[arg(long, required = true, value_name = "FILE", num_args = 1..)]
    pub vectors: Vec<PathBuf>,

    /// Words to score, one a line [default: WiBeMT's 99 occupations]
    #[arg(long, value_name = "FILE")]
    pub words: Option<PathBuf>,

    /// Words of the list method, one a line [default: lists of our own]
    #[arg(long, num_args = 2, value_names = ["FEMININE", "MASCULINE"])]
    pub gender_words: Option<Vec<PathBuf>>,

    /// The score is the mean of a word's values (published) or their sum (as the paper words it)
    #[arg(long, value_name = "mean|sum", default_value = "mean")]
    pub aggregate: Aggregate,

    /// Share of women in percent, lines word TAB percent [default: WiBeMT's occupations]
    #[arg(long, value_name = "FILE")]
    pub percentages: Option<PathBuf>,

    /// Write the points of the figure here: word, score, share of women (CSV)
    #[arg(long, value_name = "FILE")]
    pub scatter: Option<PathBuf>,

    /// Draw the most feminine and most masculine words, and scores beside shares of women, here (SVG, PNG, PDF)
    #[arg(long, value_name = "DIR")]
    pub figures: Option<PathBuf>,

    /// Write words without a value from every file and method here, apart from the others
    #[arg(long, value_name = "FILE")]
    pub incomplete: Option<PathBuf>,

    /// Do not put words together from fastText's character n-grams
    #[arg(long)]
    pub whole_words: bool,

    /// One JSON object instead of TSV
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Aggregate {
    Mean,
    Sum,
}
