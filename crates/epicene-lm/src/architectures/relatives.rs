//! What is known beyond what is read: well-known checkpoints of each architecture, and the nearest relative of a model
//! type that is not read here.

/// Rows of a table: everything but comments.
fn rows(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().filter(|line| !line.starts_with('#'))
}

/// Well-known checkpoints of a model type.
pub fn known(model_type: &str) -> Option<&'static str> {
    rows(include_str!("known.tsv"))
        .filter_map(|row| row.split_once('\t'))
        .find(|(name, _)| *name == model_type)
        .map(|(_, names)| names)
}

/// What is to be said of a model type that is not read: what it is, and the nearest of `read`. Empty where nothing is known
/// of it.
pub fn advice<'a>(model_type: &str, read: impl Iterator<Item = &'a str>) -> String {
    let read: Vec<&str> = read.collect();
    let listed = rows(include_str!("relatives.tsv")).find_map(|row| {
        let mut cells = row.split('\t');
        (cells.next()? == model_type).then_some((cells.next()?, cells.next()?))
    });
    match listed {
        Some((relative, about)) if read.contains(&relative) => {
            format!(" ({about}; its nearest relative here is `{relative}`)")
        }
        Some((_, about)) => format!(" ({about})"),
        None => match nearest(model_type, &read) {
            Some(relative) => format!(" (by its name a relative of `{relative}`)"),
            None => String::new(),
        },
    }
}

/// The type whose name begins in the same way; of several, the shortest.
fn nearest<'a>(model_type: &str, read: &[&'a str]) -> Option<&'a str> {
    let shared = |name: &str| {
        let pairs = name.chars().zip(model_type.chars());
        pairs.take_while(|(left, right)| left == right).count()
    };
    let best = read
        .iter()
        .copied()
        .max_by_key(|name| (shared(name), std::cmp::Reverse(name.len())))?;
    (shared(best) >= 4).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ARCHITECTURES;
    use crate::seq2seq::FILLING_ARCHITECTURES;

    #[test]
    fn relatives_are_named() {
        let read = || ["llama", "qwen2", "qwen3", "bert", "m2m_100"].into_iter();
        for (found, wanted) in [
            ("mamba", " (a state-space model)"),
            (
                "baichuan",
                " (Llama's layout in the authors' own code; its nearest relative here is `llama`)",
            ),
            ("qwen5", " (by its name a relative of `qwen3`)"),
            ("llama9_text", " (by its name a relative of `llama`)"),
            ("esm", " (a model of proteins, which reads no text)"),
            ("something", ""),
            // Its relative is not among those read here.
            ("codegen", " (GPT-J's layout with another order of heads)"),
        ] {
            assert_eq!(advice(found, read()), wanted, "{found}");
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
        for row in rows(include_str!("relatives.tsv")) {
            let cells: Vec<&str> = row.split('\t').collect();
            assert_eq!(cells.len(), 3, "{row}");
            let fillers = FILLING_ARCHITECTURES.iter().flat_map(|a| a.model_types);
            let read = ARCHITECTURES
                .iter()
                .flat_map(|a| a.model_types)
                .chain(fillers);
            assert!(!read.into_iter().any(|name| *name == cells[0]), "{row}");
        }
        for row in rows(include_str!("known.tsv")) {
            assert_eq!(row.split('\t').count(), 2, "{row}");
        }
    }
}
