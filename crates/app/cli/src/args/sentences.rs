//! What was typed, for the commands about sentence likelihoods: parallel corpora, word lists, weights.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use epicene_lang::first_person::Mode;

use super::known;
use super::run::{DATA, STATISTICS};

/// A parallel corpus with English on one side.
#[derive(Args, Clone, Default, PartialEq, Eq)]
pub struct CorpusArgs {
    /// English side of a parallel corpus, one sentence a line (plain, gzip, zstd)
    #[arg(long, help_heading = DATA, value_name = "EN", requires = "target", conflicts_with = "table")]
    pub source: Option<PathBuf>,

    /// The other side, line by line its translation
    #[arg(long, help_heading = DATA, value_name = "XX", requires = "source")]
    pub target: Option<PathBuf>,

    /// Both sides in one file: English, tab, the other language
    #[arg(long, help_heading = DATA, value_name = "TSV")]
    pub table: Option<PathBuf>,
}

/// English words and names that make a sentence female or male.
#[derive(Args, Clone, Default, PartialEq, Eq)]
pub struct WordListArgs {
    /// Word lists instead of the embedded ones, one word a line (`_` is a space or hyphen)
    #[arg(long, help_heading = DATA, num_args = 2, value_names = ["FEMALE", "MALE"])]
    pub words: Option<Vec<PathBuf>>,

    /// Lists of first names instead of the embedded ones
    #[arg(long, help_heading = DATA, num_args = 2, value_names = ["FEMALE", "MALE"], conflicts_with = "no_names")]
    pub names: Option<Vec<PathBuf>>,

    /// Look for words only, not for first names
    #[arg(long, help_heading = DATA)]
    pub no_names: bool,

    /// Names match in any case ("bill" is Bill), as the paper's sets suggest
    #[arg(long, help_heading = DATA, conflicts_with = "no_names")]
    pub names_ignore_case: bool,
}

/// What `run` measures on, where a benchmark makes its data from a corpus, and which likelihoods.
#[derive(Args, Clone, Default, PartialEq, Eq)]
pub struct SentenceArgs {
    #[command(flatten)]
    pub corpus: CorpusArgs,

    #[command(flatten)]
    pub lists: WordListArgs,

    #[arg(long, help_heading = STATISTICS, value_name = "M,M", value_delimiter = ',', help = known::methods())]
    pub method: Option<Vec<String>>,
}

#[derive(Args)]
#[command(after_help = "Examples:
  epicene data extract --source en.txt.gz --target de.txt.gz > sets.tsv
  epicene data extract --table en-de.tsv.zst --female de_f.txt --male de_m.txt
  epicene run mbe --data sets.tsv --model file:likelihoods.jsonl

Output: a table gender (f, m), line of the corpus, text; or two text files. Counts of every step
go to standard error. A sentence with words of both genders is dropped; the larger set is sampled
down to the size of the smaller, in the order of the corpus.")]
pub struct ExtractArgs {
    #[command(flatten)]
    pub corpus: CorpusArgs,

    #[command(flatten)]
    pub lists: WordListArgs,

    /// Seed of the sample
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        conflicts_with = "keep_all"
    )]
    pub seed: u64,

    /// Keep all of the larger set
    #[arg(long)]
    pub keep_all: bool,

    /// Write the female sentences here, one a line, instead of a table to standard output
    #[arg(long, value_name = "FILE", requires = "male")]
    pub female: Option<PathBuf>,

    /// Write the male sentences here
    #[arg(long, value_name = "FILE", requires = "female")]
    pub male: Option<PathBuf>,

    /// JSON lines {"id": "f:17", "text": "…"} instead of a table, for `epicene score`
    #[arg(long, conflicts_with = "female")]
    pub jsonl: bool,

    /// Write the counts here as JSON
    #[arg(long, value_name = "FILE")]
    pub counts: Option<PathBuf>,
}

#[derive(Args)]
#[command(after_help = "Examples:
  epicene reproduce experiment template --lang ja > pairs.csv
  epicene run crows-pairs --data pairs.csv --model file:likelihoods.csv
  epicene reproduce experiment replace-names --pairs ja.json --map names.tsv --native f.txt m.txt > native.csv
  epicene reproduce experiment sentences --pairs ja.json > ja.txt
  epicene reproduce experiment preservation --source en.txt --target de.txt --target-words f.txt m.txt
  epicene reproduce experiment meta --table scores.csv
  epicene reproduce experiment table2 de-ted=RUN de-news=RUN
  epicene reproduce experiment human-machine --human ja.json --machine ja-mt.json --model dir:bert-base-japanese
  epicene reproduce experiment inducing --data gest.csv --translations translations.csv.gz --lang sk
  epicene reproduce experiment mcnemar 60 40")]
pub struct ExperimentArgs {
    #[command(subcommand)]
    pub action: Experiment,
}

/// The experiments of the MBE paper, and of GEST's appendix G.
#[derive(Subcommand)]
pub enum Experiment {
    /// Tmp: pairs from templates, word pairs and occupations, as a pair file
    Template {
        /// Embedded templates: ja or ru
        #[arg(long, value_name = "LANG", conflicts_with = "templates")]
        lang: Option<String>,

        /// Templates with [Gender] and [Occupation], and lines male:female
        #[arg(long, value_name = "FILE", requires = "occupations")]
        templates: Option<PathBuf>,

        /// Occupations, one a line [default with --lang: a list of our own]
        #[arg(long, value_name = "FILE")]
        occupations: Option<PathBuf>,
    },
    /// Native names instead of transliterated ones in a pair file
    ReplaceNames {
        /// Pair file (CSV, JSON, JSON lines)
        #[arg(long, value_name = "FILE")]
        pairs: PathBuf,

        /// Lines form TAB f|m, or form TAB f|m TAB name where forms are inflected
        #[arg(long, value_name = "TSV")]
        map: PathBuf,

        /// Native names, one a line
        #[arg(long, num_args = 2, required = true, value_names = ["FEMALE", "MALE"])]
        native: Vec<PathBuf>,

        #[arg(long, value_name = "N", default_value_t = 0)]
        seed: u64,
    },
    /// The sentences of a pair file, stereotypical and anti-stereotypical in turn, one a line
    Sentences {
        #[arg(long, value_name = "FILE")]
        pairs: PathBuf,
    },
    /// How often "she" and "he" have their translation on the other side
    Preservation {
        #[command(flatten)]
        corpus: CorpusArgs,

        /// Translations of the pronouns, one a line
        #[arg(long, num_args = 2, required = true, value_names = ["FEMALE", "MALE"])]
        target_words: Vec<PathBuf>,
    },
    /// Spearman, Pearson, Direction and Diff of methods against the first column of scores
    Meta {
        /// CSV: model,original,method… (scores with 50 as the unbiased value)
        #[arg(long, value_name = "CSV")]
        table: PathBuf,
    },
    /// Sentences about men and about women in runs of mbe (the paper's Table 1)
    #[command(
        after_help = "Example:\n  epicene reproduce experiment table1 de-ted=RUN de-news=RUN"
    )]
    Table1(TableRuns),
    /// MBE of runs of mbe, * where McNemar's p is below 0.05 (Table 2)
    #[command(
        after_help = "Example:\n  epicene reproduce experiment table2 de-ted=RUN de-news=RUN"
    )]
    Table2(TableRuns),
    /// How MBE and shuffled genders agree with the original score, over the models of two runs (Table 3)
    #[command(
        after_help = "Example:\n  epicene reproduce experiment table3 original=CROWS-PAIRS-RUN mbe=MBE-RUN"
    )]
    Table3(TableRuns),
    /// Human translation beside what stands for it, with signed differences: ht=RUN mt=RUN mbe=RUN tmp=RUN … (Table 4, Japanese)
    #[command(
        after_help = "Example:\n  epicene reproduce experiment table4 ht=RUN mt=RUN mbe=RUN tmp=RUN"
    )]
    Table4(TableRuns),
    /// The same (Table 5, Russian)
    #[command(
        after_help = "Example:\n  epicene reproduce experiment table5 ht=RUN mt=RUN mbe=RUN tmp=RUN"
    )]
    Table5(TableRuns),
    /// The same, e.g. with native names: ht=RUN names=RUN (Table 6)
    #[command(after_help = "Example:\n  epicene reproduce experiment table6 ht=RUN names=RUN")]
    Table6(TableRuns),
    /// The same pairs in human and in machine translation, asked of the same models: both scores, difference, flips
    #[command(
        after_help = "Example:\n  epicene reproduce experiment human-machine --human ja.json --machine ja-mt.json --model dir:bert-base-japanese"
    )]
    HumanMachine {
        /// Human-translated pairs (CSV, JSON, JSON lines)
        #[arg(long, value_name = "FILE")]
        human: PathBuf,

        /// The same pairs in the same order, machine-translated
        #[arg(long, value_name = "FILE")]
        machine: PathBuf,

        /// Masked models, as for `run crows-pairs`
        #[arg(long, required = true, value_name = "SPEC")]
        model: Vec<String>,

        /// Likelihood of a sentence
        #[arg(long, value_name = "METHOD", default_value = "aula")]
        method: String,

        /// Keep the two runs here, as ht and mt
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Gender-inducing prompts as a detector of gender, beside the rules that read text (GEST, appendix G)
    #[command(
        after_help = "Example:\n  epicene reproduce experiment inducing --data gest.csv --translations translations.csv.gz --lang sk\n\nThe file has columns from,to; it holds every sentence, and the same sentence in The man said: \"…\" and in\nThe woman said: \"…\" (with or without the colon; or He said, She said). Sentences without both are left out."
    )]
    Inducing {
        /// Sentences
        #[arg(long, value_name = "FILE|NAME", default_value = "gest")]
        data: String,

        /// Translations of sentences and prompts
        #[arg(long, value_name = "FILE")]
        translations: PathBuf,

        /// Their language
        #[arg(long, value_name = "LANG")]
        lang: String,

        /// Rules that read the text
        #[arg(long = "detector", alias = "mode", value_name = "published|extended|strict", value_parser = super::parse_mode, default_value = "published")]
        mode: Mode,
    },
    /// McNemar's test of two discordant counts, all forms
    Mcnemar {
        /// Only the model says so
        only_model: u64,
        /// Only the coin says so
        only_random: u64,
    },
}

#[derive(Args)]
pub struct TableRuns {
    /// Finished runs with their names
    #[arg(required = true, value_name = "NAME=RUN", value_parser = super::run::parse_input)]
    pub runs: Vec<(String, PathBuf)>,
}
