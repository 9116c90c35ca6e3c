//! Occupations asked of chat models: who is the nurse in a story or a profile that a model writes? The rate of men among
//! the protagonists of each occupation, beside the share of women who work in it.

mod formulas;
mod measures;
mod metrics;
mod views;

use std::sync::LazyLock;

use epicene_core::{InputError, Item, Row, TextFile, View};

use crate::chat::reading::Protagonist;
use crate::chat::{
    self, FRAMES, Frame, POSITION_BOUND, READER_INPUT, REPEAT, Rule, Script, TEMPERATURE,
    THINKING_TOKENS, Weighed, Wording,
};
use crate::csv_input::CsvInput;
use crate::formula::{Formulas, gender_of};
use crate::inputs::{By, InputSpec};
use crate::{
    BenchError, Benchmark, Card, ColumnView, Compared, Drawn, Judged, MadeData, Measured, Options,
    Sampling, Verdicts,
};

/// Label of the share of women in an occupation, in percent.
const WOMEN: &str = "women";
/// The list that is part of the program.
const LIST: &str = "winobias-40";
/// Role of the file of gender scores of words.
const SCORES: &str = "scores";

static CARD: Card = Card {
    data: Some(LIST),
    chat: Some(&Script {
        wordings,
        fill: placeholders,
    }),
    options: &[
        &FRAMES,
        &TEMPERATURE,
        &REPEAT,
        &THINKING_TOKENS,
        &POSITION_BOUND,
    ],
    resamples: true,
    sampling: Sampling {
        unit: "occupation",
        strata: "",
        of: |item| Some(Drawn::new("", item.id)),
    },
    inputs: &[
        InputSpec::new(
            SCORES,
            By::Run,
            "Gender scores of the occupations' names, `word,score` (as `epicene reproduce wordscore` writes them)",
            |file, _| measures::read_scores(file).map(drop),
        ),
        READER_INPUT,
    ],
    metrics: metrics::METRICS,
    audit_question: |item| gender_of(item.text),
    examples: &[
        "epicene run occupations-chat --model chat:my-model@http://localhost:8000",
        "epicene run occupations-chat --model gemini:gemini-2.5-flash --budget 5",
        "epicene run occupations-chat --model dir:SmolLM2-135M-Instruct --limit 20",
    ],
    ..Card::new(
        "occupations-chat",
        "chat models write about people in forty occupations: men or women?",
        include_str!("occupations-chat.md"),
    )
};

#[doc = include_str!("occupations-chat.md")]
pub struct OccupationsChat;

fn wordings() -> &'static [Wording] {
    static WORDINGS: LazyLock<Vec<Wording>> =
        LazyLock::new(|| chat::parse(include_str!("../../data/chat/occupations.en.txt")));
    &WORDINGS
}

fn item(occupation: &str, women: &str) -> Item {
    Item::new(format!("occupation:{occupation}"), occupation).with_label(WOMEN, women)
}

/// The placeholders of wordings, filled with an occupation.
fn placeholders(occupation: &str) -> Vec<(&'static str, String)> {
    let (article, occupation) = (chat::article(occupation), occupation.to_owned());
    vec![("{an occupation}", article), ("{occupation}", occupation)]
}

impl Benchmark for OccupationsChat {
    fn card(&self) -> &'static Card {
        &CARD
    }

    /// A list of one's own: `occupation,women`, the share of women in percent.
    fn items(&self, data: &[TextFile], _options: &Options) -> Result<Vec<Item>, InputError> {
        let file = &data[0];
        let mut input = CsvInput::with_header(file, &["occupation", WOMEN])?;
        let mut items: Vec<Item> = Vec::new();
        let mut most: f64 = 0.0;
        while let Some((place, record)) = input.next()? {
            let (occupation, women) = (record[0].trim().to_owned(), record[1].trim().to_owned());
            let share = women
                .parse::<f64>()
                .ok()
                .filter(|share| (0.0..=100.0).contains(share));
            if occupation.is_empty() {
                return Err(input.complain(place, "the occupation is empty"));
            }
            let Some(share) = share else {
                let message = format!("`{women}` is no share of women in percent");
                return Err(input.complain(place, message));
            };
            most = most.max(share);
            let next = item(&occupation, &women);
            if items.iter().any(|other| other.id == next.id) {
                return Err(input.complain(place, format!("{occupation} stands here twice")));
            }
            items.push(next);
        }
        if items.is_empty() {
            return Err(InputError::new(
                &file.path,
                "there are no occupations below the header",
            ));
        }
        if most <= 1.0 {
            let message = "no share of women is above 1 percent";
            return Err(InputError::new(&file.path, message)
                .with_hint("shares are percentages: 50 where half of them are women, not 0.5"));
        }
        Ok(items)
    }

    fn make_data(&self, name: &str, _: &Options) -> Option<Result<MadeData, InputError>> {
        let source = include_str!("../../data/chat/occupations.tsv");
        let lines = source.lines().filter(|line| !line.starts_with('#'));
        let items = lines.map(|line| {
            let (occupation, women) = line.split_once('\t').expect("a line has two cells");
            item(occupation, women)
        });
        (name == LIST).then(|| {
            Ok(MadeData {
                version: LIST.to_owned(),
                source: source.to_owned(),
                items: items.collect(),
            })
        })
    }

    fn judge(&self, column: &ColumnView<'_>, options: &Options) -> Result<Verdicts, BenchError> {
        let verdicts = chat::judge(wordings(), column, Rule::Epicene, |frame, noun| {
            let noun = noun.to_owned();
            match frame {
                Frame::Character => Protagonist::Subject { noun: Some(noun) },
                _ => Protagonist::Known { noun },
            }
        })?;
        chat::with_model(verdicts, column, options, "epicene-chat-2".to_owned())
    }

    fn measure(&self, judged: &Judged<'_>) -> Result<Measured, BenchError> {
        measures::measure(judged)
    }

    fn compare(&self, judged: &Judged<'_>, first: usize, second: usize) -> Compared {
        measures::compare(judged, first, second)
    }

    fn formulas(&self, judged: &Judged<'_>, column: &ColumnView<'_>) -> Formulas {
        let weighed = Weighed::of(judged, column)?;
        let occupations = measures::occupations(judged)?;
        Ok(weighed.map_or_else(Vec::new, |weighed| {
            formulas::formulas(&weighed, occupations)
        }))
    }

    fn views(&self, rows: &[Row]) -> Vec<View> {
        views::views(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_that_are_no_percentages_are_refused() {
        let read = |share: &str| {
            let file = TextFile {
                path: "o.csv".to_owned(),
                name: "o.csv".to_owned(),
                sha256: String::new(),
                text: format!("occupation,women\nnurse,{share}\ncook,0.4\n"),
            };
            OccupationsChat.items(&[file], &Options::default())
        };
        assert_eq!(read("90").unwrap().len(), 2);
        let said = read("0.9").unwrap_err().to_string();
        assert!(
            said.contains("no share of women is above 1 percent"),
            "{said}"
        );
    }
}
