//! The page from top to bottom, and the policy that keeps it to itself.

use std::fmt::Write as _;
use std::io::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::card_text::{card_fields, html, inline};
use super::{
    Chapter, Report, cards, changes, chapters, first_screen, foot, items, offsets, tables,
};
use crate::figures::svg::{self, escape};
use crate::figures::{Figure, figures};
use crate::template::Check;
use crate::words;

const STYLE: &str = include_str!("style.css");
/// Small modules in one scope of their own, in the order in which they need each other.
const SCRIPT: &str = concat!(
    "\"use strict\";(() => {\n",
    include_str!("script/base.js"),
    include_str!("script/theme.js"),
    include_str!("script/tables.js"),
    include_str!("script/source.js"),
    include_str!("script/items.js"),
    include_str!("script/drill.js"),
    include_str!("script/live.js"),
    include_str!("script/main.js"),
    "})();\n"
);

/// Room for the head beside style and script.
const HEAD: usize = 2000;

/// The page's own rules and the inks of the figures, light and dark.
fn style() -> String {
    format!(
        "{STYLE}{}\n@media screen and (prefers-color-scheme:dark){{{}}}\n@media screen{{{}}}\n",
        svg::ink_rules(0, ""),
        svg::ink_rules(1, ":root:not([data-theme=\"light\"]) "),
        svg::ink_rules(1, ":root[data-theme=\"dark\"] "),
    )
}

/// The source expression that allows exactly this text.
fn hash(text: &str) -> String {
    format!(
        "'sha256-{}'",
        STANDARD.encode(Sha256::digest(text.as_bytes()))
    )
}

/// What a page may do: run its own script, use its own style, and ask nobody but the server it came from, if any.
pub fn policy(served: bool) -> String {
    let own = if served {
        "form-action 'self'; connect-src 'self'"
    } else {
        "form-action 'none'"
    };
    format!(
        "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; {own}",
        hash(&style()),
        hash(SCRIPT)
    )
}

pub fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let style = style();
    let policy = policy(report.served.is_some());
    let title = escape(&report.heading());
    let served = report.served.as_ref().map_or_else(String::new, |served| {
        let runs = escape(&served.runs);
        format!("<meta name=\"epicene-view\" content=\"{runs}\">\n")
    });
    write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"epicene {}\">\n{served}<title>{title}</title>\n<style>{style}</style>\n</head>\n\
         <body>\n<a class=\"skip\" href=\"#main\">Skip to the results</a>\n",
        escape(&report.version)
    )?;
    out.write_all(body(report).as_bytes())?;
    write!(out, "<script>{SCRIPT}</script>\n</body>\n</html>\n")
}

fn body(report: &Report) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<header class=\"top\"><div class=\"wrap\"><h1>{}</h1>\n<p>{}</p></div></header>",
        escape(&report.heading()),
        escape(&facts(report))
    );
    navigation(&mut out, report);
    out += "<main id=\"main\"><div class=\"wrap\">\n";
    if let Some(served) = &report.served {
        out += &served.before;
    }
    if let Some(check) = &report.check {
        out += &checked(check);
    }
    if let Some(comparison) = &report.comparison {
        let offset = report
            .parts
            .iter()
            .map(|part| part.results.rows.len())
            .sum();
        changes::write(&mut out, comparison, offset);
    }
    out += "<section id=\"summary\" aria-label=\"Findings\">\n";
    let summaries = chapters(report, |chapter| summary(report, chapter));
    out += &summaries.concat();
    out += "</section>\n";
    out += &chapters(report, |chapter| section(report, chapter)).concat();
    let mut end = String::from("</div></main>\n");
    foot::write(&mut end, report);
    let rest = end.len() + SCRIPT.len() + style().len() + HEAD;
    items::write(&mut out, report, items::PAGE.saturating_sub(rest));
    out + &end
}

/// Whether the numbers pass the check, and which row says so.
fn checked(check: &Check) -> String {
    let lines = check.lines.iter().map(|line| {
        let (verdict, rest) = line.split_once(' ').unwrap_or((line, ""));
        format!(
            "<li><strong>{}</strong> {}</li>\n",
            escape(verdict),
            escape(rest)
        )
    });
    format!(
        "<section class=\"banner\" aria-label=\"Check\"><p>{}</p>\n<ul>\n{}</ul></section>\n",
        inline(&check.verdict()),
        lines.collect::<String>()
    )
}

/// What was measured, when and how far: of one run in full, of several their number.
fn facts(report: &Report) -> String {
    match report.parts.as_slice() {
        [] => String::new(),
        [part] => {
            let all = [part.data.clone()].into_iter().chain(part.facts.clone());
            all.collect::<Vec<String>>().join(" · ")
        }
        parts => words::count(parts.len(), "run"),
    }
}

/// The first screen of a benchmark, then what else there is to see of its systems, folded.
fn summary(report: &Report, chapter: &Chapter<'_>) -> String {
    let mut out = String::new();
    if report
        .parts
        .iter()
        .any(|part| part.benchmark != chapter.benchmark)
    {
        let title = report.parts[chapter.parts[0]].title();
        let _ = writeln!(out, "<h2>{}</h2>", escape(title));
    }
    for each in first_screen::write(&mut out, report, chapter) {
        let title = escape(&each.title);
        let _ = writeln!(out, "<details class=\"more\"><summary>{title}</summary>");
        figure(&mut out, &each);
        out += "</details>\n";
    }
    cards::write(&mut out, &chapter.data);
    out
}

fn navigation(out: &mut String, report: &Report) {
    *out += "<nav aria-label=\"Sections\"><div class=\"wrap\">";
    if report.comparison.is_some() {
        *out += "<a href=\"#compare\">Comparison</a>\n";
    }
    *out += "<a href=\"#summary\">Findings</a>\n";
    let links = chapters(report, |chapter| {
        let short = report.parts[chapter.parts[0]].short_title();
        let id = chapter.benchmark;
        format!("<a href=\"#b-{}\">{}</a>\n", escape(id), escape(short))
    });
    *out += &links.concat();
    if items::are_shown(report) {
        *out += "<a href=\"#items\">Items</a>\n";
    }
    *out +=
        "<a href=\"#about\">Limits and citation</a>\n<span class=\"space\"></span>\n</div></nav>\n";
}

pub fn figure(out: &mut String, figure: &Figure) {
    let _ = writeln!(
        out,
        "<figure id=\"f-{}\"><div class=\"canvas\">\n{}</div>\n<figcaption><strong>{}</strong>{}</figcaption></figure>",
        figure.name,
        svg::inline(figure),
        escape(&figure.title),
        inline(&figure.caption)
    );
}

fn section(report: &Report, chapter: &Chapter<'_>) -> String {
    let mut out = String::new();
    let id = escape(chapter.benchmark);
    let _ = writeln!(
        out,
        "<section id=\"b-{id}\" aria-labelledby=\"b-{id}-h\"><h2 id=\"b-{id}-h\">{}</h2>",
        escape(report.parts[chapter.parts[0]].title())
    );
    if let Some(&first) = chapter.parts.first() {
        let part = &report.parts[first];
        let _ = writeln!(out, "<p class=\"lead\">{}</p>", escape(&part.summary));
        let fields = card_fields(&part.card);
        if let Some(what) = fields.iter().find(|field| field.name.starts_with("What")) {
            let _ = writeln!(
                out,
                "<details class=\"more\"><summary>What is measured, and how to read it</summary>\n{}</details>",
                html(what.text)
            );
        }
    }
    for each in figures(&chapter.data) {
        figure(&mut out, &each);
    }
    let offsets = offsets(&report.parts);
    for &index in &chapter.parts {
        let part = &report.parts[index];
        if chapter.parts.len() > 1 {
            let _ = writeln!(out, "<h3>{}</h3>", escape(&part.run));
        }
        if !part.results.notes.is_empty() {
            out += "<ul class=\"notes\">\n";
            for note in &part.results.notes {
                let _ = writeln!(out, "<li>{}</li>", escape(note));
            }
            out += "</ul>\n";
        }
        tables::write(
            &mut out,
            &part.results.rows,
            &part.results.views,
            offsets[index],
        );
    }
    out += "<p class=\"lead\">Bold in a table: the interval excludes the ideal value.</p>\n</section>\n";
    out
}
