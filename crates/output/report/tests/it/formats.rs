//! Awkward names survive every format.

use std::collections::BTreeMap;

use epicene_core::{CellStyle, Field, Row, View};
use epicene_report::{Format, Results, Style, Target};

fn results() -> Results {
    let row = |system: &str, unit: &str, value: f64, interval: Option<(f64, f64)>| Row {
        low: interval.map(|(low, _)| low),
        high: interval.map(|(_, high)| high),
        n: Some(3565),
        ideal: Some(1.0),
        ..Row::new("gest", [system, unit, "all"], "g_s", value)
    };
    Results {
        signature: "gest|data:gest-1.0@0123456789ab|seed:0|epicene:0.1.0".to_owned(),
        warnings: Vec::new(),
        partial: None,
        rows: vec![
            row("a|b, \"c\" 100%_x&y", "template:1", 1.25, Some((1.1, 1.4))),
            row("日本語モデル", "template:1", 0.99, Some((0.9, 1.1))),
            row("日本語モデル", "template:2", 1e-9, None),
        ],
        notes: vec!["a note".to_owned()],
        views: vec![View {
            title: "Rates & more".to_owned(),
            filters: Vec::new(),
            lines: vec![Field::System],
            columns: Field::Unit,
            style: CellStyle::ValueInterval,
            decimals: 2,
            labels: BTreeMap::new(),
        }],
    }
}

fn text(format: Format, target: Target) -> String {
    let mut bytes = Vec::new();
    format
        .exporter(target, Style::default())
        .write(&results(), &mut bytes)
        .unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn awkward_names_survive_every_format() {
    insta::assert_snapshot!("table", text(Format::Table, Target::Pipe));
    insta::assert_snapshot!(
        "terminal",
        text(
            Format::Table,
            Target::Terminal {
                colour: true,
                width: 120
            }
        )
    );
    insta::assert_snapshot!("markdown", text(Format::Markdown, Target::Pipe));
    insta::assert_snapshot!("latex", text(Format::Latex, Target::Pipe));
    insta::assert_snapshot!("json", text(Format::Json, Target::Pipe));
    insta::assert_snapshot!("csv", text(Format::Csv, Target::File));
}
