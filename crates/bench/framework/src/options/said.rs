//! By which field a signature names what an option did. An effect that no signature names did not happen: a command that
//! gives such an option is refused.

use super::{Effect, Given, OptionError, Spec};
use crate::Card;

/// The options after the asking that a command gives, other than by their defaults.
fn meant<'a>(
    card: &'a Card,
    given: &'a Given,
) -> impl Iterator<Item = (&'static Spec, Effect)> + 'a {
    card.specs().filter_map(|spec| {
        let value = given.values.get(spec.name).map(String::as_str);
        let effect = spec.stage.effect()?;
        (value.is_some() && value != spec.default).then_some((spec, effect))
    })
}

/// The first option of a command that nothing heeded which these results came of.
pub fn unheeded(card: &Card, given: &Given, signature: &str) -> Option<&'static Spec> {
    let fields = || {
        signature
            .split('|')
            .filter_map(|field| field.split_once(':'))
    };
    // What somebody else tagged or scored is not done here.
    let elsewhere = ["given-tags", "as-given"];
    let is_heeded = |effect: &Effect| {
        let names = |name| effect.signed_as.contains(&name);
        fields().any(|(name, value)| names(name) && !elsewhere.contains(&value))
    };
    let mut unheeded = meant(card, given).filter(|(_, effect)| !is_heeded(effect));
    unheeded.next().map(|(spec, _)| spec)
}

/// Refuses an option that changes no verdict, where nothing but verdicts is shown.
pub fn refuse_of_numbers(card: &Card, given: &Given) -> Result<(), OptionError> {
    let drawing = [
        ("seed", given.seed.is_some()),
        ("bootstrap", given.replicates.is_some()),
    ];
    let drawing = drawing.into_iter().find(|(_, given)| *given);
    let of_numbers = meant(card, given).find(|(_, effect)| !effect.of_verdicts);
    let found = drawing.map(|(name, _)| name);
    match found.or(of_numbers.map(|(spec, _)| spec.name)) {
        None => Ok(()),
        Some(name) => Err(OptionError {
            message: format!("--{name} has no effect on verdicts; it is for numbers"),
            hint: Some("`epicene report` measures".to_owned()),
        }),
    }
}
