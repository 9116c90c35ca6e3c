//! MT-GenEval's files as items (specification, section 2): line k of all files of one subset and language belong together.

use std::collections::BTreeMap;

use epicene_core::{Gender, InputError, Item, ItemRef, Language, TextFile, there_are};

use super::options::{CONTEXT, Context, SPLIT, SUBSET, Subset};
use crate::Options;
use crate::python::{self, lines};

/// The reference of the line's own gender, and of the other.
pub const REFERENCE: &str = "reference";
pub const OTHER: &str = "other";
/// `masculine`, `feminine`, or `unknown` where the context does not tell.
pub const GENDER: &str = "gender";
pub const SUBSET_LABEL: &str = "subset";
/// Line number of a counterfactual pair, from 1.
pub const PAIR: &str = "pair";
/// How much of a translation is judged: absent: all; `last:N` sentences; `sep`.
pub const KEEP: &str = "keep";
/// Words that annotators tagged in the reference.
pub const TAGGED: &str = "tagged";

pub const COUNTERFACTUAL: &str = "counterfactual";
pub const CONTEXTUAL: &str = "contextual";
const SEPARATOR: &str = "<sep>";

/// The files of a language by their role.
fn names(language: &str, split: &str, subset: Subset) -> Vec<String> {
    let mut names = Vec::new();
    if subset != Subset::Contextual {
        for gender in ["masculine", "feminine"] {
            for side in ["en", language] {
                names.push(format!(
                    "geneval-sentences-{gender}-{split}.en_{language}.{side}"
                ));
            }
        }
    }
    if subset != Subset::Counterfactual {
        let stem = "geneval-context-wikiprofessions";
        names.push(format!("{stem}-2to1-{split}.en_{language}.en"));
        for kind in ["original", "flipped"] {
            names.push(format!("{stem}-{kind}-{split}.en_{language}.{language}"));
        }
    }
    names
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn is_annotated(path: &str) -> bool {
    path.contains("annotated/") || path.contains("annotated\\")
}

pub fn choose_files(present: &[String], options: &Options) -> Vec<String> {
    let Some(language) = options.languages.first() else {
        return Vec::new();
    };
    let wanted = names(language.code(), &options.get(&SPLIT), options.get(&SUBSET));
    let mut chosen = Vec::new();
    for name in &wanted {
        let plain = |path: &&String| base(path) == name && !is_annotated(path);
        // The reader names what is missing.
        chosen.push(
            present
                .iter()
                .find(plain)
                .cloned()
                .unwrap_or_else(|| name.clone()),
        );
        let target = name.ends_with(&format!(".{language}"));
        let tagged = |path: &&String| base(path) == name && is_annotated(path);
        chosen.extend(present.iter().find(tagged).filter(|_| target).cloned());
    }
    chosen
}

/// One file of the set, line by line.
struct Lines<'a> {
    file: &'a TextFile,
    lines: Vec<&'a str>,
}

struct Files<'a> {
    plain: BTreeMap<String, &'a TextFile>,
    annotated: BTreeMap<String, &'a TextFile>,
    path: &'a str,
}

impl<'a> Files<'a> {
    fn get(&self, name: &str) -> Result<Lines<'a>, InputError> {
        let file = self.plain.get(name).ok_or_else(|| {
            InputError::new(self.path, format!("there is no `{name}` in the data"))
                .with_hint("give --data the directory of MT-GenEval's files, plain or packed")
        })?;
        Ok(Lines {
            file,
            lines: lines(&file.text),
        })
    }
}

/// All files of one group have as many lines.
fn same_length(group: &[&Lines<'_>]) -> Result<(), InputError> {
    let [first, rest @ ..] = group else {
        return Ok(());
    };
    for other in rest {
        if other.lines.len() != first.lines.len() {
            let message = format!(
                "{}, {} has {}",
                there_are(other.lines.len(), "line", "lines"),
                first.file.name,
                first.lines.len()
            );
            return Err(InputError::new(&other.file.path, message));
        }
    }
    Ok(())
}

pub fn items(files: &[TextFile], options: &Options) -> Result<Vec<Item>, InputError> {
    let path = files.first().map_or("mtgeneval", |file| file.path.as_str());
    let Some(language) = options.languages.first() else {
        return Err(
            InputError::new(path, "the sentences differ by language").with_hint("give --lang L")
        );
    };
    let unpacked = |file: &TextFile| {
        let name = base(&file.name);
        let packed = [".gz", ".zst", ".xz"];
        let plain = packed.iter().find_map(|ending| name.strip_suffix(ending));
        plain.unwrap_or(name).to_owned()
    };
    let (tagged, plain): (Vec<&TextFile>, Vec<&TextFile>) =
        files.iter().partition(|file| is_annotated(&file.path));
    let found = Files {
        plain: plain
            .into_iter()
            .map(|file| (unpacked(file), file))
            .collect(),
        annotated: tagged
            .into_iter()
            .map(|file| (unpacked(file), file))
            .collect(),
        path,
    };
    let (split, subset) = (options.get(&SPLIT), options.get(&SUBSET));
    let mut items = Vec::new();
    if subset != Subset::Contextual {
        items.extend(counterfactual(&found, *language, &split)?);
    }
    if subset != Subset::Counterfactual {
        items.extend(contextual(
            &found,
            *language,
            &split,
            options.get(&CONTEXT),
        )?);
    }
    if items.is_empty() {
        return Err(InputError::new(path, "there are no sentences"));
    }
    Ok(items)
}

fn counterfactual(
    files: &Files<'_>,
    language: Language,
    split: &str,
) -> Result<Vec<Item>, InputError> {
    let name = |gender: &str, side: &str| {
        format!("geneval-sentences-{gender}-{split}.en_{language}.{side}")
    };
    let code = language.code();
    let sources = [
        files.get(&name("masculine", "en"))?,
        files.get(&name("feminine", "en"))?,
    ];
    let targets = [
        files.get(&name("masculine", code))?,
        files.get(&name("feminine", code))?,
    ];
    same_length(&[&sources[0], &sources[1], &targets[0], &targets[1]])?;
    let mut items = Vec::new();
    for (place, gender) in ["masculine", "feminine"].into_iter().enumerate() {
        let annotated = files.annotated.get(&name(gender, code));
        let annotated: Vec<&str> = annotated.map_or_else(Vec::new, |file| lines(&file.text));
        for (line, source) in sources[place].lines.iter().enumerate() {
            let reference = targets[place].lines[line];
            let id = format!("mtgeneval:{language}:{split}:{gender}:{}", line + 1);
            let mut item = Item::new(id, *source)
                .with_label(REFERENCE, reference)
                .with_label(OTHER, targets[1 - place].lines[line])
                .with_label(GENDER, gender)
                .with_label(SUBSET_LABEL, COUNTERFACTUAL)
                .with_label(PAIR, (line + 1).to_string());
            let tagged = annotated.get(line).and_then(|line| tagged(line, reference));
            if let Some(tagged) = tagged {
                item = item.with_label(TAGGED, tagged.join("\t"));
            }
            items.push(item);
        }
    }
    Ok(items)
}

/// The pieces between `<M>` or `<F>` and their end; `None` where the line is not the reference with tags, or has none.
fn tagged(line: &str, reference: &str) -> Option<Vec<String>> {
    let mut plain = String::new();
    let mut pieces = Vec::new();
    let mut left = line;
    while let Some(start) = ["<M>", "<F>"].iter().filter_map(|tag| left.find(tag)).min() {
        plain += &left[..start];
        let close = left[start..].replace("<M>", "</M>");
        let end_tag = if close.starts_with("</M>") {
            "</M>"
        } else {
            "</F>"
        };
        let inner = &left[start + 3..];
        let end = inner.find(end_tag)?;
        plain += &inner[..end];
        pieces.push(inner[..end].to_owned());
        left = &inner[end + end_tag.len()..];
    }
    plain += left;
    (plain == reference && !pieces.is_empty()).then_some(pieces)
}

fn contextual(
    files: &Files<'_>,
    language: Language,
    split: &str,
    how: Context,
) -> Result<Vec<Item>, InputError> {
    let stem = "geneval-context-wikiprofessions";
    let source = files.get(&format!("{stem}-2to1-{split}.en_{language}.en"))?;
    let target = |kind: &str| files.get(&format!("{stem}-{kind}-{split}.en_{language}.{language}"));
    let (original, flipped) = (target("original")?, target("flipped")?);
    same_length(&[&source, &original, &flipped])?;
    let mut items = Vec::new();
    for (place, line) in source.lines.iter().enumerate() {
        let Some((context, sentence)) = line.split_once(SEPARATOR) else {
            let message = format!("there is no `{SEPARATOR}` between context and sentence");
            return Err(InputError::new(&source.file.path, message).at_line(place as u64 + 1));
        };
        let (context, sentence) = (context.trim(), sentence.trim());
        let (text, keep) = match how {
            Context::None => (sentence.to_owned(), None),
            Context::Sep => ((*line).to_owned(), Some("sep".to_owned())),
            Context::Joined if context.is_empty() => (sentence.to_owned(), None),
            Context::Joined => {
                let count = sentences(sentence).len();
                (
                    format!("{context} {sentence}"),
                    Some(format!("last:{count}")),
                )
            }
        };
        let gender = gender_of(context).map_or("unknown", |gender| match gender {
            Gender::Masculine => "masculine",
            Gender::Feminine => "feminine",
        });
        let id = format!("mtgeneval:{language}:{split}:context:{}", place + 1);
        let mut item = Item::new(id, text)
            .with_label(REFERENCE, original.lines[place])
            .with_label(OTHER, flipped.lines[place])
            .with_label(GENDER, gender)
            .with_label(SUBSET_LABEL, CONTEXTUAL);
        if let Some(keep) = keep {
            item = item.with_label(KEEP, keep);
        }
        items.push(item);
    }
    Ok(items)
}

/// Who the context speaks of, by its pronouns: more of one gender decide.
pub fn gender_of(context: &str) -> Option<Gender> {
    let (mut he, mut she) = (0, 0);
    let lower = context.to_lowercase();
    for word in lower.split(|c: char| !python::is_word(c)) {
        match word {
            "he" | "him" | "his" | "himself" => he += 1,
            "she" | "her" | "hers" | "herself" => she += 1,
            _ => {}
        }
    }
    match he - she {
        difference if difference > 0 => Some(Gender::Masculine),
        difference if difference < 0 => Some(Gender::Feminine),
        _ => None,
    }
}

/// Where sentences end: a mark of the end, and white space behind it.
pub fn sentences(text: &str) -> Vec<&str> {
    let ends = ['.', '!', '?', '…', '।', '؟', '。', '！', '？'];
    let mut found = Vec::new();
    let mut start = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((_, c)) = characters.next() {
        if !ends.contains(&c) {
            continue;
        }
        // Closing marks belong to the sentence.
        while let Some((_, next)) = characters.peek() {
            if ends.contains(next) || "\"'”’»)]“".contains(*next) {
                characters.next();
            } else {
                break;
            }
        }
        let Some((place, next)) = characters.peek().copied() else {
            break;
        };
        // An initial or an abbreviation of a letter or two is no end: "J. Smith", "Mr. Hewes".
        let word = text[start..place].trim_end_matches(|c| ends.contains(&c));
        let last = word.rsplit(char::is_whitespace).next().unwrap_or("");
        let short = c == '.' && last.chars().count() <= 3 && last.chars().any(char::is_uppercase);
        if next.is_whitespace() && !short {
            found.push(text[start..place].trim());
            start = place;
        }
    }
    let rest = text[start..].trim();
    if !rest.is_empty() {
        found.push(rest);
    }
    found
}

/// The part of a translation that is judged: where it begins, in bytes.
pub fn judged_from(item: ItemRef<'_>, translation: &str) -> usize {
    let Some(keep) = item.label(KEEP) else {
        return 0;
    };
    if keep == "sep" {
        let found = translation.find(SEPARATOR);
        return found.map_or(0, |place| place + SEPARATOR.len());
    }
    let count = keep.strip_prefix("last:").map(str::parse::<usize>);
    let Some(Ok(count)) = count else {
        unreachable!("items are labelled `sep` or `last:N`, not `{keep}`");
    };
    let all = sentences(translation);
    let first = all.len().saturating_sub(count);
    all.get(first).map_or(0, |sentence| {
        sentence.as_ptr() as usize - translation.as_ptr() as usize
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_translation_is_kept() {
        let item = Item::new("x", "").with_label(KEEP, "last:1");
        let mut items = epicene_core::Items::default();
        items.push(&item);
        let text = "Ganó la Copa. La Sra. J. Díaz dijo: «¡Sí!» Después, su carrera despegó.";
        let from = judged_from(items.get(0), text);
        assert_eq!(&text[from..], "Después, su carrera despegó.");
        assert_eq!(sentences("Primero. Segundo? Tercero").len(), 3);
        assert_eq!(sentences("3.5 metros de alto.").len(), 1);
    }

    #[test]
    fn tags_are_taken_from_lines_that_match() {
        let pieces = tagged(
            "Su <M>padre</M> y el <M>primer presidente</M>.",
            "Su padre y el primer presidente.",
        );
        assert_eq!(pieces.unwrap(), ["padre", "primer presidente"]);
        assert_eq!(tagged("Su <F>madre</F>.", "Su otra madre."), None);
        assert_eq!(tagged("Nada.", "Nada."), None);
    }

    #[test]
    fn pronouns_of_the_context_decide() {
        assert_eq!(
            gender_of("He saw his mother; she left."),
            Some(Gender::Masculine)
        );
        assert_eq!(gender_of("Herself, she said."), Some(Gender::Feminine));
        assert_eq!(gender_of("He met her."), None);
        assert_eq!(gender_of(""), None);
    }
}
