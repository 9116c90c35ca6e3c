//! A benchmark's card with the figures of its judge for the languages at hand, from the stored table of the judge.

use epicene_bench::Card;
use epicene_lang::accuracy;

/// The list of a card that says how right the judge of the first person is.
const FIGURES: &str = "**Detector accuracy.**\n-";

/// The card's text; where it judges the first person, with a line for each language (of all, or of those named).
pub fn card(card: &Card, languages: Option<&[&str]>) -> String {
    let text = card.text;
    let place = text.find(FIGURES);
    let end = place.and_then(|start| Some(start + text[start..].find("\n\n")?));
    let Some(end) = end else {
        return text.to_owned();
    };
    let mut with = text[..end].to_owned();
    for line in accuracy::first_person(languages) {
        with += "\n- ";
        with += &line;
    }
    with + &text[end..]
}
