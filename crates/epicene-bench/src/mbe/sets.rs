//! The two sets as `epicene extract` writes them: a table `gender`, `line`, `text`, tabs between.

use epicene_core::{InputError, Item, TextFile};

pub const HEADER: &str = "gender\tline\ttext";
pub(super) const GENDER: &str = "gender";

/// One item for each sentence, female ones and male ones in the order of the file.
pub fn read_sets(file: &TextFile) -> Result<Vec<Item>, InputError> {
    let mut lines = file.text.lines().enumerate();
    let header = lines.next().map_or("", |(_, line)| line.trim_end());
    if header != HEADER {
        let message = format!(
            "the header is `{header}`, expected `{}`",
            HEADER.replace('\t', " TAB ")
        );
        return Err(InputError::new(&file.path, message)
            .at_line(1)
            .with_hint("`epicene extract` writes such a file; or give --source and --target"));
    }
    let mut items = Vec::new();
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
        items.push(
            Item::new(format!("mbe:{gender}:{place}:{}", items.len() + 1), text)
                .with_label(GENDER, gender),
        );
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
