//! Tokenizers of models that are known by their scores alone: `--tokenizer` makes GEST's filter for Slavic models (section 6) apply
//! to files of scores, which have no model to ask. Pairs that do not differ in exactly one token count as not asked.

use std::io::ErrorKind;
use std::path::Path;

use epicene_bench::{AnswerSheet, Benchmark, Options};
use epicene_core::{Answer, Item, ModelKind, Question};
use epicene_io::limits::LARGEST_TEXT;
use epicene_io::{regular, sha256_hex};
use epicene_lm::{CheckpointError, Config, TextTokenizer, differ_in_one_token};

use crate::failure::Failure;
use crate::{answer_files, outputs};

/// A tokenizer with whose it is, where that is said.
struct NamedTokenizer<'a> {
    model: Option<&'a str>,
    tokenizer: TextTokenizer,
    /// For the signature.
    name: String,
}

fn open(given: &str) -> Result<NamedTokenizer<'_>, Failure> {
    let (model, path) = match given.split_once('=') {
        Some((model, path)) if !model.is_empty() => (Some(model), Path::new(path)),
        _ => (None, Path::new(given)),
    };
    let failed = |error: CheckpointError| {
        Failure::input(format!("--tokenizer {}: {error}", path.display()))
            .with_hint("give tokenizer.json, or a directory of a checkpoint")
    };
    let unreadable =
        |error: std::io::Error| Failure::input(format!("--tokenizer {}: {error}", path.display()));
    let config = |text: &str| Config::parse_file("config.json", text).map_err(failed);
    let (tokenizer, hash) = if path.is_dir() {
        // A tokenizer needs no settings of a model; what cannot be read is another matter.
        let text = match regular::read_to_string(&path.join("config.json"), LARGEST_TEXT) {
            Err(error) if error.kind() == ErrorKind::NotFound => "{}".to_owned(),
            read => read.map_err(unreadable)?,
        };
        let config = config(&text)?;
        let tokenizer = TextTokenizer::open(path, &config, &[]).map_err(failed)?;
        (tokenizer, hash_of_files(path).map_err(unreadable)?)
    } else {
        outputs::note_input(path)?;
        let bytes = regular::read(path, LARGEST_TEXT).map_err(unreadable)?;
        let tokenizer = TextTokenizer::parse(&bytes, None, None, &config("{}")?, &[]);
        (tokenizer.map_err(failed)?, sha256_hex(&bytes))
    };
    Ok(NamedTokenizer {
        model,
        name: format!("{}@{}", tokenizer.variant(), &hash[..12]),
        tokenizer,
    })
}

/// The hash of `tokenizer.json`, or of the older files that a tokenizer is made of.
fn hash_of_files(directory: &Path) -> std::io::Result<String> {
    let present = |name: &&&str| directory.join(name).exists();
    let hash = |name: &str| {
        regular::read(&directory.join(name), LARGEST_TEXT).map(|bytes| sha256_hex(&bytes))
    };
    if present(&&"tokenizer.json") {
        return hash("tokenizer.json");
    }
    let mut all = String::new();
    for name in TextTokenizer::OLDER_FILES.iter().filter(present) {
        all += &format!("{name} {}\n", hash(name)?);
    }
    Ok(sha256_hex(all.as_bytes()))
}

/// Takes the answers away that the filter does not keep; what the cards of the systems are to say.
pub fn apply(
    given: &[String],
    benchmark: &dyn Benchmark,
    items: &[Item],
    sheets: &mut [AnswerSheet],
) -> Result<Vec<(String, String)>, Failure> {
    if given.is_empty() {
        return Ok(Vec::new());
    }
    let asks = benchmark.asks(ModelKind::Masked, &Options::default());
    let pair = |item: &Item| match asks.first().map(|ask| benchmark.question(item, ask)) {
        Some(Question::MaskedPair {
            masculine,
            feminine,
            one_token: true,
        }) => Some((masculine, feminine)),
        _ => None,
    };
    let pairs: Option<Vec<(String, String)>> = items.iter().map(pair).collect();
    let Some(pairs) = pairs.filter(|pairs| !pairs.is_empty()) else {
        return Err(Failure::usage(format!(
            "--tokenizer has no effect on {}; it is for pairs of sentences (run gest --pairs FILE)",
            benchmark.card().name
        )));
    };
    let given = given
        .iter()
        .map(|given| open(given))
        .collect::<Result<Vec<_>, _>>()?;
    for named in given.iter().filter_map(|given| given.model) {
        if !sheets.iter().any(|sheet| sheet.system == named) {
            return Err(
                Failure::usage(format!("--tokenizer {named}=…: no such system"))
                    .with_hint(answer_files::held(sheets)),
            );
        }
    }
    let mut names = Vec::new();
    for sheet in sheets {
        let own = |given: &&NamedTokenizer<'_>| given.model == Some(sheet.system.as_str());
        let for_all = |given: &&NamedTokenizer<'_>| given.model.is_none();
        let Some(found) = given
            .iter()
            .find(own)
            .or_else(|| given.iter().find(for_all))
        else {
            continue;
        };
        let tokens = |text: &str| {
            found.tokenizer.parts(text).map_err(|error| {
                Failure::input(format!("--tokenizer of {}: {error}", sheet.system))
            })
        };
        let mut kept = Vec::with_capacity(pairs.len());
        for (masculine, feminine) in &pairs {
            kept.push(differ_in_one_token(&tokens(masculine)?, &tokens(feminine)?));
        }
        for (_, answers) in &mut sheet.units {
            for (answer, kept) in answers.iter_mut().zip(&kept) {
                if !kept {
                    *answer = Answer::Missing;
                }
            }
        }
        names.push((sheet.system.clone(), found.name.clone()));
    }
    Ok(names)
}
