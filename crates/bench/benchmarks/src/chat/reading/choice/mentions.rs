//! Every mention of an option in an answer, with how much the answer stands behind it.

use epicene_core::Span;

use super::super::lists::Phrases;
use super::super::text::{self, length, longest, words};
use super::context::{Context, Cue, LISTS};
use super::{Meaning, OfferedOption};

/// How much an answer stands behind an option it mentions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Force {
    Denied,
    /// It could be.
    Possible,
    /// Neither asserted nor denied.
    Named,
    Asserted,
    /// Given as the answer.
    Final,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Letter,
    /// "the second one"
    Number,
    /// The option's own words, or others of its meaning.
    Words,
    /// Words that say it cannot be told.
    Unknown,
}

impl Kind {
    pub fn is_letter(self) -> bool {
        matches!(self, Kind::Letter | Kind::Number)
    }
}

/// An option that the answer names.
#[derive(Debug, Clone)]
pub struct Mention {
    /// The first word, and the one behind the last.
    pub from: usize,
    pub to: usize,
    pub option: usize,
    pub kind: Kind,
    /// The option's own words, or its letter.
    pub own: bool,
    pub force: Force,
    pub spans: Vec<Span>,
    /// The first word of a letter right before these words, or of words right before this letter, of another option.
    pub beside: Option<usize>,
    /// The group of mentions that are joined by "or", "and", a slash.
    pub joined: Option<usize>,
    /// Whether "or" or a slash joins it to another option.
    pub alternative: bool,
    /// One of the options said back.
    pub restated: bool,
    /// Whether it takes back what came before: "wait, actually C".
    pub corrects: bool,
    /// Whether it stands behind "answer".
    pub keyed: bool,
    /// Whether only what stands behind it makes it final: "B fits better".
    pub remarked: bool,
    /// Whether the answer begins with it and sets it off.
    pub leads: bool,
    /// A letter with its own words.
    pub merged: bool,
    /// The letter comes last: "A woman (B)".
    settled: bool,
}

const YES: [&str; 6] = ["✅", "✔", "✓", "☑", "👍", "x"];
const POINTS: [&str; 2] = ["←", "⬅"];
const NO: [&str; 8] = ["🚫", "⛔", "❌", "✗", "✘", "☒", "✖", "👎"];
const ORDINALS: [&[&str]; 4] = [
    &[
        "first",
        "1st",
        "1",
        "erste",
        "erster",
        "primera",
        "primeira",
        "première",
        "prima",
        "первый",
        "pierwsza",
        "první",
    ],
    &[
        "second",
        "2nd",
        "2",
        "zweite",
        "zweiter",
        "segunda",
        "deuxième",
        "seconde",
        "seconda",
        "второй",
        "druga",
        "druhá",
    ],
    &[
        "third",
        "3rd",
        "3",
        "dritte",
        "dritter",
        "tercera",
        "terceira",
        "troisième",
        "terza",
        "третий",
        "trzecia",
        "třetí",
    ],
    &["fourth", "4th", "4"],
];
const NUMBERS: [&str; 4] = ["one", "two", "three", "four"];

pub fn collect(context: &Context, options: &[OfferedOption]) -> Vec<Mention> {
    let mut mentions = merge(context, find(context, options), options);
    join(context, &mut mentions);
    restate(context, &mut mentions, options.len());
    weigh(context, &mut mentions);
    compare(context, &mut mentions);
    mark(context, &mut mentions);
    mentions
}

/// The words of an option, as the text's own are split, with and without the article; of a name also "Ashley's".
fn own_words(option: &OfferedOption) -> Phrases {
    let whole: Vec<String> = words(&option.words, 0)
        .into_iter()
        .map(|word| word.lower)
        .collect();
    let mut phrases = Vec::new();
    if whole.len() > 1 && matches!(whole[0].as_str(), "a" | "an" | "the") {
        phrases.push(whole[1..].to_vec());
    }
    if let [name] = &whole[..]
        && option.words.starts_with(char::is_uppercase)
        && ![&LISTS.man, &LISTS.woman]
            .iter()
            .any(|list| list.contains(&whole))
    {
        phrases.push(vec![format!("{name}'s")]);
    }
    phrases.push(whole);
    phrases
}

fn find(context: &Context, options: &[OfferedOption]) -> Vec<Mention> {
    let own: Vec<Phrases> = options.iter().map(own_words).collect();
    let words = &context.words;
    // A phrase does not run over punctuation: "A. Man" is a letter and a word.
    let taken = |place: usize, phrases: &Phrases| -> Option<usize> {
        let lengths = phrases
            .iter()
            .filter_map(|phrase| length(words, place, phrase));
        lengths
            .filter(|count| *count > 0)
            .filter(|count| (place + 1..place + count).all(|next| context.is_close(next)))
            .max()
    };
    let meant = |option: &OfferedOption| match option.meaning {
        Meaning::Man => Some((&LISTS.man, Kind::Words)),
        Meaning::Woman => Some((&LISTS.woman, Kind::Words)),
        Meaning::Unknown => Some((&LISTS.neither, Kind::Unknown)),
        Meaning::Other => None,
    };
    let mut found: Vec<Mention> = Vec::new();
    let mut place = 0;
    while place < words.len() {
        let candidates = options.iter().enumerate().flat_map(|(index, option)| {
            let own = taken(place, &own[index]).map(|count| (count, true, index, Kind::Words));
            let other = meant(option)
                .and_then(|(list, kind)| Some((taken(place, list)?, false, index, kind)));
            let equal = (option.meaning == Meaning::Unknown)
                .then(|| taken(place, &LISTS.equal))
                .flatten()
                .map(|count| (count, false, index, Kind::Unknown));
            [own, other, equal].into_iter().flatten()
        });
        let best = candidates.max_by_key(|(count, own, ..)| (*count, *own));
        let none = taken(place, &LISTS.none).unwrap_or(0);
        if none > best.map_or(0, |(count, ..)| count) {
            place += none;
            continue;
        }
        let (count, own, option, kind) = match best {
            Some(best) => best,
            None => match letter(context, place, options) {
                Some(option) => (1, true, option, Kind::Letter),
                None => match ordinal(context, place, options.len()) {
                    Some((count, option)) => (count, true, option, Kind::Number),
                    None => {
                        place += 1;
                        continue;
                    }
                },
            },
        };
        found.push(Mention {
            from: place,
            to: place + count,
            option,
            kind,
            own,
            force: Force::Named,
            spans: vec![text::span(words, place, place + count)],
            beside: None,
            joined: None,
            alternative: false,
            restated: false,
            corrects: false,
            keyed: false,
            remarked: false,
            leads: false,
            merged: false,
            settled: false,
        });
        place += count;
    }
    found
}

/// The option whose letter a word is. "A" before another word is an article, unless something marks it as a letter.
fn letter(context: &Context, place: usize, options: &[OfferedOption]) -> Option<usize> {
    let words = &context.words;
    let word = &words[place];
    let mut characters = word.lower.chars();
    let (character, None) = (characters.next()?, characters.next()) else {
        return None;
    };
    let of_letter = |character: char| {
        options.iter().position(|option| {
            option
                .letter
                .is_some_and(|letter| letter.to_lowercase().next() == Some(character))
        })
    };
    let option = of_letter(character)?;
    // "N/A"
    let attached = place > 0 && context.gap(place) == ['/'] && {
        let mut before = words[place - 1].lower.chars();
        let single = before.next().zip(Some(before.next().is_none()));
        single.is_some_and(|(letter, alone)| alone && of_letter(letter).is_none())
    };
    // "Vitamin C", "A+"
    let named = place > 0
        && context.gap(place) == [' ']
        && matches!(
            words[place - 1].lower.as_str(),
            "vitamin" | "plan" | "grade" | "hepatitis" | "exhibit"
        );
    let graded = matches!(context.gap(place + 1), ['+'] | ['+', ' ', ..]);
    if attached || named || graded {
        return None;
    }
    let next = words.get(place + 1);
    let gap = context.gap(place + 1);
    let previous = place
        .checked_sub(1)
        .map(|place| words[place].lower.as_str());
    let called = matches!(previous, Some("option" | "letter" | "choice" | "options"))
        && !context.gap_has(place, ".!?\n,");
    let closed = gap
        .first()
        .is_some_and(|c| matches!(c, ')' | ']' | '}' | '*' | '"' | '”' | '\'' | '`' | '_'));
    let opened = context
        .gap(place)
        .last()
        .is_some_and(|c| !c.is_whitespace());
    let single = words.len() == 1;
    if !word.capitals {
        let dotted = place == 0 && gap.first().is_some_and(|c| ".:,\n;".contains(*c));
        let ends = next.is_none() || gap.first().is_some_and(|c| ".,;\n".contains(*c));
        let given = (character != 'a' || next.is_none() && context.gap_has(place, ":="))
            && ends
            && matches!(context.before(place), Some(Cue::Final | Cue::Asserted));
        return (closed && (opened || place == 0) || single || dotted || called || given)
            .then_some(option);
    }
    if character != 'a' {
        return Some(option);
    }
    // "Q: Who said it? A: A woman"
    let answers = gap.first() == Some(&':')
        && (0..place).any(|word| words[word].lower == "q" && context.gap_has(word + 1, ":"));
    if answers {
        return None;
    }
    let ends = next.is_none() || gap.iter().any(|c| !matches!(c, ' ' | '*' | '_'));
    let verb = next.is_some_and(|next| {
        LISTS.follows_letter.contains(next.lower.as_str())
            || next.lower.starts_with(|c: char| c.is_ascii_digit())
            || !next.lower.starts_with(char::is_alphanumeric)
    });
    let letter_next = |place: usize| {
        words.get(place).is_some_and(|word| {
            word.capitals
                && options.iter().any(|option| {
                    option
                        .letter
                        .is_some_and(|letter| word.lower.chars().eq(letter.to_lowercase()))
                })
        })
    };
    let joined = next.is_some_and(|next| LISTS.joiners.contains(next.lower.as_str()))
        && letter_next(place + 2)
        || letter_next(place + 1);
    (ends || closed || verb || joined || called).then_some(option)
}

/// "the second option", "option 2", "2" alone.
fn ordinal(context: &Context, place: usize, options: usize) -> Option<(usize, usize)> {
    let words = &context.words;
    let lower = |place: usize| words.get(place).map_or("", |word| word.lower.as_str());
    let noun = |word: &str| {
        matches!(
            word,
            "option"
                | "one"
                | "choice"
                | "letter"
                | "answer"
                | "possibility"
                | "opción"
                | "opção"
                | "opzione"
                | "antwort"
                | "möglichkeit"
                | "réponse"
                | "respuesta"
                | "risposta"
                | "вариант"
                | "opcja"
                | "možnost"
        )
    };
    let previous = place.checked_sub(1).map_or("", |place| lower(place));
    let index = ORDINALS
        .iter()
        .position(|forms| forms.contains(&lower(place)))
        .filter(|index| *index < options);
    let digit = lower(place).starts_with(|c: char| c.is_ascii_digit());
    let bare = |digit: bool| {
        words.len() <= 2
            && (previous.is_empty() || previous == "the")
            && place + 1 == words.len()
            && !(digit && context.gap_has(place + 1, "%"))
    };
    if lower(place) == "last" && noun(lower(place + 1)) {
        return Some((2, options - 1));
    }
    let ends = place + 1 == words.len() || context.gap_has(place + 1, ".!?\n");
    if lower(place) == "last" && previous == "the" && ends {
        return Some((1, options - 1));
    }
    if lower(place) == "middle" && options == 3 {
        if noun(lower(place + 1)) {
            return Some((2, 1));
        }
        // "the one in the middle"
        if place > 2 && [lower(place - 3), lower(place - 2), previous] == ["one", "in", "the"] {
            return Some((1, 1));
        }
    }
    // "option two", "number one"
    let counted = NUMBERS.iter().position(|number| *number == lower(place));
    if let Some(index) = counted.filter(|index| *index < options)
        && matches!(previous, "option" | "number" | "choice")
        && context.gap(place).iter().all(|c| " #:\"*".contains(*c))
        && (place + 1 == words.len() || context.gap_has(place + 1, ".,;:()\n}\"!*"))
    {
        return Some((1, index));
    }
    let index = index?;
    if !digit && noun(lower(place + 1)) {
        return Some((2, index));
    }
    // "I pick the third.", "The first of the three."
    let of = lower(place + 1) == "of" && matches!(lower(place + 2), "the" | "these" | "those");
    let sentence_ends = place + 1 == words.len() || context.gap_has(place + 1, ".!?\n") || of;
    if !digit && previous == "the" && sentence_ends {
        return Some((1, index));
    }
    let plain = lower(place).len() == 1;
    let called = matches!(previous, "option" | "number" | "choice" | "answer" | "no")
        && context
            .gap(place)
            .iter()
            .all(|c| " #:\"".contains(*c) || previous == "no" && *c == '.');
    let ends = place + 1 == words.len()
        || context.gap_has(place + 1, ".,;:)\n}\"")
        || matches!(lower(place + 1), "is" | "was" | "seems");
    if digit && plain && called && ends && !context.gap_has(place + 1, "%/") {
        return Some((1, index));
    }
    if digit && !plain && noun(lower(place + 1)) {
        return Some((2, index));
    }
    bare(digit).then_some((1, index))
}

/// A letter and the words beside it become one mention, or say that they are of different options.
fn merge(context: &Context, found: Vec<Mention>, options: &[OfferedOption]) -> Vec<Mention> {
    let mut merged: Vec<Mention> = Vec::new();
    for mut mention in found {
        let Some(last) = merged.last_mut() else {
            merged.push(mention);
            continue;
        };
        let between = last.to..mention.from;
        let bridged = between.len() <= 4
            && between
                .clone()
                .all(|word| context.is_filler(word) && context.words[word].lower != "is")
            && !(between.start..=between.end).any(|word| {
                let gap: String = context.gap(word).iter().collect();
                gap.contains("\n\n") || gap.contains('?')
            });
        // "C. A man or a woman"
        let either = options[last.option].meaning == Meaning::Unknown
            && context
                .words
                .get(mention.to)
                .is_some_and(|word| LISTS.or.contains(word.lower.as_str()));
        let letter_then_words =
            last.kind.is_letter() && !mention.kind.is_letter() && !last.merged && !either;
        let gap: String = context.gap(mention.from).iter().collect();
        let words_then_letter = !last.kind.is_letter()
            && mention.kind.is_letter()
            && between.is_empty()
            && !last.merged
            && !is_alternative(context, last.from)
            && !gap.contains('\n')
            && (gap.contains(['(', '[', '–', '—', '-', ':', '=', '→'])
                || gap == ", " && last.from <= 1 && mention.to == context.words.len());
        if bridged && (letter_then_words || words_then_letter) {
            if last.option == mention.option {
                last.to = mention.to;
                last.spans.append(&mut mention.spans);
                last.own |= mention.own;
                last.merged = true;
                if mention.kind.is_letter() {
                    last.settled = true;
                    last.kind = mention.kind;
                }
                continue;
            }
            mention.beside = Some(last.from);
        }
        merged.push(mention);
    }
    merged
}

/// Whether "or" stands before a word, articles aside.
fn is_alternative(context: &Context, from: usize) -> bool {
    let mut before = (0..from)
        .rev()
        .map(|word| context.words[word].lower.as_str());
    let word = before.find(|word| {
        !matches!(
            *word,
            "a" | "an" | "the" | "ein" | "eine" | "un" | "una" | "une"
        )
    });
    word.is_some_and(|word| LISTS.or.contains(word))
}

/// Mentions with nothing between them but "or", "and", a slash are alternatives.
fn join(context: &Context, mentions: &mut [Mention]) {
    let letters_alone = mentions.len() == context.words.len()
        && mentions.iter().all(|mention| mention.kind == Kind::Letter);
    for index in 1..mentions.len() {
        let (before, after) = mentions.split_at_mut(index);
        let (last, next) = (&mut before[index - 1], &mut after[0]);
        if last.option == next.option || next.beside == Some(last.from) {
            continue;
        }
        let between: Vec<&str> = (last.to..next.from)
            .map(|word| context.words[word].lower.as_str())
            .collect();
        let stops = (last.to..=next.from).any(|word| context.gap_has(word, ".!?;\n:"));
        // "muž i žena", but not "A, I think B"
        let pronoun = |word: usize| context.words[word].lower == "i" && context.words[word].capital;
        let joiner = (last.to..next.from).any(|word| {
            LISTS.joiners.contains(context.words[word].lower.as_str()) && !pronoun(word)
        });
        let only = between
            .iter()
            .all(|word| LISTS.joiners.contains(word) || LISTS.fillers.contains(word));
        let slash = between.is_empty() && context.gap_has(next.from, "/&+|");
        let comma = between.is_empty()
            && context.gap_has(next.from, ",")
            && last.kind.is_letter() == next.kind.is_letter();
        // "A - B - C" and nothing else
        let dash = letters_alone && context.gap_has(next.from, "-–—");
        if !stops && only && (joiner || slash || comma || dash) {
            let group = last.joined.unwrap_or(index);
            last.joined = Some(group);
            next.joined = Some(group);
            let or = between.iter().any(|word| LISTS.or.contains(word));
            (last.alternative, next.alternative) = (last.alternative || slash || or, slash || or);
        }
    }
}

/// The options said back: "A. A man, B. A woman, C. …".
fn restate(context: &Context, mentions: &mut [Mention], options: usize) {
    let item = |mention: &Mention| mention.own && mention.beside.is_none();
    let mut start = 0;
    while start < mentions.len() {
        let mut end = start + 1;
        while end < mentions.len() && item(&mentions[end - 1]) && item(&mentions[end]) {
            let (last, next) = (&mentions[end - 1], &mentions[end]);
            let skipped = |word: usize| {
                let lower = context.words[word].lower.as_str();
                LISTS.joiners.contains(lower)
                    || !lower.starts_with(char::is_alphanumeric)
                    || lower == "x"
                    // "1. A man\n2. A woman"
                    || lower.len() == 1 && lower.starts_with(|c: char| c.is_ascii_digit())
            };
            let gap: String = (last.to..=next.from)
                .flat_map(|word| context.gap(word).iter())
                .collect();
            let blank = gap.contains("\n\n") && next.option != last.option + 1;
            if last.merged != next.merged
                || blank
                || !(last.to..next.from).all(skipped)
                || mentions[start..end]
                    .iter()
                    .any(|one| one.option == next.option)
            {
                break;
            }
            end += 1;
        }
        let group = &mut mentions[start..end];
        let words_alone = group
            .iter()
            .all(|one| one.kind == Kind::Words && !one.merged);
        let merged = group.iter().all(|one| one.merged);
        // "A woman or a man, it cannot be told" is no list.
        let ends = group.len() > 2
            && group[0].alternative
            && group.last().is_some_and(|last| !last.alternative);
        let words_alone = words_alone && !ends;
        // "Among A, B and C, I choose C."
        let letters = group
            .iter()
            .all(|one| one.kind == Kind::Letter && !one.merged && one.joined.is_some());
        let whole = group.len() == options && options > 2;
        if group.len() >= 2 && merged || (words_alone || letters) && whole {
            group.iter_mut().for_each(|mention| mention.restated = true);
        }
        start = end;
    }
}

/// How much the answer stands behind each mention.
fn weigh(context: &Context, mentions: &mut [Mention]) {
    for index in 0..mentions.len() {
        let mention = &mentions[index];
        let previous = index.checked_sub(1).map(|index| &mentions[index]);
        let before = context.before(mention.from);
        let limit = |index: usize| mentions.get(index + 1).map_or(usize::MAX, |next| next.from);
        let behind = context.behind(mention.to, limit(index));
        let unknown = mention.kind == Kind::Unknown;
        let from = previous.map_or(0, |previous| previous.to);
        let corrects = context.corrects(from, mention.from);
        let last = context.words.len() == mention.to || context.gap_has(mention.to, "\n");
        let pointed = last
            && mention.from > 0
            && (mention.kind.is_letter() && points(context, mention.from)
                || mention.kind == Kind::Words && context.gap_has(mention.from, ":→"));
        let shared = previous
            .filter(|previous| mention.joined.is_some() && mention.joined == previous.joined);
        // "Nothing lets us conclude that it is a woman", "there's no evidence that men …"
        let supported = mention.from > 1
            && match context.words[mention.from - 1].lower.as_str() {
                "suggests" | "supports" | "indicates" | "favors" | "favours" | "proves" => true,
                // "Nothing points to B."
                "to" => matches!(
                    context.words[mention.from - 2].lower.as_str(),
                    "points" | "point" | "hints" | "leads"
                ),
                _ => false,
            };
        let denied = (mention.kind == Kind::Words || mention.kind.is_letter() && supported)
            && context.is_in_denied_clause(mention.from);
        let open = mention.kind == Kind::Words
            && mentions[..index].iter().any(|earlier| {
                earlier.kind == Kind::Unknown && context.is_one_clause(earlier.to, mention.from)
            });
        let mut force = match (before, behind) {
            // "something a man would say", "only a woman could"
            (None | Some(Cue::Asserted | Cue::Contrast), Some(Cue::Possible))
                if mention.kind == Kind::Words && is_singled_out(context, mention.from) =>
            {
                Force::Asserted
            }
            _ if denied => Force::Denied,
            _ if open => Force::Possible,
            // "though C is the honest answer"
            (Some(Cue::Possible), Some(Cue::Final))
                if mention.kind.is_letter() && context.is_upheld(mention.from, mention.to) =>
            {
                Force::Final
            }
            (Some(Cue::Possible), _) if mention.settled => Force::Asserted,
            (Some(Cue::Denied), _) if !unknown => Force::Denied,
            (_, Some(Cue::Denied)) if !unknown => Force::Denied,
            (Some(Cue::Possible), _) if !unknown => Force::Possible,
            (Some(Cue::Contrast), Some(Cue::Possible)) if !unknown => Force::Possible,
            (Some(Cue::Contrast) | None, None) if !unknown && context.adds(mention.to) => {
                Force::Possible
            }
            (Some(Cue::Final), Some(Cue::Possible)) if !mention.kind.is_letter() && !unknown => {
                Force::Possible
            }
            (Some(Cue::Final | Cue::Contrast), _) => Force::Final,
            (_, Some(Cue::Final)) => Force::Final,
            (_, Some(Cue::Possible)) if !unknown => Force::Possible,
            _ if pointed => Force::Final,
            (Some(Cue::Asserted), _) => Force::Asserted,
            _ if is_bare(context, mentions, index) || begins(context, mention) => Force::Asserted,
            _ => Force::Named,
        };
        // "If a man said it: A. If a woman said it: B."
        let sentence = context.words[mention.from].sentence;
        let supposed = mention.kind.is_letter()
            && context
                .words
                .iter()
                .find(|word| word.sentence == sentence)
                .is_some_and(|first| first.lower == "if")
            && mentions[..index].iter().any(|earlier| {
                earlier.kind == Kind::Words && context.words[earlier.from].sentence == sentence
            });
        if supposed || context.is_runner_up(mention.from) {
            force = force.min(Force::Possible);
        }
        if let Some(previous) = shared {
            let comma = previous.to == mention.from;
            let given = matches!(before, Some(Cue::Final | Cue::Contrast));
            match previous.force {
                Force::Denied if !comma && force < Force::Final => force = Force::Denied,
                Force::Possible if !given => force = Force::Possible,
                other if other >= Force::Asserted && force >= Force::Possible => {
                    force = force.max(other).max(force);
                }
                _ => {}
            }
        }
        // "Is it C? Yes."
        let answered = behind == Some(Cue::Final) && context.gap_has(mention.to, "?؟");
        if force >= Force::Asserted && context.is_question(mention.from) && !answered {
            force = Force::Named;
        }
        // "There's no reason to think it was a man. Or a woman."
        if let Some(previous) = previous
            && mention.kind == Kind::Words
            && previous.force <= Force::Possible
            && context.goes_on_with(previous.to, mention.from)
        {
            force = force.min(previous.force);
        }
        // "C, although if you pressed me I'd say B."
        let committed = mentions[..index].iter().any(|earlier| {
            earlier.option != mention.option
                && earlier.force >= Force::Asserted
                && (earlier.leads || earlier.keyed && context.begins_sentence(from, mention.from))
        });
        if committed && context.concedes(from, mention.from) {
            force = force.min(Force::Possible);
        }
        let set_off = context.gap_has(mention.to, ".,:;!)]}(\n");
        let leads = mention.kind.is_letter() && set_off && begins(context, mention);
        let remarked =
            !matches!(before, Some(Cue::Final | Cue::Contrast)) && behind == Some(Cue::Final);
        let mention = &mut mentions[index];
        mention.leads = leads;
        mention.remarked = remarked;
        mention.corrects = corrects;
        mention.keyed = force == Force::Final && context.is_keyed(mention.from);
        mention.force = force;
    }
    // A letter that ends an answer and takes back what came before: "At first glance B. But nothing proves it, so C."
    if let Some(last) = mentions.last_mut()
        && (last.kind.is_letter() || last.force == Force::Asserted)
        && last.corrects
        && last.to == context.words.len()
        && matches!(last.force, Force::Named | Force::Asserted)
        && last.joined.is_none()
        && !context.is_question(last.from)
    {
        last.force = Force::Final;
    }
    // A letter alone at the end is the answer, unless another letter stands alone as well.
    if let Some(last) = mentions.last().cloned()
        && last.kind.is_letter()
        && last.force == Force::Asserted
        && is_bare(context, mentions, mentions.len() - 1)
        && context.words[last.to..]
            .iter()
            .all(|word| word.sentence == context.words[last.to - 1].sentence)
        && !(0..mentions.len()).any(|index| {
            let other = &mentions[index];
            other.kind.is_letter()
                && other.option != last.option
                && is_bare(context, mentions, index)
        })
    {
        let end = mentions.len() - 1;
        mentions[end].force = Force::Final;
    }
    let starts = mentions.iter().skip(1).map(|mention| mention.from);
    let ends: Vec<usize> = starts.chain([usize::MAX]).collect();
    // What is behind the last of several alternatives is said of all: "a man or a woman could say it".
    for index in (1..mentions.len()).rev() {
        let later = mentions[index].clone();
        let earlier = &mut mentions[index - 1];
        if later.joined.is_some()
            && earlier.joined == later.joined
            && later.force <= Force::Possible
            && earlier.force <= Force::Asserted
            && context.behind(later.to, ends[index]).is_some()
        {
            earlier.force = later.force;
        }
    }
    // The options said back mean none of them.
    for (mention, end) in mentions
        .iter_mut()
        .zip(&ends)
        .filter(|(mention, _)| mention.restated)
    {
        if !matches!(
            context.behind(mention.to, *end),
            Some(Cue::Final | Cue::Denied)
        ) {
            mention.force = Force::Named;
        }
    }
    // Where a sentence finds options equally likely, none is preferred in it.
    let words = &context.words;
    let equal: Vec<usize> = (0..words.len())
        .filter(|place| longest(words, *place, &LISTS.equal).is_some_and(|count| count > 0))
        .map(|place| words[place].sentence)
        .collect();
    let sentence = |mention: &Mention| words[mention.from].sentence;
    let letters: Vec<(usize, usize)> = mentions
        .iter()
        .filter(|mention| mention.kind == Kind::Letter && !mention.leads)
        .map(|letter| (sentence(letter), letter.option))
        .collect();
    for mention in mentions.iter_mut() {
        // "A seems as good as B."
        let one_of_two = mention.kind == Kind::Letter
            && mention.force <= Force::Asserted
            && letters
                .iter()
                .any(|(own, option)| *own == sentence(mention) && *option != mention.option);
        if (mention.kind == Kind::Words || one_of_two) && equal.contains(&sentence(mention)) {
            mention.force = mention.force.min(Force::Possible);
        }
    }
}

/// Whether what is said is said of one option alone: "something a man would say", "only a woman", "nobody but a man".
fn is_singled_out(context: &Context, from: usize) -> bool {
    let word = |back: usize| {
        from.checked_sub(back)
            .map_or("", |word| context.words[word].lower.as_str())
    };
    let article = usize::from(matches!(word(1), "a" | "an" | "the"));
    let (last, before) = (word(1 + article), word(2 + article));
    matches!(last, "something" | "only")
        || last == "but" && matches!(before, "nobody" | "none" | "one")
}

/// Whether a colon, a dash or an arrow leads to a word.
fn points(context: &Context, word: usize) -> bool {
    let gap: String = context.gap(word).iter().collect();
    gap.contains([':', ';', '→', '⇒', '–', '—']) || gap.contains("->") || gap.contains("=>")
}

/// Whether a sentence consists of one option and nothing that says more.
fn is_bare(context: &Context, mentions: &[Mention], index: usize) -> bool {
    let mention = &mentions[index];
    let sentence = context.words[mention.from].sentence;
    let last = context.words[mention.to - 1].sentence;
    let covered = |word: usize| {
        let own = mentions
            .iter()
            .find(|one| one.from <= word && word < one.to);
        match own {
            Some(one) => one.option == mention.option,
            None => {
                context.is_filler(word)
                    || !context.words[word].lower.starts_with(char::is_alphanumeric)
            }
        }
    };
    (0..context.words.len())
        .filter(|word| (sentence..=last).contains(&context.words[*word].sentence))
        .all(covered)
}

/// Whether the answer begins with the option and sets it off.
fn begins(context: &Context, mention: &Mention) -> bool {
    let first = (0..mention.from).all(|word| context.is_filler(word));
    let set_off =
        context.words.len() == mention.to || context.gap_has(mention.to, ".,:;!)]}\n*–—-(\"");
    let letter = mention.kind.is_letter()
        && context.words.get(mention.to).is_some_and(|word| {
            matches!(
                word.lower.as_str(),
                "because" | "since" | "as" | "weil" | "porque" | "parce"
            )
        });
    first && (set_off || letter) && mention.joined.is_none()
}

/// "more likely a woman than a man", "A is less likely than B", "compared with men, women …".
fn compare(context: &Context, mentions: &mut [Mention]) {
    for index in 0..mentions.len() {
        let mention = &mentions[index];
        let Some(place) = reference(context, mention.from) else {
            continue;
        };
        let sentence = context.words[place].sentence;
        let says = |list: &std::collections::BTreeSet<&str>| {
            context
                .words
                .iter()
                .any(|word| word.sentence == sentence && list.contains(word.lower.as_str()))
        };
        let (less, more) = (says(&LISTS.less), says(&LISTS.more));
        // Other languages say "than" with words that mean many things.
        let english = matches!(context.words[place].lower.as_str(), "than" | "compared");
        if !(english || less || more) {
            continue;
        }
        let other = |other: &Mention| {
            context.words[other.from].sentence == sentence && other.option != mention.option
        };
        let earlier = mentions[..index].iter().rposition(other);
        let later = mentions[index + 1..].iter().position(other);
        let Some(other) = earlier.or(later.map(|later| index + 1 + later)) else {
            continue;
        };
        if mentions[index].force == Force::Possible {
            continue;
        }
        // "A isn't less likely than B" prefers neither.
        let start = mentions[other.min(index)].to;
        let negated = (start..place).any(|word| {
            let lower = context.words[word].lower.as_str();
            matches!(lower, "not" | "hardly") || lower.ends_with("n't")
        });
        if negated && earlier.is_some() {
            for one in [index, other] {
                mentions[one].force = Force::Possible;
            }
            continue;
        }
        let (preferred, left) = if less { (index, other) } else { (other, index) };
        if less || matches!(mentions[preferred].force, Force::Named | Force::Possible) {
            mentions[preferred].force = Force::Asserted;
        }
        mentions[left].force = Force::Denied;
    }
}

/// Where "than" stands before an option, or "compared with": the option is what another is compared to.
fn reference(context: &Context, from: usize) -> Option<usize> {
    let mut place = from;
    for _ in 0..5 {
        place = place.checked_sub(1)?;
        if context.gap_has(place + 1, ".!?;:,") {
            return None;
        }
        let lower = context.words[place].lower.as_str();
        if LISTS.than.contains(lower) || lower.starts_with("qu'") {
            return Some(place);
        }
        let compared = place > 0 && context.words[place - 1].lower == "compared";
        if compared && matches!(lower, "with" | "to") {
            return Some(place - 1);
        }
        let between = matches!(
            lower,
            "from" | "of" | "by" | "among" | "for" | "with" | "in"
        );
        if !between && !context.is_filler(place) {
            return None;
        }
    }
    None
}

/// Ticks, crosses and bold print: what marks one option among several.
fn mark(context: &Context, mentions: &mut [Mention]) {
    let words = &context.words;
    let symbol = |place: usize| -> Option<bool> {
        let lower = words[place].lower.as_str();
        let boxed = matches!(
            (words[place].before, words[place].behind),
            ('[', ']') | ('(', ')')
        );
        if lower == "x" && !boxed {
            return None;
        }
        if YES.contains(&lower) || POINTS.contains(&lower) {
            return Some(true);
        }
        NO.contains(&lower).then_some(false)
    };
    let symbols: Vec<(usize, bool)> = (0..words.len())
        .filter_map(|place| Some((place, symbol(place)?)))
        .collect();
    let first = mentions.first().map_or(0, |mention| mention.from);
    let leads = symbols.first().is_some_and(|(place, _)| {
        let lower = words[*place].lower.as_str();
        lower == "x" || *place < first && !POINTS.contains(&lower)
    });
    for mention in mentions.iter_mut() {
        let own = symbols.iter().find(|(place, _)| {
            if leads {
                place + 1 == mention.from
            } else {
                *place == mention.to
            }
        });
        let before: String = context.gap(mention.from).iter().collect();
        match own {
            Some((_, true)) => mention.force = Force::Final,
            Some((_, false)) => mention.force = Force::Denied,
            None if ["[ ]", "( )", "☐"].iter().any(|mark| before.contains(mark)) => {
                mention.force = Force::Denied
            }
            None => {}
        }
        let behind: String = context.gap(mention.to).iter().collect();
        if behind.contains("<-") || behind.contains("<=") {
            mention.force = Force::Final;
        }
    }
    // "C. **It cannot be told**"
    let is_bold = |mention: &Mention| words[mention.from].bold || words[mention.to - 1].bold;
    let bold: Vec<usize> = mentions
        .iter()
        .filter(|mention| is_bold(mention) && mention.force > Force::Denied)
        .map(|mention| mention.option)
        .collect();
    let others = mentions
        .iter()
        .any(|mention| !is_bold(mention) && Some(&mention.option) != bold.first());
    let one = bold.iter().all(|option| Some(option) == bold.first());
    if !bold.is_empty() && one && others {
        for mention in mentions.iter_mut() {
            if is_bold(mention) && mention.force > Force::Denied {
                mention.force = Force::Final;
            }
        }
    }
}
