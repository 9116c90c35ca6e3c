//! The ways a system can be asked, by name: part of every observation's key, of the signature, and the tasks of
//! `epicene score`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::LikelihoodMethod;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scorer {
    MaskedPair,
    NextWord,
    GroupMeans,
    Translate,
    Likelihood(LikelihoodMethod),
    FilledBlank,
    TextPair,
    /// Continuations of a context by their log-probabilities.
    Continuations,
    /// Free text of a chat model.
    Chat,
    /// Options by their probabilities at the first answer position.
    ChoiceLogprob,
    /// Options by what the model wrote.
    ChoiceSampled,
}

impl Scorer {
    pub fn all() -> impl Iterator<Item = Scorer> {
        let likelihoods = LikelihoodMethod::ALL.into_iter().map(Scorer::Likelihood);
        likelihoods.chain([
            Scorer::MaskedPair,
            Scorer::NextWord,
            Scorer::FilledBlank,
            Scorer::TextPair,
            Scorer::Continuations,
            Scorer::GroupMeans,
            Scorer::Translate,
            Scorer::Chat,
            Scorer::ChoiceLogprob,
            Scorer::ChoiceSampled,
        ])
    }

    pub fn name(self) -> &'static str {
        match self {
            Scorer::MaskedPair => "masked-pair",
            Scorer::NextWord => "next-word",
            Scorer::GroupMeans => "group-means",
            Scorer::Translate => "translate",
            Scorer::Likelihood(method) => method.name(),
            Scorer::FilledBlank => "filled-blank",
            Scorer::TextPair => "text-pair",
            Scorer::Continuations => "continuations",
            Scorer::Chat => "chat",
            Scorer::ChoiceLogprob => "choice-logprob",
            Scorer::ChoiceSampled => "choice-sampled",
        }
    }
}

impl fmt::Display for Scorer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Scorer {
    type Err = String;

    fn from_str(name: &str) -> Result<Scorer, String> {
        Scorer::all()
            .find(|scorer| scorer.name() == name)
            .ok_or_else(|| {
                let known: Vec<&str> = Scorer::all().map(Scorer::name).collect();
                format!("`{name}` is none of {}", known.join(", "))
            })
    }
}

impl Serialize for Scorer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Scorer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Scorer, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scorer_is_found_by_its_name() {
        assert_eq!(Scorer::all().count(), 15);
        for scorer in Scorer::all() {
            assert_eq!(scorer.name().parse(), Ok(scorer));
        }
        assert!("guess".parse::<Scorer>().is_err());
    }
}
