//! How the rows are laid out for people.

use std::collections::{BTreeMap, BTreeSet};

use epicene_core::{Row, View};

use crate::labelled::by_group;
use crate::translations::SOURCE;

pub fn views(rows: &[Row]) -> Vec<View> {
    let labels = BTreeMap::new();
    let view = by_group(&labels);
    if rows.iter().any(|row| row.metric == "delta_masculine_share") {
        return vec![view(
            "Differences, second less first (0 = none)",
            &["all", "stereotype", "kept_open"],
            &[
                "delta_masculine_share",
                "delta_stereotype",
                "delta_kept_open",
                "p_value",
            ],
        )];
    }
    let groups = |prefix: &str| -> Vec<&str> {
        let own = rows.iter().map(|row| row.group.as_str());
        let own: BTreeSet<&str> = own.filter(|group| group.starts_with(prefix)).collect();
        own.into_iter().collect()
    };
    let languages = groups(&format!("{SOURCE}:"));
    let with_all: Vec<&str> = std::iter::once("all")
        .chain(languages.iter().copied())
        .collect();
    vec![
        view(
            "Into English: masculine share (0.5 = balanced), stereotype gap (0 = none), gender kept open (1 = always)",
            &["all"],
            &["masculine_share", "stereotype", "kept_open", "gendered"],
        ),
        view(
            "What the translations say",
            &with_all,
            &[
                "share_m",
                "share_f",
                "share_neutral",
                "share_it",
                "share_paired",
                "share_mixed",
                "share_unknown",
            ],
        ),
        view(
            "By source language",
            &languages,
            &["masculine_share", "stereotype", "kept_open", "found"],
        ),
        view(
            "Against real shares of women (correlation 1 mirrors the labour market; that is not fairness), and traits",
            &["all"],
            &[
                "r_women",
                "rho_women",
                "feminine_excess",
                "trait_gap",
                "found",
            ],
        ),
        view(
            "By occupation",
            &groups("occupation:"),
            &["masculine_share", "kept_open"],
        ),
    ]
}
