//! Whom stereotypes are about: GEST's sixteen by their number, a user's own by rows that say so.

use crate::chart_data::{Data, Entry};

/// GEST's stereotypes 1–7 are held about women, the rest about men.
const LAST_ABOUT_WOMEN: u32 = 7;

/// Groups of stereotypes among some rows with whether each is about women: by number, then as they come.
pub fn stereotypes<'a>(data: &Data<'a>, entries: &[Entry<'a>]) -> Vec<(&'a str, bool)> {
    let mut found: Vec<(u32, &str, bool)> = Vec::new();
    for entry in entries {
        let group = entry.row.group.as_str();
        let known = found.iter().any(|(_, other, _)| *other == group);
        if let Some((number, about_women)) = about(data, group).filter(|_| !known) {
            found.push((number, group, about_women));
        }
    }
    found.sort_by_key(|(number, ..)| *number);
    let found = found.into_iter();
    found.map(|(_, group, women)| (group, women)).collect()
}

/// Number of a stereotype, the same for all of a user's own, and whether it is about women.
fn about(data: &Data<'_>, group: &str) -> Option<(u32, bool)> {
    let name = group.strip_prefix("stereotype:")?;
    if let Ok(number) = name.parse() {
        return Some((number, number <= LAST_ABOUT_WOMEN));
    }
    let mut said = data.metric("about_men");
    let said = said.find(|entry| entry.row.group == group)?;
    Some((u32::MAX, said.value == 0.0))
}

/// Whether a stereotype is about women; `None` of what is no stereotype.
pub fn is_about_women(data: &Data<'_>, group: &str) -> Option<bool> {
    Some(about(data, group)?.1)
}
