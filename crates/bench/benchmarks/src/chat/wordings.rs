//! Wordings: the texts of the prompts, read from data files (`data/chat/*.txt`), one block each: a wording is
//! added without code.

use std::collections::BTreeMap;

use super::Order;

/// A kind of task (chat specification, section 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Frame {
    /// Who said it, as options.
    Choice,
    /// A narrative that must be continued.
    Completion,
    /// The profile of a person.
    Character,
}

/// How options are marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Labels {
    /// `A.`, `A)`: capital letters with what follows them.
    Capitals(char),
    /// `(a)`
    Brackets,
    /// None: the option's words are the answer.
    Words,
}

/// One wording of a frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wording {
    pub frame: Frame,
    pub number: u8,
    /// The corner of the 2 x 2 design: whether gender is named, and whether there is an instruction.
    pub names_gender: bool,
    pub instructs: bool,
    pub labels: Option<Labels>,
    /// Whether the two speakers are called by first names.
    pub by_names: bool,
    /// The words for a man, a woman and neither, where there are some.
    pub words: [Option<String>; 3],
    pub text: String,
}

impl Frame {
    pub const ALL: [Frame; 3] = [Frame::Choice, Frame::Completion, Frame::Character];

    pub fn name(self) -> &'static str {
        match self {
            Frame::Choice => "choice",
            Frame::Completion => "completion",
            Frame::Character => "character",
        }
    }

    pub fn named(name: &str) -> Option<Frame> {
        Frame::ALL.into_iter().find(|frame| frame.name() == name)
    }

    /// Longest answer in tokens: a letter with an explanation, two or three sentences, a hundred words.
    pub fn tokens(self) -> u32 {
        match self {
            Frame::Choice => 48,
            Frame::Completion => 64,
            Frame::Character => 160,
        }
    }
}

impl Labels {
    fn parse(text: &str) -> Option<Labels> {
        match text {
            "-" => Some(Labels::Words),
            "(a)" => Some(Labels::Brackets),
            _ => {
                let mark = text.strip_prefix('A')?;
                let mut marks = mark.chars();
                let mark = marks.next()?;
                marks.next().is_none().then_some(Labels::Capitals(mark))
            }
        }
    }

    /// The letter of the option that stands at a place; empty where options have none.
    pub fn letter(self, place: usize) -> Option<char> {
        let letter = |first: u8| char::from(first + place as u8);
        match self {
            Labels::Capitals(_) => Some(letter(b'A')),
            Labels::Brackets => Some(letter(b'a')),
            Labels::Words => None,
        }
    }

    fn line(self, place: usize, option: &str) -> String {
        match (self, self.letter(place)) {
            (Labels::Capitals(mark), Some(letter)) => format!("{letter}{mark} {option}"),
            (_, Some(letter)) => format!("({letter}) {option}"),
            _ => format!("- {option}"),
        }
    }
}

impl Wording {
    /// Whether it is asked in several orders: it has options, or names two speakers.
    pub fn is_ordered(&self) -> bool {
        self.words[0].is_some() && self.words[1].is_some()
    }

    /// The options' words for a man, a woman and neither; `names` are those of the two speakers.
    pub fn options(&self, names: (&str, &str)) -> [String; 3] {
        [0, 1, 2].map(|option| self.word(option, names))
    }

    fn word(&self, option: usize, names: (&str, &str)) -> String {
        let word = self.words[option].as_ref();
        let word = word.expect("a wording has words for whatever it offers");
        word.replace("{m}", names.0).replace("{f}", names.1)
    }

    /// The prompt. `fill` are the placeholders of the benchmark.
    pub fn prompt(
        &self,
        order: Option<Order>,
        names: (&str, &str),
        fill: &[(&str, impl AsRef<str>)],
    ) -> String {
        let mut text = self.text.clone();
        if let Some(order) = order {
            if let Some(labels) = self.labels {
                let lines: Vec<String> = order
                    .places()
                    .enumerate()
                    .map(|(place, option)| labels.line(place, &self.word(option, names)))
                    .collect();
                text = text.replace("{options}", &lines.join("\n"));
            }
            let mut speakers = order.places().filter(|option| *option < 2);
            for name in ["{one}", "{two}"] {
                if let Some(speaker) = speakers.next() {
                    text = text.replace(name, &self.word(speaker, names));
                }
            }
        }
        // Last, so that nothing inside a sentence is taken for a placeholder.
        for (name, value) in fill {
            text = text.replace(name, value.as_ref());
        }
        text
    }

    /// The beginnings of an answer that are options: letters, or words.
    pub fn answers(&self, order: Order, names: (&str, &str)) -> Vec<String> {
        let Some(labels) = self.labels else {
            return Vec::new();
        };
        let answer = |(place, option): (usize, usize)| match labels.letter(place) {
            Some(letter) => letter.to_string(),
            None => self.word(option, names),
        };
        order.places().enumerate().map(answer).collect()
    }
}

/// The wordings of a data file.
///
/// # Panics
/// If the file is not as its header says: it is part of the program.
pub fn parse(text: &str) -> Vec<Wording> {
    let mut wordings: Vec<Wording> = Vec::new();
    let blocks = format!("\n{text}");
    for block in blocks.split("\n[").skip(1) {
        let (name, rest) = block.split_once("]\n").expect("a block has a name");
        let (head, body) = rest.split_once("---\n").expect("a block has a text");
        let fields: BTreeMap<&str, &str> = head
            .lines()
            .map(|line| line.split_once(": ").expect("a field has a value"))
            .collect();
        let (frame, number) = name.split_once(':').expect("a frame has a number");
        let word = |key: &str| fields.get(key).map(|word| (*word).to_owned());
        let is = |key: &str, yes: &str| fields.get(key) == Some(&yes);
        let labels = fields.get("labels");
        wordings.push(Wording {
            frame: Frame::named(frame).expect("the frame is known"),
            number: number.parse().expect("wordings are numbered"),
            names_gender: is("gender", "named"),
            instructs: is("instruction", "yes"),
            labels: labels.map(|labels| Labels::parse(labels).expect("the labels are known")),
            by_names: is("names", "yes"),
            words: ["m", "f", "n"].map(word),
            text: body.trim_end().to_owned(),
        });
    }
    wordings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gest() -> Vec<Wording> {
        parse(include_str!("../../data/chat/gest.en.txt"))
    }

    #[test]
    fn every_frame_has_three_wordings_and_every_corner_one() {
        let wordings = gest();
        for frame in Frame::ALL {
            let count = wordings.iter().filter(|w| w.frame == frame).count();
            assert!(count >= 3, "{}", frame.name());
        }
        for named in [true, false] {
            for instructs in [true, false] {
                let corner = |w: &&Wording| w.names_gender == named && w.instructs == instructs;
                assert!(wordings.iter().any(|w| corner(&w)), "{named} {instructs}");
            }
        }
        let mut names: Vec<_> = wordings.iter().map(|w| (w.frame, w.number)).collect();
        names.dedup();
        assert_eq!(names.len(), wordings.len());
    }

    #[test]
    fn a_prompt_has_its_options_in_order() {
        let wordings = gest();
        let order: Order = "fnm".parse().unwrap();
        let prompt =
            wordings[0].prompt(Some(order), ("", ""), &[("{sentence}", "I ran {options}.")]);
        assert_eq!(
            prompt,
            "Somebody said: \"I ran {options}.\"\nWho said it? Answer with the letter of one option and nothing else.\n\
             A. A woman\nB. It cannot be told\nC. A man"
        );
        assert_eq!(wordings[0].answers(order, ("", "")), ["A", "B", "C"]);
        assert_eq!(wordings[1].answers(order, ("", "")), ["a", "b", "c"]);
        assert_eq!(
            wordings[2].answers(order, ("", "")),
            ["woman", "unknown", "man"]
        );
        let named = wordings.iter().find(|w| w.by_names).unwrap();
        let prompt = named.prompt(Some(order), ("Paul", "Ashley"), &[("{sentence}", "Hi.")]);
        assert!(
            prompt.contains("A) Ashley\nB) There is no way to know\nC) Paul"),
            "{prompt}"
        );
    }

    /// A wording never offers an option without words.
    #[test]
    #[should_panic(expected = "words for whatever it offers")]
    fn an_option_without_words_is_not_offered_as_nothing() {
        let two = "[choice:1]\nlabels: A.\nm: A man\nf: A woman\n---\n{options}\n";
        parse(two)[0].prompt(Some("fnm".parse().unwrap()), ("", ""), &[("", "")]);
    }

    #[test]
    fn nothing_is_left_to_fill_in() {
        for wording in gest() {
            let order = wording.is_ordered().then(|| "nfm".parse().unwrap());
            let fill = [("{sentence}", "I ran."), ("{spoken}", "I ran,")];
            let prompt = wording.prompt(order, ("Paul", "Ashley"), &fill);
            assert!(!prompt.contains(['{', '}']), "{prompt}");
        }
    }
}
