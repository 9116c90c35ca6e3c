//! Which server answered: a model's name alone does not say, since anybody may give any model that name.

use serde::{Deserialize, Serialize};

/// A server as a run's manifest records it.
///
/// The address belongs to the name of a run, and never decides alone that two servers are different: the same model may run
/// elsewhere tomorrow. What decides is what the servers say to fixed prompts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ServerCard {
    /// Without keys, in order.
    pub addresses: Vec<String>,
    /// The model as replies name it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What the server's list of models says of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listed: Option<String>,
    /// Log-probabilities of the fixed texts, in millionths of a nat.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub micronats: Vec<i64>,
    /// Answers to the fixed prompts; none to a prompt that the server answers in two ways.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Option<String>>,
}

/// Log-probabilities of a fixed text that are further apart are those of two models, whatever the arithmetic: 0.2 nats.
/// Batches and number formats change a sentence by a few hundredths, another model by several nats.
const SAME: i64 = 200_000;

/// How the answers of two servers to the fixed prompts compare.
enum Evidence {
    Same,
    Different(String),
    None,
}

impl ServerCard {
    /// What identifies the server in the name of a run.
    pub fn key(&self) -> String {
        self.addresses.join(",")
    }

    /// Whether it said something to the fixed prompts that tells its model from others.
    pub fn is_tested(&self) -> bool {
        !self.micronats.is_empty() || self.answers.iter().any(Option::is_some)
    }

    /// Why `now` is another server than this one, naming both; `None` where they are the same model.
    pub fn difference(&self, now: &ServerCard) -> Option<String> {
        if let (Some(before), Some(now)) = (&self.model, &now.model)
            && before != now
        {
            return Some(format!("the server's model was `{before}`, now `{now}`"));
        }
        let (first, second) = (self.key(), now.key());
        match self.evidence(now) {
            Evidence::Same => None,
            Evidence::Different(how) => Some(if first == second {
                format!("another model answers at {first}: {how}")
            } else {
                format!("the server was {first}, now {second}: {how}")
            }),
            Evidence::None if first != second => Some(format!(
                "the server was {first}, now {second}, and nothing shows that the model is the same"
            )),
            Evidence::None => match (&self.listed, &now.listed) {
                (Some(before), Some(now)) if before != now => {
                    Some(format!("the server at {first} listed {before}, now {now}"))
                }
                _ => None,
            },
        }
    }

    fn evidence(&self, now: &ServerCard) -> Evidence {
        let values = self.micronats.iter().zip(&now.micronats);
        if !self.micronats.is_empty() && self.micronats.len() == now.micronats.len() {
            return if values
                .clone()
                .all(|(one, other)| one.abs_diff(*other) <= SAME as u64)
            {
                Evidence::Same
            } else {
                Evidence::Different(format!(
                    "the log-probabilities of the test texts were {}, now {}",
                    self.nats(),
                    now.nats()
                ))
            };
        }
        let both: Vec<(&str, &str)> = self
            .answers
            .iter()
            .zip(&now.answers)
            .filter_map(|(before, now)| Some((before.as_deref()?, now.as_deref()?)))
            .collect();
        let equal = both.iter().filter(|(before, now)| before == now).count();
        let all_alike = both.iter().all(|(before, _)| *before == both[0].0);
        match both.len() {
            // One answer may be an accident; a server that always says the same tells nothing of its model.
            0 | 1 => Evidence::None,
            _ if equal == 0 => Evidence::Different(format!(
                "it answered `{}` to a test prompt, now `{}`",
                both[0].0, both[0].1
            )),
            count if 2 * equal > count && !all_alike => Evidence::Same,
            _ => Evidence::None,
        }
    }

    /// The log-probabilities of the fixed texts, for people: `-31.42/-28.10/-25.77`.
    fn nats(&self) -> String {
        let texts = self
            .micronats
            .iter()
            .map(|value| format!("{:.2}", *value as f64 / 1e6));
        texts.collect::<Vec<_>>().join("/")
    }

    /// What a signature says of it: enough to tell two models of one name apart.
    pub fn short(&self) -> Option<String> {
        (!self.micronats.is_empty()).then(|| format!("test-texts={}", self.nats()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scored(address: &str, nats: &[f64]) -> ServerCard {
        ServerCard {
            addresses: vec![address.to_owned()],
            micronats: nats.iter().map(|value| (value * 1e6) as i64).collect(),
            ..ServerCard::default()
        }
    }

    fn said(address: &str, answers: &[&str]) -> ServerCard {
        let answer = |text: &&str| (!text.is_empty()).then(|| (*text).to_owned());
        ServerCard {
            addresses: vec![address.to_owned()],
            answers: answers.iter().map(answer).collect(),
            ..ServerCard::default()
        }
    }

    #[test]
    fn log_probabilities_decide_whatever_the_address() {
        let first = scored("http://a", &[-10.0, -20.0, -30.0]);
        // The noise of batches and of 16-bit numbers.
        let near = scored("http://b", &[-10.04, -19.93, -30.1]);
        assert_eq!(first.difference(&near), None);
        let other = scored("http://a", &[-10.0, -20.0, -31.0]);
        let why = first.difference(&other).unwrap();
        assert!(
            why.contains("http://a") && why.contains("-30.00") && why.contains("-31.00"),
            "{why}"
        );
        let why = first
            .difference(&scored("http://b", &[-9.0, -20.0, -30.0]))
            .unwrap();
        assert!(why.contains("was http://a, now http://b"), "{why}");
    }

    #[test]
    fn a_renamed_model_is_another_model() {
        let named = |name: &str| ServerCard {
            model: Some(name.to_owned()),
            ..scored("http://a", &[-10.0])
        };
        let why = named("m-1").difference(&named("m-2")).unwrap();
        assert!(why.contains("`m-1`") && why.contains("`m-2`"), "{why}");
        assert_eq!(named("m-1").difference(&scored("http://a", &[-10.0])), None);
    }

    #[test]
    fn a_server_that_varies_is_not_another_server() {
        let first = said("http://a", &["one", "two", "three"]);
        for same in [
            ["one", "two", "other"],
            ["", "", "other"],
            ["", "", ""],
            ["other", "two", "else"],
        ] {
            assert_eq!(first.difference(&said("http://a", &same)), None, "{same:?}");
        }
        for other in [["x", "y", "z"], ["x", "", "z"]] {
            assert!(
                first.difference(&said("http://a", &other)).is_some(),
                "{other:?}"
            );
        }
        // Elsewhere, sameness must be shown.
        assert_eq!(
            first.difference(&said("http://b", &["one", "two", "x"])),
            None
        );
        for unshown in [["one", "", ""], ["one", "x", ""], ["", "", ""]] {
            let why = first.difference(&said("http://b", &unshown)).unwrap();
            assert!(
                why.contains("http://a") && why.contains("http://b"),
                "{why}"
            );
        }
        let parrot = said("http://a", &["A", "A", "A"]);
        assert!(
            parrot
                .difference(&said("http://b", &["A", "A", "A"]))
                .is_some()
        );
        assert_eq!(parrot.difference(&parrot), None);
    }
}
