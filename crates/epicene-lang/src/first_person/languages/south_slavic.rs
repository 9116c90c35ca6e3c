//! The strict rules that Croatian, Bosnian and Serbian share; each adds the form of "to be" that it writes its own way.

use crate::Gender;
use crate::first_person::head::AuxiliaryKind;
use crate::first_person::rules::{Line, Rule};

pub(super) const fn strict(own: Line) -> [Line; 11] {
    let alone = Rule::Word {
        word: "sama",
        gender: Gender::Feminine,
    };
    [
        Line::strict(
            "head(sam)",
            Rule::special_auxiliary("sam", AuxiliaryKind::LeaningHomonym),
        ),
        Line::strict("head(nisam)", Rule::auxiliary("nisam")),
        Line::strict("head(bih)", Rule::auxiliary("bih")),
        Line::strict("head(jesam)", Rule::auxiliary("jesam")),
        Line::strict("head(budem)", Rule::auxiliary("budem")),
        Line::strict("word(sama)", alone),
        Line::strict("alone(sam)", Rule::Alone("sam")),
        Line::strict("head(biti)", Rule::to_be("biti", false)),
        own,
        Line::strict("feeling", Rule::feeling(false)),
        Line::strict("adjunct", Rule::Adjunct),
    ]
}
