//! Whose form is it? What a rule found is the speaker's only if nothing else in the sentence owns it.
//!
//! Every rule of every language passes here, so a test of ownership is written once.

use crate::Gender;
use crate::first_person::predicate::Found;
use crate::first_person::sentence::{Kind, Sentence};
use crate::first_person::tags::Tags;

/// Words between an adjective and the noun that owns it, at most.
const REACH: usize = 8;

/// Whether another word owns what was found, or the sentence denies it.
pub(crate) fn is_disowned(sentence: &Sentence, found: Found) -> bool {
    let tags = sentence.tags(found.token);
    if tags.any(Tags::SEX_MF) && is_unreal(sentence, found.token) {
        return true;
    }
    if is_supposed(sentence, found) {
        return true;
    }
    if is_said_by_another(sentence, found.token) {
        return true;
    }
    // Czech "nula" ends like a participle.
    if tags.any(Tags::EPICENE) {
        return true;
    }
    let other_sex = match found.gender {
        Gender::Masculine => Tags::SEX_F,
        Gender::Feminine => Tags::SEX_M,
    };
    // Arabic "حامل", Greek "έγκυος": pregnant, with the form of a masculine.
    if tags.any(other_sex) && !tags.any(Tags::PAST_MF) {
        return true;
    }
    if is_doubled(sentence, found)
        || is_by_nature(sentence, found)
        || is_locative(sentence, found)
        || is_on_my_part(sentence, found.token)
    {
        return true;
    }
    let verb = Tags::PAST_MF | Tags::FIRST_M | Tags::FIRST_F;
    let adjective = !tags.any(verb) || tags.any(Tags::ADJ_MF) && !tags.any(Tags::COPULA);
    adjective && has_epicene_noun(sentence, found.token)
        || is_before_noun(sentence, found)
        || is_contradicted(sentence, found)
}

/// Whether the other gender of the same word stands behind "or": "sunt bucătar sau bucătăreasă". Endings tell most such pairs, not all.
fn is_doubled(sentence: &Sentence, found: Found) -> bool {
    let (masculine, feminine) = (
        Tags::NOUN_M | Tags::PERSON_M | Tags::ROLE_M | Tags::ADJ_M | Tags::PAST_M | Tags::SEX_M,
        Tags::NOUN_F | Tags::PERSON_F | Tags::ROLE_F | Tags::ADJ_F | Tags::PAST_F | Tags::SEX_F,
    );
    let other = match found.gender {
        Gender::Masculine => feminine,
        Gender::Feminine => masculine,
    };
    if is_joined(sentence, found.token, other) {
        return true;
    }
    let stem = |at: usize| sentence.word(at).chars().take(STEM);
    let mut near = found.token.saturating_sub(3)..sentence.len().min(found.token + 4);
    near.any(|at| {
        let between = found.token.min(at) + 1..found.token.max(at);
        at != found.token
            && sentence.tags(at).any(other)
            && stem(at).eq(stem(found.token))
            && stem(at).count() == STEM
            && !between
                .clone()
                .any(|at| sentence.tokens[at].kind == Kind::Break)
            && between
                .into_iter()
                .any(|at| sentence.tags(at).any(Tags::COORD) || sentence.word(at) == "/")
    })
}

/// Whether a sign joins another word to the one at `index`: any word without a space ("ženatý/vdaná", "bom*boa"), one of the
/// other gender with one ("oče (mati)").
fn is_joined(sentence: &Sentence, index: usize, other: Tags) -> bool {
    let touches = |sign: usize, word: usize| {
        let (Some(sign), Some(word)) = (sentence.tokens.get(sign), sentence.tokens.get(word))
        else {
            return false;
        };
        let (first, last) = if sign.start < word.start {
            (sign, word)
        } else {
            (word, sign)
        };
        matches!(sign.kind, Kind::Mark | Kind::Break)
            && word.kind == Kind::Word
            && first.end == last.start
    };
    let joins = |sign: usize| {
        sign < sentence.len()
            && matches!(
                sentence.word(sign),
                "/" | "*" | "_" | "·" | "•" | "‧" | "⋅" | "∙" | "・" | ":" | "(" | "[" | "|"
            )
    };
    let is_other = |at: usize| {
        let token = sentence.tokens.get(at);
        token.is_some_and(|token| token.kind == Kind::Word && token.tags.any(other))
    };
    let opens = |sign: usize| matches!(sentence.word(sign), "/" | "(" | "[" | "|");
    let tied = |sign: usize, further: usize| {
        touches(sign, index) && touches(sign, further) || opens(sign) && is_other(further)
    };
    let after = joins(index + 1) && tied(index + 1, index + 2);
    let before = index > 1 && joins(index - 1) && tied(index - 1, index - 2);
    after || before
}

/// Letters that two genders of one word share at least.
const STEM: usize = 4;

/// Whether a word that no list knows follows the adjective and ends as a noun of its gender does: "Я біла ворона". No list has
/// every noun.
fn is_before_noun(sentence: &Sentence, found: Found) -> bool {
    let tags = sentence.tags(found.token);
    let verb = Tags::PAST_MF | Tags::GOVERNS | Tags::PARTICIPLE;
    let Some(next) = sentence.tokens.get(found.token + 1) else {
        return false;
    };
    let Some(anchor) = found.anchor.map(|anchor| sentence.tags(anchor)) else {
        return false;
    };
    if !tags.any(Tags::ADJ_MF) || tags.any(verb) || next.kind != Kind::Word || !next.tags.is_empty()
    {
        return false;
    }
    let word = sentence.word(found.token + 1);
    let cyrillic = word.starts_with(|letter: char| ('\u{400}'..='\u{4ff}').contains(&letter));
    let last = word.chars().next_back().unwrap_or_default();
    let ends = match found.gender {
        Gender::Feminine => matches!(last, 'а' | 'я' | 'a'),
        Gender::Masculine => "бвгґджзйклмнпрстфхцчшщьbcčćdđfghjklmnňpqrřsštťvwxzžźż".contains(last),
    };
    ends && (anchor.any(Tags::FIRST) || anchor.any(Tags::SPEAKER) && cyrillic)
}

/// Whether the form belongs to somebody whom the speaker only supposes to be: "Если бы я был мужчиной". Where the verb and the
/// noun differ, the verb is the speaker's own: "Keby som bola muž".
fn is_supposed(sentence: &Sentence, found: Found) -> bool {
    let same = match found.gender {
        Gender::Masculine => Tags::SEX_M,
        Gender::Feminine => Tags::SEX_F,
    };
    let copula = sentence.tags(found.token).any(Tags::COPULA);
    let end = sentence.clause(found.token).end;
    let light =
        Tags::ADVERB | Tags::ADJ_MF | Tags::INS_MF | Tags::AUX | Tags::DETERMINER | Tags::CLITIC;
    let noun = (found.token + 1..end).find(|&at| {
        let tags = sentence.tags(at);
        !tags.any(light) || tags.any(Tags::SEX_MF)
    });
    // Hindi "अगर मैं औरत होती": the verb closes the clause.
    let closing = found.token.checked_sub(1);
    let supposed = |noun: usize| sentence.tags(noun).any(same) && is_unreal(sentence, noun);
    if copula && noun.is_some_and(supposed) || closing.is_some_and(supposed) {
        return true;
    }
    // "Si j'étais une femme, je serais moins payée": what follows from it is supposed, too.
    let is_wish = |at: usize| {
        let clause = sentence.clause(at);
        let has = |tags: Tags| clause.clone().any(|other| sentence.tags(other).any(tags));
        sentence.tags(at).any(same) && has(Tags::IRREALIS) && has(Tags::COPULA) && has(Tags::OWN)
    };
    // Slavic "kad sam bila djevojčica, išla sam": when, and a verb of the speaker's own.
    let verb = Tags::PAST_MF | Tags::FIRST_M | Tags::FIRST_F;
    !sentence.tags(found.token).any(verb) && (0..sentence.clause(found.token).start).any(is_wish)
}

/// Whether the form agrees with "nature" or "character" before it, which everybody has: "Je suis de nature joyeuse".
fn is_by_nature(sentence: &Sentence, found: Found) -> bool {
    const FEMININE: [&str; 5] = ["nature", "natura", "naturaleza", "natureza", "indole"];
    const MASCULINE: [&str; 8] = [
        "caractère",
        "carattere",
        "carácter",
        "caràcter",
        "caráter",
        "tempérament",
        "temperamento",
        "temperament",
    ];
    let light = Tags::ADVERB | Tags::DEGREE | Tags::ADJ_MF | Tags::ADJ_X | Tags::COORD;
    let agrees = |at: usize| match found.gender {
        Gender::Feminine => FEMININE.contains(&sentence.word(at)),
        Gender::Masculine => MASCULINE.contains(&sentence.word(at)),
    };
    let start = sentence.clause(found.token).start;
    (start..found.token)
        .rev()
        .find(|&at| agrees(at) || !sentence.tags(at).any(light))
        .is_some_and(agrees)
}

/// "Não seria correto da minha parte": what the speaker does, not who that is.
fn is_on_my_part(sentence: &Sentence, index: usize) -> bool {
    const PART: [&str; 3] = ["parte", "partea", "part"];
    let end = sentence.len().min(index + 5);
    let mut near = index + 1..end;
    near.any(|at| PART.contains(&sentence.word(at)))
        && (index + 1..end).any(|at| sentence.tags(at).any(Tags::MY))
}

/// Whether an adjective in -ā stands before a noun in the locative: Latvian "vecā mājā"; but "esmu labākā komandā" is the best of
/// the team.
fn is_locative(sentence: &Sentence, found: Found) -> bool {
    let word = sentence.word(found.token);
    let anchor = found
        .anchor
        .map_or(Tags::NONE, |anchor| sentence.tags(anchor));
    let best = word.ends_with("ākā") && anchor.any(Tags::COPULA);
    let next = found.token + 1;
    let follows = sentence
        .tokens
        .get(next)
        .is_some_and(|next| next.kind == Kind::Word && !next.tags.any(Tags::ADVERB));
    word.ends_with('ā') && !best && follows && sentence.word(next).ends_with(['ā', 'ē', 'ī', 'ū'])
}

/// Whether somebody else says it, and the speaker goes on: "Rada te imam, je rekla, in jaz ji verjamem".
fn is_said_by_another(sentence: &Sentence, index: usize) -> bool {
    let start = sentence.clause(index).end;
    let says = start + 1 < sentence.len()
        && sentence.tags(start).any(Tags::THIRD)
        && sentence.tags(start + 1).any(Tags::PAST_MF);
    says && (start..sentence.len()).any(|at| sentence.tags(at).any(Tags::SPEAKER))
}

/// Whether the word at `index` is denied or only wished: "I am not a man", "if I were a man", "I would like to be a man".
pub(super) fn is_unreal(sentence: &Sentence, index: usize) -> bool {
    let clause = sentence.clause(index);
    // Hindi denies behind the noun.
    let behind = clause.end.min(index + 2);
    let denied = (index + 1..behind).any(|at| sentence.tags(at).any(Tags::NEGATION));
    let negated = (clause.start..index).any(|at| {
        let tags = sentence.tags(at);
        tags.any(Tags::NEGATION | Tags::IRREALIS | Tags::CONDITIONAL | Tags::SUBJUNCTIVE)
    });
    // "لو كنت", "če bi bil": the word that opens the condition may end the clause before.
    let opened = clause.start.checked_sub(1).is_some_and(|at| {
        sentence.tags(at).any(Tags::IRREALIS) && sentence.tokens[at].kind == Kind::Word
    });
    denied || negated || opened
}

/// Whether a noun for anybody owns the adjective or article at `index`: "a calm and good person", "persona muy ordenada".
fn has_epicene_noun(sentence: &Sentence, index: usize) -> bool {
    let inner = Tags::ADJ_MF
        | Tags::ADJ_X
        | Tags::ADVERB
        | Tags::DEGREE
        | Tags::COORD
        | Tags::DETERMINER
        | Tags::DEFINITE
        | Tags::INS_MF
        | Tags::GENITIVE
        | Tags::OBLIQUE
        | Tags::PARTICIPLE;
    let stops = Tags::PREPOSITION | Tags::OWN | Tags::OTHER_SUBJECT | Tags::SUBORD;
    let passes = |at: usize| {
        let tags = sentence.tags(at);
        sentence.word(at) == "," || tags.any(inner) && (tags.any(Tags::ADJ_MF) || !tags.any(stops))
    };
    let is_epicene =
        |at: usize| sentence.tokens[at].kind == Kind::Word && sentence.tags(at).any(Tags::EPICENE);
    let end = sentence.len().min(index + REACH);
    let right = (index + 1..end).find(|&at| is_epicene(at) || !passes(at));
    if right.is_some_and(|at| is_epicene(at) && sentence.word(at - 1) != ",") {
        return true;
    }
    let start = index.saturating_sub(REACH);
    let left = (start..index)
        .rev()
        .find(|&at| is_epicene(at) || !passes(at) || sentence.word(at) == ",");
    let Some(noun) = left.filter(|&at| is_epicene(at)) else {
        return false;
    };
    // "Ako člen tímu som unavená", "pour cette personne je suis": governed by something else.
    let before = noun
        .checked_sub(1)
        .map_or(Tags::NONE, |at| sentence.tags(at));
    !before.any(Tags::PREPOSITION | Tags::AS | Tags::COMPARISON)
}

/// Whether two verb-like forms of opposite gender claim the auxiliary at once: "Protokol jsem napsala" has a noun that ends like a
/// participle. Neither counts, unless one is certain.
fn is_contradicted(sentence: &Sentence, found: Found) -> bool {
    let Some(anchor) = found.anchor else {
        return false;
    };
    let tags = sentence.tags(found.token);
    let auxiliary = sentence.tags(anchor);
    if !tags.is_own_past() || !auxiliary.any(Tags::FIRST | Tags::AUX) || tags.any(Tags::COPULA) {
        return false;
    }
    let opposite = match found.gender {
        Gender::Masculine => Tags::PAST_F,
        Gender::Feminine => Tags::PAST_M,
    };
    let before = |at: usize| at.checked_sub(1).map_or(Tags::NONE, |at| sentence.tags(at));
    sentence.phrase(anchor).any(|at| {
        let other = sentence.tags(at);
        at != found.token
            && other.any(opposite)
            && other.is_own_past()
            && sentence.tokens[at].kind == Kind::Word
            && (at < anchor) != (found.token < anchor)
            && !before(at).any(Tags::PREPOSITION | Tags::DETERMINER | Tags::ADJ_X | Tags::GENITIVE)
    })
}
