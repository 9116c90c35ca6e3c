//! CoNLL-U parses, and the rules that read the speaker's gender from them.
//!
//! Slavic first-person sentences show the speaker's gender on participles and adjectives. GEST
//! (Pikuliak et al., arXiv 2311.18711; rules of section 4) finds it with short ordered rule lists
//! over a dependency parse; this module is the exact rule-based judge for anyone who has a parser.
//!
//! ```
//! use epicene_lang::Gender;
//! use epicene_lang::conllu::{Grouping, RuleOptions, Scope, Translations, judge_translation, rule_set};
//!
//! let parse = "\
//! 1\tBola\t_\tAUX\t_\tGender=Fem|Number=Sing\t3\tcop\t_\t_
//! 2\tsom\t_\tAUX\t_\tNumber=Sing|Person=1\t3\taux\t_\t_
//! 3\tunavená\t_\tADJ\t_\tGender=Fem|Number=Sing\t0\troot\t_\t_
//!
//! ";
//! let rules = rule_set("sk", RuleOptions::default())?;
//! for translation in Translations::new(parse.as_bytes(), Grouping::Auto, Scope::FirstSentence) {
//!     let translation = translation?;
//!     let verdict = judge_translation(&translation, &rules);
//!     assert_eq!(verdict.gender(), Some(Gender::Feminine));
//!     assert_eq!(verdict.rule, "HEAD(som)");
//!     assert_eq!(verdict.evidence[0].of(&translation.text()), "unavená");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod comments;
mod error;
mod judge;
mod primitives;
mod reader;
mod rules;
mod sentence;
mod text;
mod translation;

pub use error::ReadError;
pub use judge::{judge, judge_translation};
pub use reader::Sentences;
pub use rules::{LANGUAGES, Rule, RuleOptions, RuleSet, SloveneRules, UnknownLanguage, rule_set};
pub use sentence::{Analysis, DocumentStart, Sentence, SurfaceToken, Word};
pub use translation::{Grouping, Scope, Translation, Translations};
