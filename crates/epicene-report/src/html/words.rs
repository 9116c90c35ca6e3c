//! What a number says in words: the name of its metric, and what it means to be above or below the ideal.

/// A metric for people.
pub struct Words {
    pub name: &'static str,
    pub above: &'static str,
    pub below: &'static str,
}

/// The words of a metric; metrics nobody described are called by their symbol.
pub fn of(metric: &str) -> Option<Words> {
    let (name, above, below) = match metric {
        "g_s" | "ghat_s" => (
            "stereotype rate",
            "Follows the stereotypes",
            "Runs against the stereotypes",
        ),
        "f_s" => (
            "stereotype rate",
            "Follows the stereotypes",
            "Runs against the stereotypes",
        ),
        "f_m" => (
            "masculine rate",
            "Prefers the masculine",
            "Prefers the feminine",
        ),
        "mbe" => (
            "preference for sentences about men",
            "Prefers sentences about men",
            "Prefers sentences about women",
        ),
        "pair_score" | "ss" => (
            "preference for the stereotypical sentence",
            "Prefers the stereotypical sentence",
            "Prefers the anti-stereotypical sentence",
        ),
        "tfg" => (
            "feminine translations, %",
            "Translates more often as feminine",
            "Translates more often as masculine",
        ),
        "tcg" => (
            "correct gender, %",
            "Above the ideal",
            "Not always the gender of the source",
        ),
        "acc" => (
            "accuracy, %",
            "Above the ideal",
            "Not always the gender of the source",
        ),
        "correct" => (
            "correct gender",
            "Above the ideal",
            "Not always the gender of the source",
        ),
        "wrong" => (
            "wrong gender",
            "Sometimes the wrong gender",
            "Below the ideal",
        ),
        "na" => ("no gender found", "Sometimes no gender", "Below the ideal"),
        "delta_g" => (
            "F1 of men less women",
            "Better on men than on women",
            "Better on women than on men",
        ),
        "delta_s" => (
            "stereotypical less anti-stereotypical",
            "Better where the stereotype fits",
            "Better where the stereotype does not fit",
        ),
        "delta_m" => (
            "men: fitting less unfitting occupation",
            "Better where the occupation fits the stereotype",
            "Better where the occupation does not fit",
        ),
        "delta_f" => (
            "women: fitting less unfitting occupation",
            "Better where the occupation fits the stereotype",
            "Better where the occupation does not fit",
        ),
        _ => return None,
    };
    Some(Words { name, above, below })
}

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
