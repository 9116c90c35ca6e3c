//! A benchmark's card: Markdown whose paragraphs begin with the name of a field in bold. The card is the
//! module documentation of the benchmark, the text of `epicene show`, and the foot of the page.

use crate::figures::svg::escape;

/// One field of a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardField<'a> {
    /// `Limits`, without the full stop.
    pub name: &'a str,
    /// The Markdown after the name, to the next field.
    pub text: &'a str,
}

/// The fields of a card in their order.
pub fn card_fields(card: &str) -> Vec<CardField<'_>> {
    let mut starts: Vec<usize> = Vec::new();
    let mut at = 0;
    for line in card.split_inclusive('\n') {
        if line.starts_with("**") && line[2..].contains(".**") {
            starts.push(at);
        }
        at += line.len();
    }
    starts
        .iter()
        .enumerate()
        .filter_map(|(index, &start)| {
            let end = starts.get(index + 1).copied().unwrap_or(card.len());
            let (name, text) = card[start + 2..end].split_once(".**")?;
            Some(CardField {
                name,
                text: text.trim(),
            })
        })
        .collect()
}

/// The Markdown of a field as HTML: paragraphs, lists, bold, code.
pub fn html(markdown: &str) -> String {
    let mut out = String::new();
    for block in markdown
        .split("\n\n")
        .map(str::trim)
        .filter(|b| !b.is_empty())
    {
        // A list may follow its introduction without a blank line.
        let mut paragraph: Vec<&str> = Vec::new();
        let mut items: Vec<String> = Vec::new();
        for line in block.lines() {
            match (line.strip_prefix("- "), items.last_mut()) {
                (Some(item), _) => items.push(item.to_owned()),
                (None, Some(item)) => {
                    item.push(' ');
                    item.push_str(line.trim());
                }
                (None, None) => paragraph.push(line.trim()),
            }
        }
        if !paragraph.is_empty() {
            out += &format!("<p>{}</p>\n", inline(&paragraph.join(" ")));
        }
        if !items.is_empty() {
            out += "<ul>\n";
            for item in items {
                out += &format!("<li>{}</li>\n", inline(&item));
            }
            out += "</ul>\n";
        }
    }
    out
}

/// One line of Markdown as HTML: bold, code.
pub fn inline(text: &str) -> String {
    let mut out = String::new();
    for (index, part) in text.split('`').enumerate() {
        match index % 2 {
            1 => out += &format!("<code>{}</code>", escape(part)),
            _ => {
                for (index, part) in part.split("**").enumerate() {
                    match index % 2 {
                        1 => out += &format!("<strong>{}</strong>", escape(part)),
                        _ => out += &escape(part),
                    }
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const CARD: &str = "# X\n\n**What it measures.** A thing.\n\n- `q`: a\n  factor\n- two\n\n**Limits.** Two <genders>.\n";

    #[test]
    fn fields_are_found_by_their_names() {
        let fields = card_fields(CARD);
        assert_eq!(fields.len(), 2);
        assert_eq!(fields[0].name, "What it measures");
        assert_eq!(fields[1].text, "Two <genders>.");
    }

    #[test]
    fn markdown_becomes_escaped_html() {
        let html = html(card_fields(CARD)[0].text);
        assert!(html.contains("<li><code>q</code>: a factor</li>"), "{html}");
        assert_eq!(
            super::html("a **b** <c>"),
            "<p>a <strong>b</strong> &lt;c&gt;</p>\n"
        );
    }
}
