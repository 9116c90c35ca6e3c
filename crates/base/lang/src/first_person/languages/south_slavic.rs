//! The strict rules that Croatian, Bosnian and Serbian share; each adds the form of "to be" that it writes its own way.

use crate::Gender;
use crate::first_person::head::AuxiliaryKind;
use crate::first_person::rules::{Rule, RuleEntry};

pub(super) const fn strict(own: RuleEntry) -> [RuleEntry; 11] {
    let alone = Rule::Word {
        word: "sama",
        gender: Gender::Feminine,
    };
    [
        RuleEntry::strict(
            "head(sam)",
            Rule::special_auxiliary("sam", AuxiliaryKind::LeaningHomonym),
        ),
        RuleEntry::strict("head(nisam)", Rule::auxiliary("nisam")),
        RuleEntry::strict("head(bih)", Rule::auxiliary("bih")),
        RuleEntry::strict("head(jesam)", Rule::auxiliary("jesam")),
        RuleEntry::strict("head(budem)", Rule::auxiliary("budem")),
        RuleEntry::strict("word(sama)", alone),
        RuleEntry::strict("alone(sam)", Rule::Alone("sam")),
        RuleEntry::strict("head(biti)", Rule::to_be("biti", false)),
        own,
        RuleEntry::strict("feeling", Rule::feeling(false)),
        RuleEntry::strict("adjunct", Rule::Adjunct),
    ]
}
