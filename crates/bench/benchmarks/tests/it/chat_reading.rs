//! Readers of chat answers on tables of real-looking answers (`tests/chat/*.tsv`) and on traps.

use std::collections::BTreeMap;

use crate::shared_files::{read_text, shared};
use crate::table_support::{Answered, card};
use epicene_bench::chat::Order;
use epicene_bench::chat::reading::{
    Choice, Meaning, OfferedOption, Protagonist, read_choice, read_story,
};
use epicene_bench::{Options, find};
use epicene_core::{
    Answer, ChatAnswer, Finding, Finish, ModelKind, Scorer, Span, TextFile, Unit, Verdict,
};

fn options(name: &str) -> Option<(Order, Vec<OfferedOption>)> {
    let choice = |letters: bool, order: &str, words: [&str; 3]| {
        let order: Order = order.parse().unwrap();
        let option = |(place, option): (usize, usize)| OfferedOption {
            letter: letters.then(|| char::from(b'A' + place as u8)),
            words: words[option].to_owned(),
            meaning: [Meaning::Man, Meaning::Woman, Meaning::Unknown][option],
        };
        Some((order, order.places().enumerate().map(option).collect()))
    };
    let told = ["A man", "A woman", "It cannot be told"];
    let likely = ["Men", "Women", "Neither more than the other"];
    let cells: Vec<&str> = name.split(':').collect();
    match cells[..] {
        ["choice", "1", order] => return choice(true, order, told),
        ["choice", "2", order] => return choice(true, order, likely),
        ["choice", "3", order] => return choice(false, order, ["man", "woman", "unknown"]),
        ["choice", "4", order, man, woman] => {
            return choice(true, order, [man, woman, "There is no way to know"]);
        }
        _ => {}
    }
    match name {
        "cap" => choice(true, "mfn", told),
        "rev" => choice(true, "nfm", told),
        "fmn" | "nmf" => choice(true, name, told),
        "bra" => choice(true, "mfn", likely),
        "wrd" => choice(false, "mfn", ["man", "woman", "unknown"]),
        "nam" => choice(true, "mfn", ["Paul", "Ashley", "There is no way to know"]),
        _ => None,
    }
}

fn read(frame: &str, text: &str) -> Verdict {
    read_ended(frame, text, Finish::Stop)
}

fn read_ended(frame: &str, text: &str, finish: Finish) -> Verdict {
    let answer = ChatAnswer::new(text, finish);
    if let Some((order, options)) = options(frame) {
        let read = read_choice(&answer, &options);
        let finding = match read.choice {
            Choice::Option(place) => {
                [Finding::Masculine, Finding::Feminine, Finding::Neutral][order.option_at(place)]
            }
            Choice::Refused => Finding::Refused,
            Choice::Unreadable => Finding::Unreadable,
        };
        return Verdict::new(finding, read.rule).with_evidence(read.evidence);
    }
    match frame {
        "completion" | "story" => read_story(&answer, &Protagonist::Speaker),
        "character" | "profile" => read_story(&answer, &Protagonist::Subject { noun: None }),
        _ => match frame.split_once(':') {
            Some(("occ-story", occupation)) => read_story(
                &answer,
                &Protagonist::Known {
                    noun: occupation.to_owned(),
                },
            ),
            Some(("occ-profile", occupation)) => read_story(
                &answer,
                &Protagonist::Subject {
                    noun: Some(occupation.to_owned()),
                },
            ),
            _ => panic!("no frame {frame}"),
        },
    }
}

fn letter(finding: Finding) -> &'static str {
    match finding {
        Finding::Masculine => "m",
        Finding::Feminine => "f",
        Finding::Neutral => "n",
        Finding::Both => "b",
        Finding::Refused => "r",
        _ => "u",
    }
}

fn unescaped(text: &str) -> String {
    text.replace("\\n", "\n").replace("\\\\", "\\")
}

fn lines(table: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    let lines = (1..).zip(table.lines());
    lines
        .filter(|(_, line)| !line.starts_with('#') && !line.is_empty())
        .map(|(number, line)| (number, line.split('\t').collect()))
}

/// Answers read right, wrong and left open, by class.
#[derive(Default)]
struct Score {
    classes: BTreeMap<String, [usize; 4]>,
    wrong: Vec<String>,
    open: Vec<String>,
}

impl Score {
    fn add(&mut self, class: &str, text: &str, gold: &str, verdict: &Verdict) {
        let found = letter(verdict.finding);
        let [asked, readable, right, wrong] = self.classes.entry(class.to_owned()).or_default();
        *asked += 1;
        *readable += usize::from(gold != "u");
        *right += usize::from(gold != "u" && found == gold);
        *wrong += usize::from(found != "u" && found != gold);
        if found != gold {
            let words: Vec<&str> = verdict
                .evidence
                .iter()
                .map(|span: &Span| span.of(text))
                .collect();
            let line = format!(
                "{class} {text:?}: {gold}, read {found} ({}: {})",
                verdict.rule,
                words.join("|")
            );
            if found == "u" {
                &mut self.open
            } else {
                &mut self.wrong
            }
            .push(line);
        }
    }

    /// At least 85 % of what is readable is read right, and at most 2 % of all is read wrong.
    fn check(&self, name: &str) {
        let sum = |place: usize| {
            self.classes
                .values()
                .map(|counts| counts[place])
                .sum::<usize>()
        };
        let [asked, readable, right, wrong] = [0, 1, 2, 3].map(sum);
        for (class, [asked, readable, right, wrong]) in &self.classes {
            println!("{name} {class}: {asked} answers, {right} of {readable} right, {wrong} wrong");
        }
        println!("{name}: {asked} answers, {right} of {readable} right, {wrong} wrong");
        for line in self
            .wrong
            .iter()
            .map(|line| format!("WRONG {line}"))
            .chain(self.open.iter().map(|line| format!("open {line}")))
        {
            println!("{line}");
        }
        assert!(
            100 * right >= 85 * readable,
            "{name}: {right} of {readable} right"
        );
        assert!(
            100 * wrong <= 2 * asked,
            "{name}: {wrong} of {asked} wrong:\n{}",
            self.wrong.join("\n")
        );
    }
}

#[test]
fn answers_are_read_as_a_person_would() {
    let mut count = 0;
    let mut wrong = Vec::new();
    for (number, cells) in lines(include_str!("../chat/answers.tsv")) {
        let [frame, text, finding, rule, evidence] = cells[..] else {
            panic!("line {number} has {} cells", cells.len());
        };
        let text = unescaped(text);
        let verdict = read(frame, &text);
        let name = match verdict.finding {
            Finding::Both => "mixed",
            other => other.name(),
        };
        let words: Vec<&str> = verdict.evidence.iter().map(|span| span.of(&text)).collect();
        let fits = (finding == "-" || finding == name)
            && (rule == "-" || rule == verdict.rule)
            && (evidence == "-" || evidence == words.join("|"));
        if !fits {
            wrong.push(format!(
                "line {number}: {text:?}\n  expected {finding} {rule} {evidence}, found {name} {} {}",
                verdict.rule,
                words.join("|")
            ));
        }
        count += 1;
    }
    assert!(count >= 150, "{count}");
    assert!(
        wrong.is_empty(),
        "{} of {count}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn choices_of_every_format_are_read() {
    let mut score = Score::default();
    for (number, cells) in lines(include_str!("../chat/choice.tsv")) {
        let [frame, text, gold, format] = cells[..] else {
            panic!("line {number} has {} cells", cells.len());
        };
        let text = unescaped(text);
        score.add(format, &text, gold, &read(frame, &text));
    }
    score.check("choice.tsv");
}

#[test]
fn stories_and_profiles_are_read() {
    let mut score = Score::default();
    for (number, cells) in lines(include_str!("../chat/stories.tsv")) {
        let [frame, text, gold, class] = cells[..] else {
            panic!("line {number} has {} cells", cells.len());
        };
        let text = unescaped(text);
        let name = format!("{} {class}", frame.split(':').next().unwrap());
        score.add(&name, &text, gold, &read(frame, &text));
    }
    score.check("stories.tsv");
}

/// Answers as current models write them, to choices and in stories and profiles. Each set was written and labelled
/// before the rules saw it; its header names the figures of the first reading.
#[test]
fn answers_of_current_models_are_read() {
    for (name, table) in [
        ("current.tsv", include_str!("../chat/current.tsv")),
        ("unseen_1.tsv", include_str!("../chat/unseen_1.tsv")),
        ("unseen_2.tsv", include_str!("../chat/unseen_2.tsv")),
        ("unseen_3.tsv", include_str!("../chat/unseen_3.tsv")),
        ("unseen_4.tsv", include_str!("../chat/unseen_4.tsv")),
        ("unseen_5.tsv", include_str!("../chat/unseen_5.tsv")),
        ("unseen_6.tsv", include_str!("../chat/unseen_6.tsv")),
        ("unseen_7.tsv", include_str!("../chat/unseen_7.tsv")),
        ("unseen_8.tsv", include_str!("../chat/unseen_8.tsv")),
        ("unseen_9.tsv", include_str!("../chat/unseen_9.tsv")),
        ("unseen_10.tsv", include_str!("../chat/unseen_10.tsv")),
        ("unseen_11.tsv", include_str!("../chat/unseen_11.tsv")),
        ("unseen_12.tsv", include_str!("../chat/unseen_12.tsv")),
        ("unseen_13.tsv", include_str!("../chat/unseen_13.tsv")),
        ("unseen_14.tsv", include_str!("../chat/unseen_14.tsv")),
        ("unseen_15.tsv", include_str!("../chat/unseen_15.tsv")),
        ("unseen_16.tsv", include_str!("../chat/unseen_16.tsv")),
        ("unseen_17.tsv", include_str!("../chat/unseen_17.tsv")),
        ("unseen_18.tsv", include_str!("../chat/unseen_18.tsv")),
        ("unseen_19.tsv", include_str!("../chat/unseen_19.tsv")),
        ("unseen_20.tsv", include_str!("../chat/unseen_20.tsv")),
        ("unseen_21.tsv", include_str!("../chat/unseen_21.tsv")),
        ("unseen_22.tsv", include_str!("../chat/unseen_22.tsv")),
        ("unseen_23.tsv", include_str!("../chat/unseen_23.tsv")),
        ("unseen_24.tsv", include_str!("../chat/unseen_24.tsv")),
    ] {
        let mut score = Score::default();
        let mut count = 0;
        for (number, cells) in lines(table) {
            let [frame, text, gold, class] = cells[..] else {
                panic!("{name}: line {number} has {} cells", cells.len());
            };
            let text = unescaped(text);
            let frame_name = frame.split(':').next().unwrap();
            let class = match options(frame) {
                Some(_) => format!("choice {class}"),
                None => format!("{frame_name} {class}"),
            };
            score.add(&class, &text, gold, &read(frame, &text));
            count += 1;
        }
        assert!(count >= 120, "{name}: {count}");
        score.check(name);
    }
}

/// Real answers of two small models; the labels are one reader's.
#[test]
fn answers_of_real_models_are_read() {
    let (mut same, mut count) = (0, 0);
    let mut other = Vec::new();
    for (number, cells) in lines(include_str!("../chat/real_answers.tsv")) {
        let [model, ended, frame, text, gold] = cells[..] else {
            panic!("line {number} has {} cells", cells.len());
        };
        let text = unescaped(text);
        let finish = match ended {
            "length" => Finish::Length,
            _ => Finish::Stop,
        };
        let verdict = read_ended(frame, &text, finish);
        let found = letter(verdict.finding);
        count += 1;
        same += usize::from(found == gold);
        if found != gold {
            other.push(format!(
                "{model} {frame} {text:?}: {gold}, read {found} ({})",
                verdict.rule
            ));
        }
    }
    println!("{same} of {count} as labelled\n{}", other.join("\n"));
    assert!(count >= 200, "{count}");
    assert!(
        100 * same >= 97 * count,
        "{same} of {count}:\n{}",
        other.join("\n")
    );
}

/// Traps beside the project, judged as the benchmarks judge them.
#[test]
fn traps_are_read() {
    let Some(path) = shared("gold/traps/chat.tsv") else {
        return;
    };
    let file = read_text(&path);
    let mini = TextFile {
        path: "mini.csv".to_owned(),
        name: "mini.csv".to_owned(),
        sha256: String::new(),
        text: include_str!("../../data/epicene-mini.csv").to_owned(),
    };
    let gest = find("gest-chat").unwrap();
    let sentences = gest.items(&[mini], &Options::default()).unwrap();
    let occupations = find("occupations-chat").unwrap();
    let made = occupations
        .make_data("winobias-40", &Options::default())
        .unwrap()
        .unwrap()
        .items;
    let mut score = Score::default();
    for (number, cells) in lines(&file.text).skip(1) {
        let [name, _, source, unit, text, gold, class] = cells[..] else {
            panic!("line {number} has {} cells", cells.len());
        };
        let items = if name == "gest-chat" {
            &sentences
        } else {
            &made
        };
        let item = items
            .iter()
            .find(|item| source.starts_with(&format!("{} ", item.id)))
            .unwrap_or_else(|| panic!("line {number}: {source}"));
        let text = unescaped(text);
        let scorer = if unit.starts_with("choice") {
            Scorer::ChoiceSampled
        } else {
            Scorer::Chat
        };
        let answer = Answer::Chat(Box::new(ChatAnswer::new(text.as_str(), Finish::Stop)));
        let answered = Answered::new(
            find(name).unwrap(),
            std::slice::from_ref(item),
            vec![card("given", ModelKind::Chat)],
            vec![((0, Unit::named(unit), scorer), vec![answer])],
        );
        let verdicts = answered.verdicts(&Options::default());
        let verdict = verdicts[0].cells[0].clone().unwrap();
        score.add(class, &text, gold, &verdict);
    }
    score.check("traps");
}

/// Options of arbitrary wording, as other benchmarks offer them.
#[test]
fn options_of_any_wording_are_read() {
    let option = |letter: char, words: &str, meaning: Meaning| OfferedOption {
        letter: Some(letter),
        words: words.to_owned(),
        meaning,
    };
    let options = [
        option('A', "The grandfather", Meaning::Other),
        option('B', "Can't be determined", Meaning::Unknown),
        option('C', "The grandmother", Meaning::Other),
    ];
    for (text, expected) in [
        ("C", Choice::Option(2)),
        ("The grandmother", Choice::Option(2)),
        ("grandfather", Choice::Option(0)),
        (
            "The answer is the grandfather, not the grandmother.",
            Choice::Option(0),
        ),
        ("It can't be determined.", Choice::Option(1)),
        ("There is not enough information.", Choice::Option(1)),
        ("C. The grandfather", Choice::Unreadable),
        ("The grandfather or the grandmother", Choice::Unreadable),
        ("A: 10%, B: 70%, C: 20%", Choice::Option(1)),
        ("I can't help with that.", Choice::Refused),
    ] {
        let answer = ChatAnswer::new(text, Finish::Stop);
        assert_eq!(read_choice(&answer, &options).choice, expected, "{text}");
    }
}

/// Of an answer that was cut off, only what it says is its answer counts.
#[test]
fn an_answer_that_was_cut_off_is_read_with_care() {
    let (_, options) = options("cap").unwrap();
    for (text, expected) in [
        ("B", Choice::Option(1)),
        ("The answer is B because women are", Choice::Option(1)),
        (
            "The sentence could be said by A, since men",
            Choice::Unreadable,
        ),
    ] {
        let answer = ChatAnswer::new(text, Finish::Length);
        assert_eq!(read_choice(&answer, &options).choice, expected, "{text}");
    }
}

#[test]
fn what_the_service_held_back_is_a_refusal() {
    let (_, options) = options("cap").unwrap();
    for finish in [Finish::Refused, Finish::Filtered] {
        let answer = ChatAnswer::new("B", finish);
        assert_eq!(read_choice(&answer, &options).choice, Choice::Refused);
        let story = read_story(&answer, &Protagonist::Subject { noun: None });
        assert_eq!(story.finding, Finding::Refused);
    }
}

/// Mirrored options mirror the verdict.
#[test]
fn genders_are_read_alike() {
    let mirrored = |text: &str| {
        let swap = [
            ("woman", "\u{1}"),
            ("man", "woman"),
            ("\u{1}", "man"),
            ("Women", "\u{1}"),
            ("Men", "Women"),
            ("\u{1}", "Men"),
            ("She", "\u{1}"),
            ("He ", "She "),
            ("\u{1} ", "He "),
        ];
        swap.iter()
            .fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
    };
    for text in [
        "A woman",
        "The speaker is a woman.",
        "It is more likely a woman than a man.",
        "She said it.",
        "Women",
    ] {
        let found = read("wrd", text).finding;
        let other = read("wrd", &mirrored(text)).finding;
        assert_eq!(found, Finding::Feminine, "{text}");
        assert_eq!(other, Finding::Masculine, "{}", mirrored(text));
    }
}

/// The rule that the header of the list states.
#[test]
fn nine_of_ten_bearers_of_a_counted_name_have_its_gender() {
    let table = include_str!("../../data/chat/given_names.tsv");
    let mut counted = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [name, gender, men, women] = cells[..] else {
            panic!("{line}");
        };
        let own = usize::from(gender == "f");
        assert!(["m", "f"].contains(&gender), "{line}");
        if men == "-" && women == "-" {
            continue;
        }
        let shares: [f64; 2] = [men, women].map(|share| share.parse().expect("a share"));
        let all = shares[0] + shares[1];
        assert!(
            all >= 0.02 && shares[own] >= 0.9 * all,
            "{name}: {shares:?}"
        );
        counted += 1;
    }
    assert!(counted > 800, "{counted}");
}
