//! A text of headings, sentences, lists and tables, written as Markdown or as HTML. Strings know two marks, `**bold**` and
//! code between backticks; text from outside comes through [`outside`] and has neither.

use crate::figures::svg::escape;
use crate::html::card_text;
use crate::markdown::escaped;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Block {
    Heading(usize, String),
    Text(String),
    /// Markdown of our own: a field of a benchmark's card.
    Card(String),
    List(Vec<String>),
    Table {
        head: Vec<String>,
        lines: Vec<Vec<String>>,
    },
    Code(String),
    /// What the run does not know.
    ToFill(String),
}

/// A filled template.
#[derive(Debug, Clone, Default)]
pub struct Document {
    pub(super) blocks: Vec<Block>,
}

/// Text from outside, without what would be a mark.
pub(super) fn outside(text: &str) -> String {
    let plain = |c: char| match c {
        '`' => '\'',
        '*' => '∗',
        c if c.is_control() => ' ',
        c => c,
    };
    text.chars().map(plain).collect()
}

impl Document {
    pub(super) fn heading(&mut self, level: usize, text: &str) {
        self.blocks.push(Block::Heading(level, text.to_owned()));
    }

    pub(super) fn text(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Text(text.into()));
    }

    pub(super) fn list(&mut self, items: Vec<String>) {
        if !items.is_empty() {
            self.blocks.push(Block::List(items));
        }
    }

    pub(super) fn table(&mut self, head: &[&str], lines: Vec<Vec<String>>) {
        if !lines.is_empty() {
            let head = head.iter().map(|cell| (*cell).to_owned()).collect();
            self.blocks.push(Block::Table { head, lines });
        }
    }

    pub(super) fn leave_open(&mut self, what: &str) {
        self.blocks.push(Block::ToFill(what.to_owned()));
    }

    /// What is left to be written by a person.
    pub fn open(&self) -> Vec<&str> {
        let blocks = self.blocks.iter();
        blocks
            .filter_map(|block| match block {
                Block::ToFill(what) => Some(what.as_str()),
                _ => None,
            })
            .collect()
    }

    pub fn markdown(&self) -> String {
        let mut out = String::new();
        for block in &self.blocks {
            if !out.is_empty() {
                out.push('\n');
            }
            match block {
                Block::Heading(level, text) => {
                    out += &format!("{} {text}\n", "#".repeat(*level));
                }
                Block::Text(text) => out += &format!("{}\n", marked(text)),
                Block::Card(text) => out += &format!("{}\n", text.trim()),
                Block::List(items) => {
                    for item in items {
                        out += &format!("- {}\n", marked(item));
                    }
                }
                Block::Table { head, lines } => {
                    let line = |cells: &[String]| {
                        let cells: Vec<String> = cells.iter().map(|cell| marked(cell)).collect();
                        format!("| {} |\n", cells.join(" | "))
                    };
                    out += &line(head);
                    out += &format!("|{}\n", "---|".repeat(head.len()));
                    for cells in lines {
                        out += &line(cells);
                    }
                }
                Block::Code(text) => {
                    out += &format!("```\n{}\n```\n", text.trim_end().replace("```", "'''"))
                }
                Block::ToFill(what) => out += &format!("TO FILL: {}\n", marked(what)),
            }
        }
        out
    }

    pub fn html(&self, title: &str) -> String {
        let mut body = String::new();
        for block in &self.blocks {
            match block {
                Block::Heading(level, text) => {
                    body += &format!("<h{level}>{}</h{level}>\n", card_text::inline(text));
                }
                Block::Text(text) => body += &format!("<p>{}</p>\n", card_text::inline(text)),
                Block::Card(text) => body += &card_text::html(text),
                Block::List(items) => {
                    body += "<ul>\n";
                    for item in items {
                        body += &format!("<li>{}</li>\n", card_text::inline(item));
                    }
                    body += "</ul>\n";
                }
                Block::Table { head, lines } => {
                    let row = |tag: &str, cells: &[String]| {
                        let cells = cells.iter().map(|cell| card_text::inline(cell));
                        let cells = cells.map(|cell| format!("<{tag}>{cell}</{tag}>"));
                        format!("<tr>{}</tr>\n", cells.collect::<String>())
                    };
                    let lines: String = lines.iter().map(|cells| row("td", cells)).collect();
                    body += &format!("<table>\n{}{lines}</table>\n", row("th", head));
                }
                Block::Code(text) => body += &format!("<pre>{}</pre>\n", escape(text.trim_end())),
                Block::ToFill(what) => {
                    body += &format!(
                        "<p class=\"open\">TO FILL: {}</p>\n",
                        card_text::inline(what)
                    );
                }
            }
        }
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
             <title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
            escape(title)
        )
    }
}

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}\
table{border-collapse:collapse}th,td{border:1px solid #888;padding:.2rem .5rem;text-align:left;vertical-align:top}\
pre{overflow-x:auto;background:#eee;padding:.5rem}.open{border-left:.3rem solid #c60;padding-left:.5rem}";

/// The two marks as Markdown; everything else stays text.
fn marked(text: &str) -> String {
    let mut out = String::new();
    for (index, part) in text.split('`').enumerate() {
        match index % 2 {
            1 => out += &format!("`{}`", part.replace('|', "\\|")),
            _ => out += &escaped(part),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_outside_have_no_marks_in_either_form() {
        let mut document = Document::default();
        let name = outside("<b>`x`</b> **y** | z\n");
        document.text(format!("System `{name}`, {name}"));
        document.table(&["a"], vec![vec![name.clone()]]);
        let markdown = document.markdown();
        assert!(
            !markdown.contains("**y**") && !markdown.contains("\n<b>"),
            "{markdown}"
        );
        assert!(
            markdown.contains("&lt;b&gt;'x'&lt;/b&gt; ∗∗y∗∗ \\| z"),
            "{markdown}"
        );
        let html = document.html("t");
        assert!(
            !html.contains("<b>") && !html.contains("<strong>"),
            "{html}"
        );
    }
}
