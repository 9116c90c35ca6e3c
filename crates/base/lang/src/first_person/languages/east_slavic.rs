//! The strict rules that Belarusian, Russian and Ukrainian share: the pronoun is the anchor, the past tense agrees.

use crate::first_person::rules::{Rule, RuleEntry};

/// A rule's name, and its masculine and feminine word.
type Pair = (&'static str, &'static str, &'static str);

/// `past`: "was"; `one`: "one, alone"; `be`: the infinitive, with its rule's name.
pub(super) const fn strict(
    past: Pair,
    one: Pair,
    be: (&'static str, &'static str),
) -> [RuleEntry; 9] {
    [
        RuleEntry::strict("head(я)", Rule::Subject("я")),
        RuleEntry::strict(past.0, Rule::sibling("я", past.1, past.2)),
        RuleEntry::strict("pair(сам, сама)", Rule::own_pair("сам", "сама")),
        RuleEntry::strict(one.0, Rule::own_pair(one.1, one.2)),
        RuleEntry::strict(be.0, Rule::to_be(be.1, true)),
        RuleEntry::strict("head(буду)", Rule::will_be("буду", true)),
        RuleEntry::strict("feeling", Rule::feeling(true)),
        RuleEntry::strict("dropped", Rule::Dropped),
        RuleEntry::strict("adjunct", Rule::Adjunct),
    ]
}
