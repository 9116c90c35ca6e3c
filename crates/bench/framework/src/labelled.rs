//! Views that share their labels: the tables of a benchmark call its groups by the same names.

use std::collections::BTreeMap;

use epicene_core::{CellStyle, Field, Filter, View};

type Labels = BTreeMap<String, String>;

/// Makes views of any kind.
pub fn labelled(
    labels: &Labels,
) -> impl Fn(&str, Vec<Filter>, Vec<Field>, Field, CellStyle, usize) -> View {
    |title, filters, lines, columns, style, decimals| View {
        title: title.to_owned(),
        filters,
        lines,
        columns,
        style,
        decimals,
        labels: labels.clone(),
    }
}

/// Makes views of groups in lines and metrics in columns, with intervals.
pub fn by_group(labels: &Labels) -> impl Fn(&str, &[&str], &[&str]) -> View {
    |title, groups, metrics| {
        labelled(labels)(
            title,
            vec![
                Filter::new(Field::Group, groups.iter().copied()),
                Filter::new(Field::Metric, metrics.iter().copied()),
            ],
            vec![Field::System, Field::Unit, Field::Group],
            Field::Metric,
            CellStyle::ValueInterval,
            3,
        )
    }
}
