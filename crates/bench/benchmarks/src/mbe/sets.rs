//! The two sets as `epicene data extract` writes them: a table `gender`, `line`, `text`, tabs between.

use std::collections::BTreeSet;

use epicene_core::{InputError, Item, TextFile};

pub const HEADER: &str = "gender\tline\ttext";
pub(super) const GENDER: &str = "gender";

/// One item for each sentence, female ones and male ones in the order of the file.
pub(crate) fn read_sets(file: &TextFile) -> Result<Vec<Item>, InputError> {
    let mut lines = file.text.lines().enumerate();
    let header = lines.next().map_or("", |(_, line)| line.trim_end());
    if header != HEADER {
        let message = format!(
            "the header is `{header}`, expected `{}`",
            HEADER.replace('\t', " TAB ")
        );
        return Err(InputError::new(&file.path, message).at_line(1).with_hint(
            "`epicene data extract` writes such a file; or give --source and --target",
        ));
    }
    let mut items = Vec::new();
    let mut seen = BTreeSet::new();
    for (index, line) in lines {
        let complain =
            |message: &str| InputError::new(&file.path, message).at_line(index as u64 + 1);
        let mut cells = line.splitn(3, '\t');
        let (Some(gender), Some(place), Some(text)) = (cells.next(), cells.next(), cells.next())
        else {
            return Err(complain(
                "a row has gender, line and text, with tabs between",
            ));
        };
        if !matches!(gender, "f" | "m") {
            return Err(complain("the gender is neither `f` nor `m`"));
        }
        if text.trim().is_empty() {
            return Err(complain("the sentence is empty"));
        }
        let id = format!("{gender}:{}", place.trim());
        if !seen.insert(id.clone()) {
            let message = format!("sentence `{id}` (gender and line) is there twice");
            return Err(complain(&message));
        }
        items.push(Item::new(format!("mbe:{id}"), text).with_label(GENDER, gender));
    }
    let count = |gender: &str| {
        items
            .iter()
            .filter(|item| item.label(GENDER) == Some(gender))
            .count()
    };
    match (count("f"), count("m")) {
        (0, _) => Err(InputError::new(&file.path, "there is no female sentence")),
        (_, 0) => Err(InputError::new(&file.path, "there is no male sentence")),
        _ => Ok(items),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Item>, InputError> {
        read_sets(&TextFile {
            path: "s.tsv".to_owned(),
            name: "s.tsv".to_owned(),
            sha256: String::new(),
            text: text.to_owned(),
        })
    }

    #[test]
    fn rows_are_checked() {
        let items = read("gender\tline\ttext\nf\t3\tA b\tc\nm\t4\tD\n").unwrap();
        assert_eq!(
            (items[0].id.as_str(), items[0].text.as_str()),
            ("mbe:f:3", "A b\tc")
        );
        for (rows, message) in [
            ("x\t1\tA\n", "line 2: the gender is neither `f` nor `m`"),
            ("f\t1\n", "line 2: a row has gender, line and text"),
            ("f\t1\t \n", "line 2: the sentence is empty"),
            (
                "f\t1\tA\nf\t1\tB\n",
                "line 3: sentence `f:1` (gender and line) is there twice",
            ),
            ("f\t1\tA\n", "there is no male sentence"),
            ("", "there is no female sentence"),
        ] {
            let error = read(&format!("gender\tline\ttext\n{rows}")).unwrap_err();
            assert!(error.to_string().contains(message), "{error}");
        }
        assert!(
            read("text\nA\n")
                .unwrap_err()
                .to_string()
                .contains("the header is `text`")
        );
    }
}
