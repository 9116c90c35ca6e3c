//! `epicene data make`: challenge sets, one subcommand each.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use epicene_bench::unambiguous::sets::{Edition, Size};
use epicene_bench::winomt::challenge::Half;

#[derive(Args)]
pub struct GenerateArgs {
    #[command(subcommand)]
    pub set: GenerateSet,
}

#[derive(Subcommand)]
pub enum GenerateSet {
    /// Sentences whose gender is unambiguous (Renduchintala and Williams)
    Unambiguous(UnambiguousArgs),
    /// Occupations with stereotypical verbs or adjectives (Troles and Schmid)
    Wibemt(WibemtArgs),
    /// WinoMT with stereotypical adjectives, or one half of it (Stanovsky, Smith, Zettlemoyer)
    Winomt(WinomtArgs),
}

#[derive(Args)]
#[command(after_help = "Examples:
  epicene data make winomt --data en.txt --adjectives > en_adjectives.txt
  epicene data make winomt --data en.txt --set anti > en_anti.txt
  epicene data make winomt --data en.txt --set pro --adjectives --count

Output: gender, index of the entity's word, sentence, entity, as `epicene run winomt --data` reads it.")]
pub struct WinomtArgs {
    /// The authors' en.txt, or a directory that has it
    #[arg(long, value_name = "PATH")]
    pub data: PathBuf,

    /// Every sentence, or those of WinoBias that go with (pro) or against (anti) the stereotype
    #[arg(long, value_name = "all|pro|anti", default_value = "all")]
    pub set: Half,

    /// Put \"handsome\" before men and \"pretty\" before women; sentences about neither stay
    #[arg(long)]
    pub adjectives: bool,

    /// Print how many sentences there are, without writing any
    #[arg(long)]
    pub count: bool,
}

#[derive(Args)]
#[command(after_help = "Examples:
  epicene data make unambiguous --size s > s.tsv
  epicene data make unambiguous --size xl --count
  epicene data make unambiguous --size s --without nanny --limit 14976 > first.tsv
  epicene data make unambiguous --grammar my.grammar --lint --strict
  epicene data make unambiguous --nonce 22 --seed 0 > nonce.tsv

Output: text, features and answer between tabs; of own grammars and with --nonce also the occupation. Grammars are
plain text (--print-grammar shows one): NAME -> alternative | alternative, terminals in quotation marks,
words that begin with an underscore are labels. A grammar of your own labels the person with _OCC_… and
the expected gender with _EXP_M_ or _EXP_F_.")]
pub struct UnambiguousArgs {
    /// xs (1,536 sentences), s (59,520) or xl (1,800,006) [default: s]
    #[arg(long, value_name = "xs|s|xl")]
    pub size: Option<Size>,

    /// paper (the published sets, defects included), repaired, or a grammar file
    #[arg(long, value_name = "paper|repaired|FILE", default_value = "paper")]
    pub grammar: String,

    /// Leave out a word, e.g. nanny: the published analysis of S has none (may be repeated)
    #[arg(long, value_name = "WORD")]
    pub without: Vec<String>,

    /// Invented occupations in place of the real ones, this many
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub nonce: Option<u16>,

    /// Seed of the invented occupations
    #[arg(long, value_name = "N", default_value_t = 0, requires = "nonce")]
    pub seed: u64,

    /// A dictionary, one word a line: invented occupations are none of its words
    #[arg(long, value_name = "FILE", requires = "nonce")]
    pub words: Option<PathBuf>,

    /// Only the first N sentences
    #[arg(long, value_name = "N", conflicts_with_all = ["count", "lint"])]
    pub limit: Option<u64>,

    /// Print how many sentences there are, without writing any
    #[arg(long, conflicts_with = "lint")]
    pub count: bool,

    /// Report nonterminals without a rule and rules without a use, and write nothing
    #[arg(long)]
    pub lint: bool,

    /// Refuse a grammar that lint has something to say about
    #[arg(long)]
    pub strict: bool,

    /// Print the grammar itself
    #[arg(long, conflicts_with_all = ["count", "lint", "limit"])]
    pub print_grammar: bool,
}

#[derive(Args)]
#[command(after_help = "Examples:
  epicene data make wibemt --part verb > verbs.tsv
  epicene data make wibemt --part verb --data verb_templates.tsv > original.tsv
  epicene data make wibemt --adjectives --winobias WinoBias/wino/data > adjectives.tsv
  epicene data make wibemt --adjectives --winobias WinoBias/wino/data --count
  cat verbs.tsv adjectives.tsv > all.tsv; epicene run wibemt --data all.tsv --mt file:de.txt --lang de

Output of verb: id, sentence, verb, occupation. Output of adjective: gender, index, sentence, phrase, class of the
occupation, adjective, class of the adjective, id.")]
pub struct WibemtArgs {
    /// Sentences with verbs (4,158), or WinoBias with adjectives (66,528)
    #[arg(long, value_name = "verb|adjective", default_value = "verb")]
    pub part: WibemtPart,

    /// The same as --part adjective
    #[arg(long, conflicts_with = "part")]
    pub adjectives: bool,

    /// Templates with {occ} for the occupation instead of our own: columns class, template, verb
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,

    /// Occupations of your own for verb sentences: a table with word and score (the output of `reproduce wordscore`), cut
    /// into thirds, or word and class (F, N, M)
    #[arg(long, value_name = "FILE")]
    pub occupations: Option<PathBuf>,

    /// Adjectives of your own for --part adjective: a table with word and score, of which the ten highest and lowest are
    /// taken, or word and class (F, M)
    #[arg(long, value_name = "FILE")]
    pub adjective_list: Option<PathBuf>,

    /// Directory of WinoBias (pro_stereotyped_type1.txt.dev …, gzip or not), or its sentences as a table gender,
    /// index, sentence, phrase
    #[arg(long, value_name = "DIR|FILE")]
    pub winobias: Option<PathBuf>,

    /// Print how many sentences there are, without writing any
    #[arg(long)]
    pub count: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum WibemtPart {
    Verb,
    Adjective,
}

impl GenerateArgs {
    /// The embedded grammar that is named, if it is one.
    pub fn edition(name: &str) -> Option<Edition> {
        name.parse().ok()
    }
}
