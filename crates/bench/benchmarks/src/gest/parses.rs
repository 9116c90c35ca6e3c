//! The paper's own rules on the parses of any parser (`--parses FILE.conllu`): what `gender --conllu` prints, measured.

use epicene_core::{Answer, Finding, InputError, Language, Span, TextFile, Verdict, counted};
use epicene_lang::conllu::{
    Grouping, LANGUAGES, RuleOptions, Scope, Translations, judge_translation, rule_set,
};

use crate::inputs::{By, InputSpec};
use crate::{BenchError, ColumnView, Verdicts};

/// Role of the parses of a system's translations.
pub const PARSES: &str = "parses";

pub(crate) const INPUT: InputSpec = InputSpec {
    ..InputSpec::new(
        PARSES,
        By::System,
        "A parser's CoNLL-U output on the translations, for the paper's own rules; see --parses",
        |file, language| {
            let code = language.map_or("", |language| language.code());
            if !LANGUAGES.contains(&code) {
                let message = format!("the paper has no rules on parses for `{code}`");
                return Err(InputError::new(&file.path, message)
                    .with_hint(format!("there are rules for {}", LANGUAGES.join(", "))));
            }
            parsed(file, code).map(drop)
        },
    )
};

/// The first sentence of each translation, with its verdict.
fn parsed(file: &TextFile, code: &str) -> Result<Vec<(String, Verdict)>, InputError> {
    let rules = rule_set(code, RuleOptions::default())
        .map_err(|error| InputError::new(&file.path, error.to_string()))?;
    let translations =
        Translations::new(file.text.as_bytes(), Grouping::Auto, Scope::FirstSentence);
    translations
        .map(|translation| {
            let translation = translation.map_err(|error| {
                let complaint = InputError::new(&file.path, error.to_string());
                match error.line() {
                    Some(line) => complaint.at_line(line as u64),
                    None => complaint,
                }
            })?;
            let verdict = judge_translation(&translation, &rules);
            Ok((translation.text(), verdict))
        })
        .collect()
}

/// The verdicts of the paper's rules on a column whose translations were parsed.
pub(crate) fn judge(column: &ColumnView<'_>, file: &TextFile) -> Result<Verdicts, BenchError> {
    let language: Language = column.language();
    let parsed = parsed(file, language.code())?;
    let answers = &column.column().answers;
    let translated = |answer: &&Option<Answer>| matches!(answer, Some(Answer::Translation(_)));
    let count = answers.iter().filter(translated).count();
    // A parser may have been given the empty lines of missing translations as well.
    let by_item = parsed.len() == answers.len();
    if !by_item && parsed.len() != count {
        let message = format!(
            "{} in the parse, {} by {}",
            counted(parsed.len(), "translation", "translations"),
            count,
            column.system().name
        );
        return Err(InputError::new(&file.path, message)
            .with_hint(
                "parse each translation as a document of its own (`# newdoc`), in the order of the data",
            )
            .into());
    }
    let mut found = parsed.into_iter();
    let mut cells = Vec::with_capacity(answers.len());
    for (item, answer) in answers.iter().enumerate() {
        let own = match answer {
            Some(Answer::Translation(_)) => found.next(),
            _ if by_item => {
                found.next();
                None
            }
            _ => None,
        };
        cells.push(match (answer, own) {
            (None, _) => None,
            (Some(Answer::Translation(text)), Some((parse, verdict))) => {
                if !squeezed(text).starts_with(&squeezed(&parse)) {
                    let id = column.items().get(item).id;
                    let message = format!(
                        "the parse of {id} is of another text: `{parse}`, the translation is `{text}`"
                    );
                    return Err(InputError::new(&file.path, message)
                        .with_hint("parse the same translations, in the same order")
                        .into());
                }
                Some(placed(verdict, &parse, text))
            }
            (Some(Answer::Missing), _) => Some(Verdict::new(Finding::NoAnswer, "")),
            _ => return Err(column.wrong_answer()),
        });
    }
    Ok(Verdicts::new(cells).by("judge", "paper-rules-on-parses"))
}

/// A text without blanks: parsers write them as they like.
fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// The evidence as characters of the translation, where it begins like the parsed sentence.
fn placed(mut verdict: Verdict, parse: &str, text: &str) -> Verdict {
    if !text.starts_with(parse) {
        verdict.evidence = Box::<[Span]>::default();
    }
    verdict
}
