//! The styles of papers (`data/styles.tsv`): how wide a figure is, how large the text of a table.

use std::str::FromStr;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Style {
    pub name: &'static str,
    /// Points.
    pub figure_width: f64,
    /// The LaTeX command for the size of a table's text.
    pub table_size: &'static str,
    /// The same in points.
    pub table_points: f64,
    /// Points of a column of text, and of a page across all its columns.
    pub column_width: f64,
    pub page_width: f64,
    /// Lines of a table that a page holds.
    pub page_lines: usize,
}

impl Style {
    /// Every style, the one that assumes nothing first.
    pub fn all() -> Vec<Style> {
        let lines = include_str!("../data/styles.tsv").lines();
        let lines = lines.filter(|line| !line.starts_with('#')).skip(1);
        lines
            .map(|line| {
                let cells: Vec<&str> = line.split('\t').collect();
                let [name, figure, table_size, points, column, page, page_lines] = cells[..] else {
                    unreachable!("a line of the table of styles has seven cells");
                };
                let number =
                    |cell: &str| -> f64 { cell.parse().expect("the table of styles has numbers") };
                Style {
                    name,
                    figure_width: number(figure),
                    table_size,
                    table_points: number(points),
                    column_width: number(column),
                    page_width: number(page),
                    page_lines: number(page_lines) as usize,
                }
            })
            .collect()
    }
}

impl Default for Style {
    fn default() -> Style {
        Style::all()[0]
    }
}

impl FromStr for Style {
    type Err = String;

    fn from_str(given: &str) -> Result<Style, String> {
        let all = Style::all();
        let names: Vec<&str> = all.iter().map(|style| style.name).collect();
        let found = all.iter().find(|style| style.name == given).copied();
        found.ok_or_else(|| format!("`{given}` is none of {}", names.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_are_known_by_their_names() {
        assert_eq!(Style::default().name, "plain");
        let acl: Style = "acl".parse().unwrap();
        assert_eq!((acl.figure_width, acl.page_lines), (453.0, 50));
        assert!(
            "naacl"
                .parse::<Style>()
                .unwrap_err()
                .contains("plain, acl, neurips")
        );
    }
}
