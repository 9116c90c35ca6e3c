//! The summary cards alone, for a page that somebody else writes: a notebook's cell. Style comes with it and stays with it.

use super::{Report, cards, chapters};
use crate::figures::svg::{self, escape};

/// Fixed colours: a notebook's theme is not the reader's preference.
const STYLE: &str = "\
.epicene .cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(18rem,1fr));gap:1rem;margin:.6rem 0}\
.epicene .card{background:#fff;color:#1b1b1b;border:1px solid #d9dcdf;border-radius:8px;padding:.8rem 1rem}\
.epicene .card h4{margin:0;font-size:1rem;overflow-wrap:anywhere;color:inherit}\
.epicene .card p{margin:.2rem 0}\
.epicene .card .where,.epicene .card .interval,.epicene .card .metric{color:#555a60;font-size:.86rem}\
.epicene .card .value{font-size:1.35rem;font-variant-numeric:tabular-nums}\
.epicene .card svg{display:block;width:100%;height:auto}\
.epicene .signature{font-size:.8rem;opacity:.7;overflow-wrap:anywhere}";

impl Report {
    /// The cards of every benchmark, with warnings before and signatures after them.
    pub fn cards(&self) -> String {
        let inks = svg::ink_rules(0, ".epicene ");
        let mut out = format!("<div class=\"epicene\"><style>{STYLE}{inks}</style>\n");
        for part in &self.parts {
            for warning in part.results.warned() {
                out += &format!("<p><strong>{}</strong></p>\n", escape(&warning));
            }
        }
        chapters(self, |chapter| {
            out += &format!("<h3>{}</h3>\n", escape(chapter.benchmark));
            cards::write_all(&mut out, &chapter.data);
        });
        for part in &self.parts {
            let signature = escape(&part.results.signature);
            out += &format!("<p class=\"signature\">{signature}</p>\n");
        }
        out += "</div>\n";
        out
    }
}
