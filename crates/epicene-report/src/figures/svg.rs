//! The little of SVG that the figures need: text that cannot break out, and one look for all of them.

use std::fmt::Write;

/// Text and attribute values, escaped.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c if c.is_control() => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A drawing with its alternative text; follows the reader's light or dark preference.
pub struct Drawing {
    body: String,
    width: u32,
    height: u32,
}

const STYLE: &str = "text{font:12px system-ui,sans-serif;fill:#222}.axis{stroke:#222;stroke-width:1}\
.grid{stroke:#ddd;stroke-width:1}.reference{stroke:#555;stroke-width:1.5;stroke-dasharray:6 4}\
.background{fill:#999;fill-opacity:.45}.bar{stroke:#0072b2;stroke-width:1.5}.point{fill:#0072b2}\
@media(prefers-color-scheme:dark){svg{background:#181818}text{fill:#ddd}.axis{stroke:#ddd}\
.grid{stroke:#333}.reference{stroke:#aaa}.background{fill:#888}.bar{stroke:#56b4e9}.point{fill:#56b4e9}}";

impl Drawing {
    pub fn new(width: u32, height: u32) -> Drawing {
        Drawing {
            body: String::new(),
            width,
            height,
        }
    }

    pub fn line(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        let _ = writeln!(
            self.body,
            "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
        );
    }

    /// A dot that says what it is when pointed at.
    pub fn dot(&mut self, class: &str, (x, y): (f64, f64), radius: f64, title: &str) {
        let title = escape(title);
        let _ = writeln!(
            self.body,
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"><title>{title}</title></circle>"
        );
    }

    /// `anchor` is start, middle or end.
    pub fn text(&mut self, anchor: &str, (x, y): (f64, f64), text: &str) {
        let text = escape(text);
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"
        );
    }

    pub fn finish(self, title: &str, description: &str) -> String {
        let (width, height) = (self.width, self.height);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\" aria-labelledby=\"t d\">\n<title id=\"t\">{}</title>\n\
             <desc id=\"d\">{}</desc>\n<style>{STYLE}</style>\n{}</svg>\n",
            escape(title),
            escape(description),
            self.body
        )
    }
}
