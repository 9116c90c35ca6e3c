//! Simulated systems whose stereotype rate is known, in many formats of answers: what is measured holds the truth, or
//! says that it may not.

use crate::table_support::{Answered, Column, card};
use epicene_bench::chat::Order;
use epicene_bench::{Options, find};
use epicene_core::{Answer, ChatAnswer, Finish, Item, ModelKind, Scorer, TextFile, Unit};

const ORDERS: [&str; 6] = ["mfn", "fnm", "nmf", "mnf", "fmn", "nfm"];
const WORDS: [&str; 3] = ["A man", "A woman", "It cannot be told"];

/// What a system chose: the option (man, woman, neither), where it stands, and where another one stands.
struct Chosen {
    option: usize,
    place: usize,
    other: usize,
}

impl Chosen {
    fn letter(&self) -> char {
        char::from(b'A' + self.place as u8)
    }

    fn other(&self) -> char {
        char::from(b'A' + self.other as u8)
    }

    fn words(&self) -> &'static str {
        WORDS[self.option]
    }

    fn said(&self, words: [&str; 3]) -> String {
        words[self.option].to_owned()
    }
}

type Format = (&'static str, fn(&Chosen) -> String);

const FORMATS: [Format; 47] = [
    ("letter", |c| c.letter().to_string()),
    ("letter with stop", |c| format!("{}.", c.letter())),
    ("bold letter", |c| format!("**{}**", c.letter())),
    ("words", |c| c.words().to_owned()),
    ("answer and words", |c| format!("Answer: {}", c.words())),
    ("final answer", |c| format!("Final answer: {}", c.words())),
    ("letter and words", |c| {
        format!("{}. {}", c.letter(), c.words())
    }),
    ("words and letter", |c| {
        format!("{} ({})", c.words(), c.letter())
    }),
    ("JSON letter", |c| {
        format!("{{\"answer\": \"{}\"}}", c.letter())
    }),
    ("JSON words", |c| {
        format!("{{\"answer\": \"{}\"}}", c.words())
    }),
    ("XML", |c| format!("<answer>{}</answer>", c.words())),
    ("boxed", |c| {
        format!("$\\boxed{{\\text{{{}}}}}$", c.letter())
    }),
    ("reasoning", |c| {
        let (letter, other) = (c.letter(), c.other());
        format!("Some might pick {other}. Let me think. The best answer is {letter}.")
    }),
    ("thoughts", |c| {
        format!(
            "<think>{} seems right.</think>\n\n{}",
            c.other(),
            c.letter()
        )
    }),
    ("percentages", |c| {
        format!("{}: 15 %, {}: 80 %", c.other(), c.letter())
    }),
    ("negation", |c| {
        format!("Not {} but {}.", c.other(), c.letter())
    }),
    ("yes and no", |c| {
        format!("{}? No. {}? Yes.", c.other(), c.letter())
    }),
    ("strike-through", |c| {
        format!("~~{}~~ {}", c.other(), c.letter())
    }),
    ("ordinal", |c| {
        format!("The {} option.", ["first", "second", "third"][c.place])
    }),
    ("restated options", |c| {
        format!("You want one of three options. I choose {}.", c.letter())
    }),
    ("German", |c| {
        c.said(["Ein Mann", "Eine Frau", "Das lässt sich nicht sagen."])
    }),
    ("Spanish", |c| {
        c.said(["Un hombre", "Una mujer", "No se puede saber."])
    }),
    ("Russian", |c| {
        c.said(["Мужчина", "Женщина", "Невозможно сказать."])
    }),
    ("French", |c| {
        c.said(["Un homme.", "Une femme.", "On ne peut pas le savoir."])
    }),
    ("Italian", |c| {
        c.said(["Un uomo", "Una donna", "Non si può sapere."])
    }),
    ("Portuguese", |c| {
        c.said(["Um homem", "Uma mulher", "Não é possível saber."])
    }),
    ("Polish", |c| {
        c.said(["Mężczyzna", "Kobieta", "Nie można tego stwierdzić."])
    }),
    ("Ukrainian", |c| {
        c.said(["Чоловік", "Жінка", "Неможливо сказати."])
    }),
    ("Czech", |c| c.said(["Muž", "Žena", "To nelze říct."])),
    ("Slovak", |c| c.said(["Muž", "Žena", "Nedá sa to povedať."])),
    ("Arabic", |c| c.said(["رجل", "امرأة", "لا يمكن معرفة ذلك"])),
    ("Hindi", |c| c.said(["पुरुष", "महिला", "कहा नहीं जा सकता"])),
    ("Urdu", |c| c.said(["مرد", "عورت", "کہا نہیں جا سکتا"])),
    ("Romanian", |c| {
        c.said(["Un bărbat", "O femeie", "Nu se poate ști."])
    }),
    ("Japanese", |c| {
        c.said(["男性です。", "女性です。", "わかりません。"])
    }),
    ("Korean", |c| {
        c.said(["남자입니다.", "여자입니다.", "알 수 없습니다."])
    }),
    ("Turkish", |c| c.said(["Erkek", "Kadın", "Bilinemez."])),
    ("levels", |c| {
        let level = |place: usize| if place == c.place { "high" } else { "low" };
        format!("A: {}\nB: {}\nC: {}", level(0), level(1), level(2))
    }),
    ("German sentence with a letter", |c| {
        format!("Die richtige Antwort ist {}.", c.letter())
    }),
    ("Spanish sentence with a letter", |c| {
        format!("La respuesta correcta es la {}.", c.letter())
    }),
    ("Chinese sentence with a letter", |c| {
        format!("答案是{}。", c.letter())
    }),
    ("emoji", |c| c.said(["👨", "👩", "🤷"])),
    ("ticks", |c| {
        let mark = |place: usize| if place == c.place { '✅' } else { '❌' };
        format!("A {} B {} C {}", mark(0), mark(1), mark(2))
    }),
    ("letter and reason", |c| {
        format!(
            "{}\n\nBoth a man and a woman could say this, but {} fits the tone better than {}.",
            c.letter(),
            c.letter(),
            c.other()
        )
    }),
    ("taken back", |c| {
        format!("{}. Wait, no: {}.", c.other(), c.letter())
    }),
    ("letter against words", |c| {
        format!("{}. {}", c.letter(), WORDS[(c.option + 1) % 3])
    }),
    ("no format at all", |c| c.said(["Hm.", "Well.", "Sigh."])),
];

fn items() -> Vec<Item> {
    let file = TextFile {
        path: "mini.csv".to_owned(),
        name: "mini.csv".to_owned(),
        sha256: String::new(),
        text: include_str!("../../data/epicene-mini.csv").to_owned(),
    };
    let items = find("gest-chat")
        .unwrap()
        .items(&[file], &Options::default())
        .unwrap();
    items.into_iter().step_by(3).collect()
}

/// Of `cycle` items of a stereotype, the first `stereotyped` are answered by the stereotype, the others against it.
fn chosen(item: &Item, number: usize, (stereotyped, cycle): (usize, usize)) -> usize {
    let id: u8 = item.label("stereotype").unwrap().parse().unwrap();
    let man = id >= 8;
    usize::from(man != (number % cycle < stereotyped))
}

#[test]
fn no_format_misleads_in_silence() {
    let items = items();
    let mut numbers = [0; 17];
    let numbers: Vec<usize> = items
        .iter()
        .map(|item| {
            let id: usize = item.label("stereotype").unwrap().parse().unwrap();
            numbers[id] += 1;
            numbers[id] - 1
        })
        .collect();
    // The truth, and how many of how many items follow the stereotype.
    let systems = [(-1.0, (0, 1)), (0.0, (1, 2)), (0.5, (3, 4)), (1.0, (1, 1))];
    let (mut asked, mut warned) = (0, Vec::new());
    let mut silent = Vec::new();
    for (truth, part) in systems {
        for (name, format) in FORMATS {
            let columns: Vec<Column> = ORDERS
                .iter()
                .map(|order| {
                    let unit = Unit::named(&format!("choice:1+order:{order}"));
                    let order: Order = order.parse().unwrap();
                    let answers = items.iter().zip(&numbers).map(|(item, number)| {
                        let option = chosen(item, *number, part);
                        let place = order.places().position(|own| own == option).unwrap();
                        let chosen = Chosen {
                            option,
                            place,
                            other: (place + 1) % 3,
                        };
                        let answer = ChatAnswer::new(format(&chosen), Finish::Stop);
                        Answer::Chat(Box::new(answer))
                    });
                    ((0, unit, Scorer::ChoiceSampled), answers.collect())
                })
                .collect();
            let answered = Answered::new(
                find("gest-chat").unwrap(),
                &items,
                vec![card("simulated", ModelKind::Chat)],
                columns,
            );
            let measured = answered
                .measure(&Options::default().drawing(200, 50))
                .unwrap();
            let row = measured
                .rows
                .iter()
                .find(|row| row.unit == "choice:1" && row.group == "all" && row.metric == "s");
            let holds = row.is_some_and(|row| {
                let (low, high) = (row.low.unwrap(), row.high.unwrap());
                high > low && low <= truth && truth <= high
            });
            asked += 1;
            if !measured.warnings.is_empty() {
                warned.push(format!("{name} {truth}"));
            } else if !holds {
                silent.push(format!("{name}: truth {truth}, measured {row:?}"));
            }
        }
    }
    println!("{asked} systems, {} warned: {warned:?}", warned.len());
    assert!(asked >= 40 * systems.len());
    assert!(silent.is_empty(), "{}", silent.join("\n"));
    // Only what says nothing, or two things, is warned about.
    let readable = |name: &&String| {
        !name.starts_with("no format") && !name.starts_with("letter against words")
    };
    let readable: Vec<&String> = warned.iter().filter(readable).collect();
    assert!(readable.is_empty(), "{readable:?}");
}
