//! Names in rows, for people.

/// Whether a system is a control whose result is known beforehand.
pub fn is_control(system: &str) -> bool {
    system.starts_with("random:") || system.starts_with("always:")
}

/// A unit for people: `template 3`, `into sk`.
pub fn unit(unit: &str) -> String {
    match unit.split_once(':') {
        _ if unit == "all" => "overall".to_owned(),
        Some(("lang", language)) => format!("into {language}"),
        Some((kind, value)) => format!("{kind} {value}"),
        None => unit.to_owned(),
    }
}
