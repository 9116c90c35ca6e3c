//! Well-known checkpoints of each architecture, and for an unsupported model type what it does and its nearest supported
//! relative.

/// Rows of a table: everything but comments.
fn rows(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().filter(|line| !line.starts_with('#'))
}

/// Well-known checkpoints of a model type; of a translator behind `mt:`.
pub fn known(model_type: &str) -> Option<&'static str> {
    rows(include_str!("known.tsv"))
        .filter_map(|row| row.split_once('\t'))
        .find(|(name, _)| *name == model_type)
        .map(|(_, names)| names)
}

/// What an unsupported model does, which decides how else it can be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnsupportedKind {
    /// Fills blanks.
    Masked,
    /// Reads from left to right.
    Causal,
    /// Reads with one half and writes with the other.
    Writer,
    /// Nothing that is measured here.
    Other,
    Unknown,
}

impl UnsupportedKind {
    fn named(name: &str) -> UnsupportedKind {
        match name {
            "masked" => UnsupportedKind::Masked,
            "causal" => UnsupportedKind::Causal,
            "writer" => UnsupportedKind::Writer,
            "other" => UnsupportedKind::Other,
            _ => UnsupportedKind::Unknown,
        }
    }

    /// What else can be done.
    pub fn way_out(self) -> &'static str {
        match self {
            UnsupportedKind::Masked => {
                "`epicene list architectures` shows what is supported; servers answer no masked questions: take a checkpoint of a relative, or give scores of your own (--model file:PATH)"
            }
            UnsupportedKind::Causal => {
                "`epicene list architectures` shows what is supported; a server that runs it (vLLM, llama.cpp) is asked as openai:MODEL@URL"
            }
            UnsupportedKind::Writer => {
                "`epicene list architectures` shows what is supported; pass translations that it wrote as --mt file:PATH"
            }
            UnsupportedKind::Other => {
                "`epicene list architectures` shows the supported models; all of them are models of text"
            }
            UnsupportedKind::Unknown => {
                "`epicene list architectures` shows what is supported; if it reads from left to right, a server that runs it (vLLM, llama.cpp) is asked as openai:MODEL@URL"
            }
        }
    }
}

/// What is to be said of a model type that is not read, in brackets: what it is, and the nearest of `read`. Empty where
/// nothing is known of it.
pub fn advice<'a>(
    model_type: &str,
    read: impl Iterator<Item = &'a str>,
) -> (String, UnsupportedKind) {
    let read: Vec<&str> = read.collect();
    let listed = rows(include_str!("relatives.tsv")).find_map(|row| {
        let mut cells = row.split('\t');
        let own = cells.next()? == model_type;
        own.then_some((cells.next()?, cells.next()?, cells.next()?))
    });
    match listed {
        Some((kind, relative, about)) => {
            let advice = if read.contains(&relative) {
                format!(" ({about}; its nearest relative here is `{relative}`)")
            } else {
                format!(" ({about})")
            };
            (advice, UnsupportedKind::named(kind))
        }
        None => {
            let advice = match nearest(model_type, &read) {
                Some(relative) => format!(" (by its name a relative of `{relative}`)"),
                None => String::new(),
            };
            (advice, UnsupportedKind::Unknown)
        }
    }
}

/// Beginnings of a name that end before a digit, `_` or `-`, the longest first; the whole name is the first of them.
fn stems(name: &str) -> impl Iterator<Item = &str> {
    let ends = name
        .char_indices()
        .filter(|(at, letter)| *at > 0 && (letter.is_ascii_digit() || "_-".contains(*letter)));
    let mut ends: Vec<usize> = ends.map(|(at, _)| at).collect();
    ends.push(name.len());
    ends.into_iter().rev().map(|end| &name[..end])
}

/// Parts of names of models that see or hear, whatever text model their names begin like.
const SENSES: [&str; 5] = ["asr", "audio", "image", "speech", "vision"];

/// The type that has the longest beginning in common; of several the shortest, of equally short ones the last.
fn nearest<'a>(model_type: &str, read: &[&'a str]) -> Option<&'a str> {
    let long = |stem: &&str| stem.len() >= 3;
    let mut parts = model_type.split(['_', '-']);
    if parts.any(|part| SENSES.contains(&part)) {
        return None;
    }
    stems(model_type).filter(long).find_map(|stem| {
        let numbered = |name: &str| {
            let rest = name.get(stem.len()..).unwrap_or_default();
            rest.starts_with(|letter: char| letter.is_ascii_digit())
        };
        let akin = |name: &&&str| stems(name).any(|other| other == stem);
        // Gemma 4 is nearer to Gemma 3 than to Gemma.
        let unlike = |name: &str| numbered(name) != numbered(model_type);
        let found = read.iter().filter(akin).rev();
        found.min_by_key(|name| (unlike(name), name.len())).copied()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::architectures::ARCHITECTURES;
    use crate::architectures::seq2seq::TRANSLATION_ARCHITECTURES;
    use crate::architectures::types_read;

    fn advised(model_type: &str) -> (String, UnsupportedKind) {
        advice(model_type, types_read())
    }

    #[test]
    fn relatives_are_named() {
        for (found, wanted) in [
            ("mamba", " (a state-space model)"),
            (
                "baichuan",
                " (Llama's layout in the authors' own code; its nearest relative here is `llama`)",
            ),
            ("byt5", " (T5 on bytes; its nearest relative here is `t5`)"),
            ("qwen7", " (by its name a relative of `qwen3`)"),
            ("gemma5_text", " (by its name a relative of `gemma3`)"),
            ("llama9_text", " (by its name a relative of `llama4`)"),
            ("bert_of_mine", " (by its name a relative of `bert`)"),
            ("esm", " (a model of proteins, which reads no text)"),
            ("something", ""),
            // A beginning that is no word of its own says nothing.
            ("longhorn", ""),
            ("minimal", ""),
            ("nemotron_asr_streaming", ""),
            ("smolified", ""),
        ] {
            assert_eq!(advised(found).0, wanted, "{found}");
        }
        // Its relative is not among those read.
        let codegen = advice("codegen", ["llama"].into_iter()).0;
        assert_eq!(codegen, " (GPT-J's layout with another order of heads)");
    }

    #[test]
    fn ways_out_fit_what_a_model_does() {
        for (found, asked) in [
            ("mamba", true),
            ("something", true),
            ("roformer", false),
            ("whisper", false),
            ("pegasus", false),
        ] {
            let way_out = advised(found).1.way_out();
            assert_eq!(way_out.contains("openai:MODEL@URL"), asked, "{found}");
        }
    }

    #[test]
    fn every_masked_architecture_has_a_well_known_checkpoint() {
        for architecture in ARCHITECTURES {
            if architecture.kind == epicene_core::ModelKind::Masked {
                for model_type in architecture.model_types {
                    assert!(known(model_type).is_some(), "{model_type}");
                }
            }
        }
    }

    #[test]
    fn tables_are_whole_and_nothing_read_is_called_unread() {
        let translators = TRANSLATION_ARCHITECTURES.iter().flat_map(|a| a.model_types);
        let read: Vec<&str> = types_read().chain(translators.copied()).collect();
        for row in rows(include_str!("relatives.tsv")) {
            let cells: Vec<&str> = row.split('\t').collect();
            let [model_type, kind, relative, _] = cells[..] else {
                panic!("{row}");
            };
            assert!(
                UnsupportedKind::named(kind) != UnsupportedKind::Unknown,
                "{row}"
            );
            assert!(relative == "-" || read.contains(&relative), "{row}");
            assert!(!read.contains(&model_type), "{row}");
        }
        for row in rows(include_str!("known.tsv")) {
            let (model_type, _) = row.split_once('\t').unwrap();
            let model_type = model_type.strip_prefix("mt:").unwrap_or(model_type);
            assert!(read.contains(&model_type), "{row}");
        }
    }
}
