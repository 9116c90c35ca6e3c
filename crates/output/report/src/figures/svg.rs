//! A scene as SVG: text that cannot break out, colours by class. In a page the classes are the page's;
//! a file of its own carries them, and follows the reader's light or dark preference.

use std::fmt::Write;

use super::Figure;
use super::scene::{Anchor, Ink, Mark, NORMAL, Shape};
use super::symbol::Symbol;

/// Text and attribute values, escaped.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c if c.is_control() => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// The rules that give every ink its colour, light and dark, below a selector.
pub fn ink_rules(column: usize, selector: &str) -> String {
    let rule = |ink: &Ink| {
        format!(
            "{selector}.{}{{color:{}}}",
            ink.class(),
            ink.colours()[column]
        )
    };
    Ink::ALL.iter().map(rule).collect()
}

/// A number for an attribute: one decimal, none where it is not needed.
fn short(value: f64) -> String {
    let text = format!("{value:.1}");
    match text.strip_suffix(".0") {
        Some("-0") => "0".to_owned(),
        Some(whole) => whole.to_owned(),
        None => text,
    }
}

fn mark(out: &mut String, mark: &Mark) {
    let mut common = format!(" class=\"{}\"", mark.ink.class());
    if mark.faint {
        common += " opacity=\".5\"";
    }
    if let Some(row) = mark.note.as_ref().and_then(|note| note.row) {
        let _ = write!(common, " data-row=\"{row}\"");
    }
    let (open, element) = match &mark.shape {
        Shape::Line {
            from,
            to,
            width,
            dashed,
        } => {
            let dash = if *dashed {
                " stroke-dasharray=\"5 4\""
            } else {
                ""
            };
            (
                format!(
                    "<path{common} d=\"M{} {}L{} {}\" stroke=\"currentColor\" stroke-width=\"{width}\"{dash}",
                    short(from.0),
                    short(from.1),
                    short(to.0),
                    short(to.1)
                ),
                "path",
            )
        }
        Shape::Rectangle { corner, size } => (
            format!(
                "<rect{common} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
                short(corner.0),
                short(corner.1),
                short(size.0),
                short(size.1)
            ),
            "rect",
        ),
        Shape::Symbol {
            centre,
            radius,
            symbol: Symbol::Circle,
        } => (
            format!(
                "<circle{common} cx=\"{}\" cy=\"{}\" r=\"{radius}\"",
                short(centre.0),
                short(centre.1)
            ),
            "circle",
        ),
        Shape::Symbol {
            centre,
            radius,
            symbol,
        } => {
            let corners = symbol.corners(*centre, *radius);
            let points: Vec<String> = corners
                .iter()
                .map(|(x, y)| format!("{} {}", short(*x), short(*y)))
                .collect();
            (
                format!("<path{common} d=\"M{}Z\"", points.join("L")),
                "path",
            )
        }
        Shape::Text {
            at,
            anchor,
            size,
            text,
            upright,
        } => {
            if *upright {
                let _ = write!(
                    common,
                    " transform=\"rotate(-90 {} {})\"",
                    short(at.0),
                    short(at.1)
                );
            }
            let anchor = match anchor {
                Anchor::Start => "",
                Anchor::Middle => " text-anchor=\"middle\"",
                Anchor::End => " text-anchor=\"end\"",
            };
            let size = if *size == NORMAL {
                String::new()
            } else {
                format!(" font-size=\"{size}\"")
            };
            let _ = writeln!(
                out,
                "<text{common} x=\"{}\" y=\"{}\"{anchor}{size}>{}</text>",
                short(at.0),
                short(at.1),
                escape(text)
            );
            return;
        }
    };
    let _ = match &mark.note {
        None => writeln!(out, "{open}/>"),
        Some(note) => writeln!(
            out,
            "{open}><title>{}</title></{element}>",
            escape(&note.text)
        ),
    };
}

fn element(figure: &Figure, style: &str, more: &str) -> String {
    let (width, height) = (figure.scene.width, figure.scene.height);
    let name = &figure.name;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" aria-labelledby=\"{name}-t {name}-d\" fill=\"currentColor\" \
         font-size=\"{NORMAL}\"{more}>\n<title id=\"{name}-t\">{}</title>\n<desc id=\"{name}-d\">{}</desc>\n{style}",
        escape(&figure.title),
        escape(&figure.description),
    );
    for each in &figure.scene.marks {
        mark(&mut out, each);
    }
    out + "</svg>\n"
}

/// For a page that has the ink rules already.
pub fn inline(figure: &Figure) -> String {
    element(figure, "", "")
}

/// A file of its own.
pub fn standalone(figure: &Figure) -> String {
    let style = format!(
        "<style>svg{{background:#fff}}{}@media(prefers-color-scheme:dark){{svg{{background:#16181c}}{}}}</style>\n",
        ink_rules(0, ""),
        ink_rules(1, "")
    );
    element(
        figure,
        &style,
        " font-family=\"system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif\"",
    )
}
