//! Nouns for persons that a user gives to the occupation judge: `--input lexicon:LANG=FILE`. A set of
//! one's own has occupations that our lists lack.

use epicene_core::{InputError, Language, Span, TextFile, Verdict};
use epicene_lang::occupation::{OccupationJudge, Token};

/// The role of the file.
pub const LEXICON: &str = "lexicon";

/// The judge with the nouns of a user's file, which it believes before its own.
pub fn with_lexicon(
    judge: &OccupationJudge,
    file: &TextFile,
) -> Result<OccupationJudge, InputError> {
    judge.with_lexicon(&file.text).map_err(|faults| {
        let (line, what) = faults
            .first()
            .map_or((0, ""), |fault| (fault.line as u64, fault.what.as_str()));
        InputError::new(&file.path, what).at_line(line).with_hint(
            "epicene's detector reads lexicons in the format of persons.txt \
             (docs/adding-an-occupation-language.md); WinoMT's --detector published a table of words and genders",
        )
    })
}

/// Whether a file has lines of that format, and not the table of the published judge.
pub fn is_of_persons(file: &TextFile) -> bool {
    let lines = file.text.lines().map(str::trim);
    let mut told = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    told.next()
        .is_some_and(|line| line.starts_with('[') || line.contains('|'))
}

/// Refuses a file that the judge of its language cannot read.
pub fn check(file: &TextFile, language: Option<Language>) -> Result<(), InputError> {
    match language.and_then(OccupationJudge::of) {
        Some(judge) => with_lexicon(judge, file).map(drop),
        None => Ok(()),
    }
}

/// Whether a verdict rests on a word that the links lead to. The default judge takes a translation of the noun nearby
/// where links lead elsewhere.
pub fn rests_on(verdict: &Verdict, tokens: &[Token], linked: &[usize]) -> bool {
    let is_linked = |span: &Span| {
        linked
            .iter()
            .filter_map(|place| tokens.get(*place))
            .any(|token| Span::new(token.start, token.end) == *span)
    };
    verdict.evidence.is_empty() || verdict.evidence.iter().any(is_linked)
}

/// As the signature names links of a file or an encoder, where some verdicts rest on words that they do not lead to.
pub fn signed_links(by: &str, all_rest_on_them: bool) -> String {
    if all_rest_on_them {
        by.to_owned()
    } else {
        format!("{by}+nearby")
    }
}
