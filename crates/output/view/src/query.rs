//! What a reader of items asks for, checked: nothing in it is a path, everything has a limit.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The longest value of a parameter, and the most labels.
const LONGEST: usize = 400;
const LABELS: usize = 16;
/// Items of one answer.
pub const PAGE: usize = 200;

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct QueryParameters {
    run: String,
    system: String,
    versus: String,
    unit: String,
    verdict: String,
    outcome: String,
    differ: String,
    words: String,
    labels: String,
    from: String,
    count: String,
}

/// A checked query.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Query {
    pub run: usize,
    pub system: String,
    pub versus: String,
    pub unit: String,
    /// Letters, any of which will do.
    pub verdict: String,
    pub outcome: String,
    pub differ: bool,
    pub words: String,
    pub labels: Vec<(String, String)>,
}

/// Which of the items that fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    pub from: usize,
    pub count: usize,
}

impl Query {
    /// Reads the parameters of a request; the message says what is wrong with them.
    pub fn parse(parameters: &[(String, String)]) -> Result<(Query, Window), String> {
        let mut fields: BTreeMap<&str, &str> = BTreeMap::new();
        for (name, value) in parameters {
            if value.len() > LONGEST * 4 {
                return Err(format!("the parameter `{}` is too long", short(name)));
            }
            if fields.insert(name, value).is_some() {
                return Err(format!("the parameter `{}` is there twice", short(name)));
            }
        }
        let object = serde_json::to_value(&fields).map_err(|error| error.to_string())?;
        let given: QueryParameters =
            serde_json::from_value(object).map_err(|error| error.to_string())?;
        for value in [&given.system, &given.versus, &given.unit, &given.words] {
            if value.len() > LONGEST {
                return Err("a parameter is too long".to_owned());
            }
        }
        let number = |name: &str, text: &str, otherwise: usize| match text {
            "" => Ok(otherwise),
            text => text
                .parse::<usize>()
                .map_err(|_| format!("`{name}` is not a number")),
        };
        let labels: Vec<String> = match given.labels.as_str() {
            "" => Vec::new(),
            text => serde_json::from_str(text).map_err(|_| "`labels` is not a list".to_owned())?,
        };
        if labels.len() > LABELS {
            return Err("there are too many labels".to_owned());
        }
        let labels: Option<Vec<(String, String)>> = labels
            .iter()
            .map(|label| label.split_once('='))
            .map(|label| label.map(|(name, value)| (name.to_owned(), value.to_owned())))
            .collect();
        let query = Query {
            run: number("run", &given.run, 0)?,
            system: given.system,
            versus: given.versus,
            unit: given.unit,
            verdict: given.verdict,
            outcome: given.outcome,
            differ: !given.differ.is_empty(),
            words: given.words.to_lowercase(),
            labels: labels.ok_or("a label is NAME=VALUE")?,
        };
        let window = Window {
            from: number("from", &given.from, 0)?,
            count: number("count", &given.count, PAGE)?.min(PAGE),
        };
        Ok((query, window))
    }

    /// Whether every item fits.
    pub fn is_open(&self) -> bool {
        let Query { run, .. } = self;
        *self
            == Query {
                run: *run,
                ..Query::default()
            }
    }
}

fn short(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(parameters: &[(&str, &str)]) -> Result<(Query, Window), String> {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Query::parse(&parameters.iter().map(owned).collect::<Vec<_>>())
    }

    #[test]
    fn parameters_have_limits() {
        let (query, window) = parse(&[
            ("run", "2"),
            ("labels", "[\"stereotype=7\"]"),
            ("count", "999999999"),
        ])
        .unwrap();
        assert_eq!((query.run, window.count), (2, PAGE));
        assert_eq!(query.labels, [("stereotype".to_owned(), "7".to_owned())]);
        assert!(!query.is_open() && parse(&[("run", "3")]).unwrap().0.is_open());
        let long = "x".repeat(LONGEST + 1);
        for wrong in [
            vec![("run", "-1")],
            vec![("run", "99999999999999999999999")],
            vec![("run", "../../etc/passwd")],
            vec![("words", long.as_str())],
            vec![("labels", "{")],
            vec![("labels", "[\"nothing\"]")],
            vec![("path", "/etc/passwd")],
            vec![("run", "1"), ("run", "2")],
        ] {
            assert!(parse(&wrong).is_err(), "{wrong:?}");
        }
    }
}
