//! The occupation judge on sentences of our own: one table per language in `tests/occupations`.

use std::path::Path;

use epicene_lang::occupation::{JudgeMode, OccupationJudge};

use crate::support::marked::{letter, unmark};

#[test]
fn every_language_judges_its_table() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/occupations");
    let mut faults = Vec::new();
    for code in OccupationJudge::languages() {
        let judge = OccupationJudge::for_language(code).unwrap();
        let table = std::fs::read_to_string(folder.join(format!("{code}.txt"))).unwrap_or_default();
        let mut rows = 0;
        for (number, line) in table.lines().enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            rows += 1;
            let fields: Vec<&str> = line.split('\t').collect();
            let [occupation, published, default, marked] = fields[..] else {
                panic!("{code}.txt:{}: not four columns", number + 1);
            };
            let (text, inside) = unmark(marked);
            let tokens = judge.tokens(&text);
            let positions: Vec<usize> = (0..tokens.len())
                .filter(|&at| inside[tokens[at].start])
                .collect();
            for (mode, expected) in [
                (JudgeMode::Published, published),
                (JudgeMode::Default, default),
            ] {
                let verdict = judge.judge(&text, &tokens, &positions, occupation, mode);
                if letter(verdict.finding) != expected {
                    faults.push(format!(
                        "{code}.txt:{}: {mode:?}: expected {expected}, got {} ({}): {marked}",
                        number + 1,
                        letter(verdict.finding),
                        verdict.rule
                    ));
                }
            }
        }
        if rows < 25 {
            faults.push(format!("{code}.txt: only {rows} sentences"));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn occupations_are_known_by_their_usual_spellings() {
    let judge = OccupationJudge::for_language("es").unwrap();
    let tokens = judge.tokens("Los abogados hablaron con la niñera.");
    for name in ["lawyer", "Lawyer", "The lawyer", "a lawyer", "lawyers"] {
        assert_eq!(judge.find(&tokens, name), [1], "{name}");
    }
    assert_eq!(judge.find(&tokens, "nannies"), [5]);
    assert_eq!(judge.find(&tokens, "astronaut"), [0usize; 0]);
}

/// Empty lines, punctuation, other scripts and links that lead nowhere give a verdict, not a panic.
#[test]
fn odd_input_is_judged_too() {
    let texts = [
        "",
        " ",
        "—",
        "…!?",
        "a",
        "я",
        "ה",
        "\u{301}",
        "🙂 🙂",
        "12 345",
        "\"\"\"",
        "और",
        "کی کی",
        "The nurse — медсестра 護士 नर्स نرس אחות",
        "-",
        "'",
        "а-",
        "-а-а-",
        "x y z q w e r t y u i o p",
    ];
    for code in OccupationJudge::languages() {
        let judge = OccupationJudge::for_language(code).unwrap();
        for text in texts {
            let tokens = judge.tokens(text);
            for positions in [&[][..], &[0], &[0, 1, 2], &[7], &[999]] {
                for occupation in ["", "nurse", "no such thing"] {
                    for mode in [JudgeMode::Published, JudgeMode::Default] {
                        let verdict = judge.judge(text, &tokens, positions, occupation, mode);
                        let length = text.chars().count();
                        assert!(
                            verdict
                                .evidence
                                .iter()
                                .all(|word| word.end as usize <= length)
                        );
                    }
                    assert!(judge.find(&tokens, occupation).len() <= tokens.len());
                }
            }
        }
    }
}
