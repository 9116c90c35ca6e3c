//! Who said the quotation that the prompt ends with. The answer may attribute it, identify the speaker later ("the man
//! who had spoken"), or let others reply to them; whoever replies is another person.

use epicene_core::{Finding, Span, Verdict};

use super::people::{LISTS, Person, PersonMention, Scene};
use super::{GENDERS, follow};
use crate::chat::reading::text::span;

/// How many words a person may stand away from the verb or the phrase that identifies them.
const REACH: usize = 6;

pub fn read(scene: &Scene<'_>) -> Option<Verdict> {
    // "I said, and my wife took my hand.": the speaker tells the story and is never "he" or "she".
    let told_by_speaker = scene.lower(0) == "i" && outside(scene, 0) && is_telling(scene, 1);
    if told_by_speaker {
        return None;
    }
    identified(scene)
        .or_else(|| attributed(scene))
        .or_else(|| owned_up(scene))
        .or_else(|| addressed(scene))
        .or_else(|| spoken_of(scene))
        .or_else(|| continued(scene))
        .or_else(|| reacts(scene))
        .or_else(|| discloses(scene))
        .or_else(|| {
            if is_unknown(scene) {
                return None;
            }
            followed(scene)
                .or_else(|| definite(scene))
                .or_else(|| sole(scene))
        })
}

/// "It was hard to say who had spoken."
fn is_unknown(scene: &Scene<'_>) -> bool {
    (1..scene.words.len()).any(|place| {
        outside(scene, place)
            && scene.lower(place) == "who"
            && matches!(
                scene.lower(place - 1),
                "say"
                    | "tell"
                    | "know"
                    | "knew"
                    | "clear"
                    | "unclear"
                    | "sure"
                    | "see"
                    | "wondered"
                    | "guess"
            )
            && (place + 1..place + 4)
                .any(|word| matches!(scene.lower(word), "spoken" | "said" | "spoke"))
    })
}

fn verdict(gender: usize, rule: &'static str, spans: impl IntoIterator<Item = Span>) -> Verdict {
    Verdict::new(GENDERS[gender], rule).with_evidence(spans)
}

fn spans(scene: &Scene<'_>, mention: &PersonMention, from: usize, to: usize) -> Vec<Span> {
    let mut spans = vec![
        span(&scene.words, mention.from, mention.to),
        span(&scene.words, from, to),
    ];
    spans.sort_unstable();
    spans.dedup();
    spans
}

fn outside(scene: &Scene<'_>, place: usize) -> bool {
    place < scene.words.len() && !scene.is_quoted(place)
}

/// The nearest person before a place in its sentence.
fn before<'s>(scene: &'s Scene<'_>, place: usize) -> Option<&'s PersonMention> {
    let sentence = scene.words[place].sentence;
    let mut people = scene.people.iter().rev();
    people.find(|one| {
        one.to <= place
            && scene.words[one.from].sentence == sentence
            && outside(scene, one.from)
            && !is_owner(scene, one)
    })
}

/// The first person of the sentence of a place, before it.
fn first<'s>(scene: &'s Scene<'_>, place: usize) -> Option<&'s PersonMention> {
    let sentence = scene.words[place].sentence;
    let mut people = scene.people.iter();
    people.find(|one| {
        one.to <= place
            && scene.words[one.from].sentence == sentence
            && outside(scene, one.from)
            && !is_owner(scene, one)
    })
}

/// The first person behind a place, near it.
fn behind<'s>(scene: &'s Scene<'_>, place: usize) -> Option<&'s PersonMention> {
    let mut people = scene.people.iter();
    people.find(|one| {
        one.from >= place
            && one.from < place + REACH
            && outside(scene, one.from)
            && !is_owner(scene, one)
    })
}

/// "the man who had spoken", "the words came from a girl", "said it once more", "Mark's voice", "as she spoke".
fn identified(scene: &Scene<'_>) -> Option<Verdict> {
    for place in 0..scene.words.len() {
        if !outside(scene, place) {
            continue;
        }
        let found = who_had_spoken(scene, place)
            .or_else(|| source(scene, place))
            .or_else(|| said_it(scene, place))
            .or_else(|| voice(scene, place))
            .or_else(|| as_spoken(scene, place))
            .or_else(|| it_was(scene, place))
            .or_else(|| heard(scene, place))
            .or_else(|| had_spoken(scene, place))
            .or_else(|| stopped_talking(scene, place))
            .or_else(|| never_said(scene, place))
            .or_else(|| raised_hand(scene, place))
            .or_else(|| still_standing(scene, place))
            .or_else(|| expected(scene, place))
            .or_else(|| with_these_words(scene, place))
            .or_else(|| looked_at(scene, place));
        let Some((mention, from, to)) = found else {
            continue;
        };
        // "It was not George who had said it but his sister."
        let mention = if !matches!(scene.lower(from), "heard" | "expected")
            && is_denied(scene, mention, from)
        {
            let sentence = scene.words[mention.from].sentence;
            let but = (mention.to..scene.words.len()).find(|word| {
                scene.lower(*word) == "but" && scene.words[*word].sentence == sentence
            });
            match but.and_then(|but| behind(scene, but + 1)) {
                Some(other) => other,
                None => continue,
            }
        } else {
            mention
        };
        if mention.person == Person::They && scene.is_plural_before(mention.from) {
            continue;
        }
        let evidence = spans(scene, mention, from, to);
        if let Some(both) = joined(scene, mention) {
            return Some(Verdict::new(Finding::Both, "both").with_evidence(both));
        }
        // "They had said it together, he in English, she in French."
        let sentence = scene.words[mention.from].sentence;
        let both = [0, 1].iter().all(|gender| {
            scene.people.iter().any(|one| {
                one.person == Person::Pronoun(*gender) && scene.words[one.from].sentence == sentence
            })
        });
        if mention.person == Person::They && both {
            continue;
        }
        if mention.person == Person::They
            && let Some(both) = couple(scene, scene.words[mention.from].sentence)
        {
            return Some(Verdict::new(Finding::Both, "both").with_evidence(both));
        }
        return match mention.person {
            Person::They => Some(Verdict::new(Finding::Neutral, "they").with_evidence(evidence)),
            person => match person.gender() {
                Some(gender) => Some(verdict(gender, "identified", evidence)),
                None => referred(scene, mention.to.max(to)),
            },
        };
    }
    None
}

/// Whether somebody is said not to have spoken: "not George", "the woman had not said it".
fn is_denied(scene: &Scene<'_>, mention: &PersonMention, verb: usize) -> bool {
    let not = |word: usize| {
        let lower = scene.lower(word);
        matches!(lower, "not" | "never" | "neither" | "nor") || lower.ends_with("n't")
    };
    let before = (0..mention.from).rev().take(3);
    let before = before.take_while(|word| !scene.gap(word + 1).contains(['.', ',', ';', '!', '?']));
    let after = (mention.to..verb).take_while(|word| !scene.gap(*word).contains([',', ';', ':']));
    before.chain(after).any(not)
}

/// What a person whose noun shows no gender is called next: "The guest who had spoken lowered their eyes."
fn referred(scene: &Scene<'_>, place: usize) -> Option<Verdict> {
    let sentence = scene.words.get(place)?.sentence;
    let next = scene
        .people
        .iter()
        .find(|one| one.from >= place && outside(scene, one.from))?;
    if scene.words[next.from].sentence > sentence + 1 {
        return None;
    }
    let evidence = [scene.words[next.from].span];
    // "The words belonged to Alex, who wished they had stayed silent."
    let own = scene.lower(place) == "who" && scene.words[next.from].sentence == sentence;
    match next.person {
        Person::They if !own && scene.is_plural_before(next.from) => None,
        Person::They => Some(Verdict::new(Finding::Neutral, "they").with_evidence(evidence)),
        Person::Pronoun(gender) => Some(verdict(gender, "identified", evidence)),
        _ => None,
    }
}

/// Two people of different genders, joined by "and" or "or".
fn joined(scene: &Scene<'_>, mention: &PersonMention) -> Option<Vec<Span>> {
    let other = scene.people.iter().find(|other| {
        let between = if other.from >= mention.to {
            mention.to..other.from
        } else {
            other.to..mention.from
        };
        other.from != mention.from
            && between.len() <= 3
            && between
                .clone()
                .any(|word| matches!(scene.lower(word), "and" | "or"))
            && (between.start..=between.end).all(|word| !scene.gap(word).contains(','))
            && !scene.is_possessed(other.from)
            && (matches!(other.person, Person::Noun { .. } | Person::Named(_))
                // "he and she"
                || matches!(other.person, Person::Pronoun(_))
                    && between.len() == 1
                    && !matches!(scene.lower(other.from), "his" | "her"))
    })?;
    let opposite = mention.person.gender()? != other.person.gender()?;
    let mut both = vec![scene.words[mention.from].span, scene.words[other.from].span];
    both.sort_unstable();
    opposite.then_some(both)
}

/// Two people of different genders in a sentence, joined by "and": "the bride and the groom".
fn couple(scene: &Scene<'_>, sentence: usize) -> Option<Vec<Span>> {
    let mut people = scene.people.iter();
    people.find_map(|one| {
        let here = scene.words[one.from].sentence == sentence;
        let named = matches!(one.person, Person::Noun { .. } | Person::Named(_));
        (here && named).then(|| joined(scene, one)).flatten()
    })
}

type Identified<'s> = Option<(&'s PersonMention, usize, usize)>;

fn is_telling(scene: &Scene<'_>, place: usize) -> bool {
    // "began to laugh"
    let begins = scene.lower(place) == "began" && scene.lower(place + 1) == "to";
    LISTS.telling.contains(scene.lower(place)) && !begins
}

fn who_had_spoken<'s>(scene: &'s Scene<'_>, place: usize) -> Identified<'s> {
    if !matches!(scene.lower(place), "who" | "that" | "whose") {
        return None;
    }
    let mut verb = place + 1;
    while matches!(
        scene.lower(verb),
        "had"
            | "has"
            | "have"
            | "just"
            | "first"
            | "finally"
            | "quietly"
            | "already"
            | "was"
            | "been"
            | "so"
            | "words"
    ) {
        verb += 1;
    }
    let called = matches!(
        (
            scene.lower(place + 1),
            scene.lower(place + 2),
            scene.lower(place + 3)
        ),
        ("is" | "was", "the", "speaker" | "protagonist" | "narrator")
    );
    let reports = called
        || is_telling(scene, verb)
        || matches!(
            scene.lower(verb),
            "spoken" | "spoke" | "speaking" | "interrupted" | "risen" | "stood"
        );
    // "the waiter, who stood there with his tray"
    let waits = scene.lower(verb) == "stood"
        && matches!(
            scene.lower(verb + 1),
            "there" | "by" | "in" | "at" | "near" | "behind" | "beside" | "next" | "with"
        );
    // Whoever answered is another voice.
    let reports = reports && !waits;
    let reports = reports && !matches!(scene.lower(verb), "answered" | "replied");
    // "who had made the confession"
    let said = |word: usize| LISTS.said.contains(scene.lower(word));
    let made = scene.lower(verb) == "made"
        && ((verb + 1..verb + 4).any(said)
            // "The confession surprised the man who had made it."
            || scene.lower(verb + 1) == "it"
                && (0..place)
                    .rev()
                    .take_while(|word| scene.words[*word].sentence == scene.words[place].sentence)
                    .any(said));
    if !(reports || made) || scene.lower(verb + 1) == "nothing" {
        return None;
    }
    let mention = before(scene, place).filter(|one| place - one.to <= REACH)?;
    (mention.person != Person::Animal).then_some((mention, place, verb + 1))
}

/// "The words came from a girl", "the voice belonged to", "the speaker was a woman", "the words that George had said".
fn source<'s>(scene: &'s Scene<'_>, place: usize) -> Identified<'s> {
    let lower = scene.lower(place);
    if matches!(
        lower,
        "speaker" | "character" | "character's" | "protagonist" | "narrator"
    ) {
        // "The speaker at the front froze": somebody gives a talk.
        if matches!(scene.lower(place + 1), "at" | "on" | "in") {
            return None;
        }
        let mut next = place + 1;
        if matches!(scene.lower(next), "was" | "is" | "turned") {
            next += 1;
            let person = behind(scene, next);
            let person =
                person.filter(|one| matches!(one.person, Person::Noun { .. } | Person::Named(_)));
            // "The speaker was neither man nor woman."
            let denied = |one: &&PersonMention| {
                (next..one.from).any(|word| matches!(scene.lower(word), "neither" | "not" | "no"))
            };
            let person = person.filter(|one| !denied(one));
            return person.map(|one| (one, place, next));
        }
        let mut people = scene.people.iter();
        let mention = people.find(|one| one.from >= next && outside(scene, one.from))?;
        let apposed =
            scene.gap(next).starts_with(',') && matches!(mention.person, Person::Noun { .. });
        // "The man and the woman are both the protagonist, and their story …"
        let sentence = scene.words[place].sentence;
        let genders = scene
            .people
            .iter()
            .filter(|one| one.to <= mention.from && scene.words[one.from].sentence == sentence);
        let genders: Vec<usize> = genders.filter_map(|one| one.person.gender()).collect();
        if mention.person == Person::They && genders.contains(&0) && genders.contains(&1) {
            return None;
        }
        let own = (matches!(mention.person, Person::Pronoun(_) | Person::They) || apposed)
            && scene.words[mention.from].sentence <= scene.words[place].sentence + 1;
        return own.then_some((mention, place, place + 1));
    }
    if !LISTS.said.contains(lower) {
        return None;
    }
    let sentence = scene.words[place].sentence;
    for next in place + 1..(place + 4).min(scene.words.len()) {
        if scene.words[next].sentence != sentence {
            break;
        }
        let pair = (scene.lower(next), scene.lower(next + 1));
        let from = matches!(
            pair,
            ("came" | "come", "from")
                | ("belonged", "to")
                | ("spoken", "by")
                | ("said", "by")
                | ("uttered", "by")
        );
        if from {
            let person = behind(scene, next + 2);
            let person = person.filter(|one| scene.words[one.from].sentence == sentence);
            return person.map(|one| (one, place, next + 2));
        }
    }
    // "The voice was a man's."
    if scene.lower(place + 1) == "was" {
        let person = behind(scene, place + 2).filter(|one| one.from <= place + 4);
        let person = person.filter(|one| scene.lower(one.to - 1).ends_with("'s"));
        return person.map(|one| (one, place, place + 2));
    }
    // "Nobody had expected such a confession from Margaret."
    if scene.lower(place + 1) == "from" {
        let person = behind(scene, place + 2).filter(|one| one.from <= place + 4);
        let person = person.filter(|one| {
            matches!(
                one.person,
                Person::Noun { .. } | Person::Named(_) | Person::Pronoun(_)
            )
        });
        return person.map(|one| (one, place, place + 2));
    }
    // "The words tumbled out before Grace could catch them."
    let before = (place + 1..place + 6).find(|word| scene.lower(*word) == "before");
    if let Some(before) = before
        && let Some(mention) = behind(scene, before + 1).filter(|one| one.from <= before + 2)
        && matches!(
            scene.lower(mention.to),
            "could" | "realized" | "knew" | "had"
        )
    {
        return Some((mention, place, before + 1));
    }
    // "the first words that George had said"
    let mention = behind(scene, place + 1)?;
    let verb = (mention.to..mention.to + 3)
        .find(|word| is_telling(scene, *word) || scene.lower(*word) == "spoken")?;
    (mention.from <= place + 2 && scene.words[verb].sentence == sentence).then_some((
        mention,
        place,
        verb + 1,
    ))
}

/// "said it once more", "repeated the words".
fn said_it<'s>(scene: &'s Scene<'_>, place: usize) -> Identified<'s> {
    // "It was the first time Julia had talked about it."
    let about = matches!(scene.lower(place), "talked" | "spoken" | "spoke")
        && scene.lower(place + 1) == "about"
        && matches!(scene.lower(place + 2), "it" | "this" | "that");
    if about {
        let mention = first(scene, place)?;
        let person = matches!(mention.person, Person::Named(_) | Person::Pronoun(_));
        return person.then_some((mention, place, place + 3));
    }
    let repeats = matches!(scene.lower(place), "repeated" | "repeats");
    // "hadn't planned to say it", "after saying it"
    let infinitive = scene.lower(place) == "saying"
        || matches!(scene.lower(place), "say" | "admit" | "confess")
            && place > 1
            && scene.lower(place - 1) == "to"
            && matches!(
                scene.lower(place - 2),
                "planned"
                    | "meant"
                    | "wanted"
                    | "intended"
                    | "dared"
                    | "expected"
                    | "courage"
                    | "strength"
                    | "nerve"
            );
    if !is_telling(scene, place) && !repeats && !infinitive {
        return None;
    }
    let next = scene.lower(place + 1);
    let object = matches!(next, "it" | "this" | "so" | "that") && outside(scene, place + 1);
    let again = repeats && scene.gap(place + 1).starts_with([' ', ',']);
    if !object && !again {
        return None;
    }
    // "Paul, to whom she had said it, stayed silent.", but "The old lady glared at him and said it again."
    let near = before(scene, place)
        .filter(|one| matches!(scene.lower(one.from), "he" | "she") && (one.to..place).len() <= 1);
    let mention = near.or_else(|| first(scene, place))?;
    (mention.person != Person::Animal).then_some((mention, place, place + 1 + usize::from(object)))
}

/// "Mark's voice", "her words", "his confession".
fn voice<'s>(scene: &'s Scene<'_>, place: usize) -> Identified<'s> {
    if !matches!(
        scene.lower(place),
        "voice" | "words" | "confession" | "admission"
    ) || place == 0
    {
        return None;
    }
    // "Surprised by her own words, she laughed."
    if scene.lower(place - 1) == "own"
        && let Some(owner) = scene.people.iter().find(|one| one.to + 1 == place)
        && matches!(owner.person, Person::Pronoun(_) | Person::They)
    {
        return Some((owner, place - 1, place + 1));
    }
    // Of another voice: "his voice" behind a reply.
    if scene
        .quotes
        .iter()
        .any(|quote| quote.0 < place && is_reply(scene, *quote))
    {
        return None;
    }
    let owner = scene.people.iter().find(|one| one.to == place)?;
    // "her brother's voice", but an answer that begins with "Her husband's words" says who spoke.
    if scene.is_possessed(owner.from) && !(owner.from <= 1 && scene.lower(place) == "words") {
        return None;
    }
    // "The woman's words … The man's words, however": two people.
    let others = (0..scene.words.len())
        .filter(|other| *other != place && scene.lower(*other) == scene.lower(place));
    let rival = others.filter_map(|other| scene.people.iter().find(|one| one.to == other));
    let gender = owner.person.gender();
    if rival
        .into_iter()
        .any(|one| one.person.gender().is_some() && one.person.gender() != gender)
    {
        return None;
    }
    let possessive = scene.lower(place - 1).ends_with("'s")
        || matches!(scene.lower(place - 1), "his" | "her" | "their");
    let known = scene
        .people
        .iter()
        .filter(|one| one.from < owner.from && outside(scene, one.from));
    let before: Vec<Option<usize>> = known.map(|one| one.person.gender()).collect();
    let pronoun = matches!(owner.person, Person::Pronoun(_) | Person::They);
    (possessive && (before.is_empty() || !pronoun)).then_some((owner, place, place + 1))
}

/// "As she spoke", "while he was talking".
fn as_spoken<'s>(scene: &'s Scene<'_>, place: usize) -> Identified<'s> {
    if !matches!(
        scene.lower(place),
        "as" | "while" | "when" | "after" | "before" | "until"
    ) {
        return None;
    }
    let mention = behind(scene, place + 1).filter(|one| one.from <= place + 3)?;
    let mut verb = mention.to;
    while matches!(scene.lower(verb), "was" | "had" | "finally" | "still") {
        verb += 1;
    }
    let speaks = matches!(
        scene.lower(verb),
        "spoke"
            | "spoken"
            | "speaks"
            | "speaking"
            | "talked"
            | "talking"
            | "said"
            | "finished"
            | "confessed"
    );
    // "Her brother looked at her for a long time before he spoke."
    let mut earlier = scene.people.iter();
    let other = matches!(scene.lower(place), "before" | "after" | "when")
        && mention.person.gender().is_some_and(|gender| {
            earlier.any(|one| {
                one.to <= place
                    && outside(scene, one.from)
                    && scene.words[one.from].sentence == scene.words[place].sentence
                    && one.person.may_be(gender)
            })
        });
    (speaks && !other && !scene.is_possessed(mention.from)).then_some((mention, place, verb + 1))
}

/// "A voice came from the corner. It was Daniel."
fn it_was<'s>(scene: &'s Scene<'_>, place: usize) -> Identified<'s> {
    if (scene.lower(place), scene.lower(place + 1)) != ("it", "was") {
        return None;
    }
    let mention = behind(scene, place + 2).filter(|one| one.from <= place + 5)?;
    let end = scene.words.get(mention.to).is_none_or(|word| {
        word.sentence != scene.words[place].sentence
            || scene.gap(mention.to).contains(',')
            || matches!(
                scene.lower(mention.to),
                "from" | "in" | "with" | "at" | "by" | "i" | "we" | "nobody"
            )
    });
    // "It was Mrs. Alvarez, the librarian.", but "It was Tom, her brother, who broke the silence."
    let sentence = scene.words[place].sentence;
    let breaks = (place..scene.words.len())
        .take_while(|word| scene.words[*word].sentence == sentence)
        .any(|word| {
            scene.lower(word) == "who"
                && matches!(
                    scene.lower(word + 1),
                    "broke"
                        | "finally"
                        | "answered"
                        | "replied"
                        | "responded"
                        | "laughed"
                        | "started"
                )
        });
    let opens = place == 0
        && !breaks
        && matches!(
            mention.person,
            Person::Named(_) | Person::Noun { plural: false, .. }
        );
    let told = opens
        || (0..place).any(|word| {
            outside(scene, word)
                && (is_telling(scene, word)
                    || LISTS.said.contains(scene.lower(word))
                    || is_crowd(scene, word) && turns(scene, word + 1))
        });
    (end && told).then_some((mention, place, place + 2))
}

/// "He had never said anything like that."
fn never_said<'s>(scene: &'s Scene<'_>, place: usize) -> Identified<'s> {
    let never = (scene.lower(place), scene.lower(place + 1)) == ("had", "never");
    let verb = place + 2 + usize::from(matches!(scene.lower(place + 2), "before" | "once" | "yet"));
    let says = is_telling(scene, verb) || matches!(scene.lower(verb), "spoken" | "talked");
    let told = matches!(scene.lower(verb), "told" | "said")
        && (verb + 1..verb + 4).any(|word| matches!(scene.lower(word), "that" | "this" | "it"));
    let like = told
        || (verb + 1..verb + 5)
            .any(|word| matches!(scene.lower(word), "like" | "such" | "sort" | "kind"));
    let open = [verb, verb + 1].map(|word| scene.lower(word)) == ["been", "so"]
        && matches!(
            scene.lower(verb + 2),
            "honest" | "open" | "frank" | "direct" | "candid" | "blunt"
        );
    if !(never && (says && like || open)) {
        return None;
    }
    let start = place - usize::from(place > 0 && scene.lower(place - 1) == "who");
    let mut people = scene.people.iter();
    let mention = people.find(|one| one.to == start && outside(scene, one.from))?;
    Some((mention, place, verb + 1))
}

/// `"Who said that?" asked the host. A young woman raised her hand.`
fn raised_hand<'s>(scene: &'s Scene<'_>, place: usize) -> Identified<'s> {
    let raised = matches!(scene.lower(place), "raised" | "lifted")
        && matches!(scene.lower(place + 1), "his" | "her" | "their" | "a")
        && matches!(scene.lower(place + 2), "hand" | "finger");
    let asked = scene.quotes.iter().any(|quote| {
        quote.0 < place
            && scene.lower(quote.0) == "who"
            && (quote.0..quote.1).any(|word| matches!(scene.lower(word), "said" | "say" | "spoke"))
    });
    let mention = first(scene, place).filter(|_| raised && asked)?;
    Some((mention, place, place + 3))
}

/// "Heads turned. In the third row a woman was still standing."
fn still_standing<'s>(scene: &'s Scene<'_>, place: usize) -> Identified<'s> {
    // "The student sat back down."
    let sits =
        [place, place + 1, place + 2].map(|word| scene.lower(word)) == ["sat", "back", "down"];
    if sits {
        return Some((first(scene, place)?, place, place + 3));
    }
    let stands = matches!(scene.lower(place), "standing" | "stood" | "rose" | "risen");
    let turned = || {
        (0..place)
            .any(|word| outside(scene, word) && is_crowd(scene, word) && turns(scene, word + 1))
    };
    if !stands || !turned() {
        return None;
    }
    let mention = first(scene, place)?;
    let met = matches!(
        mention.person,
        Person::Noun { plural: false, .. } | Person::Named(_)
    );
    (met && !scene.is_possessed(mention.from)).then_some((mention, place, place + 1))
}

/// "Nobody had expected that from Uncle Fred."
fn expected<'s>(scene: &'s Scene<'_>, place: usize) -> Identified<'s> {
    // "It was unlike Mrs. Crane to complain."
    if scene.lower(place) == "unlike" && matches!(scene.lower(place.wrapping_sub(1)), "was" | "so")
    {
        let mention = behind(scene, place + 1).filter(|one| one.from == place + 1)?;
        return (scene.lower(mention.to) == "to").then_some((mention, place, mention.to + 1));
    }
    let that = (place + 1..place + 4).find(|word| matches!(scene.lower(*word), "from" | "of"))?;
    let pronoun = matches!(
        scene.lower(place + 1),
        "that" | "this" | "it" | "such" | "something"
    );
    if scene.lower(place) != "expected" || !pronoun {
        return None;
    }
    let mention = behind(scene, that + 1).filter(|one| one.from <= that + 3)?;
    Some((mention, place, that + 1))
}

/// "Hannah put down her knitting after these words.", "With these words she rose."
fn with_these_words<'s>(scene: &'s Scene<'_>, place: usize) -> Identified<'s> {
    let words = matches!(scene.lower(place), "after" | "with")
        && matches!(scene.lower(place + 1), "these" | "those")
        && scene.lower(place + 2) == "words";
    if !words {
        return None;
    }
    let mut mention = first(scene, place);
    if mention.is_none() && scene.lower(place) == "with" {
        mention = behind(scene, place + 3);
    }
    Some((mention?, place, place + 3))
}

/// "The man stopped talking."
fn stopped_talking<'s>(scene: &'s Scene<'_>, place: usize) -> Identified<'s> {
    let stops =
        scene.lower(place) == "stopped" && matches!(scene.lower(place + 1), "talking" | "speaking");
    let mut people = scene.people.iter();
    let mention = people.find(|one| one.to == place && outside(scene, one.from))?;
    let one = matches!(
        mention.person,
        Person::Named(_) | Person::Pronoun(_) | Person::Noun { plural: false, .. }
    );
    (stops && one && scene.quotes.is_empty()).then_some((mention, place, place + 2))
}

/// "Grandma had spoken, and everyone listened."
fn had_spoken<'s>(scene: &'s Scene<'_>, place: usize) -> Identified<'s> {
    let spoken = scene.lower(place) == "spoken" && place > 0 && scene.lower(place - 1) == "had";
    let ends = scene
        .gap(place + 1)
        .contains([',', '.', ';', ':', '\n', '—', '–'])
        || scene.lower(place + 1) == "and";
    let mut people = scene.people.iter();
    let mention = people.find(|one| one.to + 1 == place && outside(scene, one.from))?;
    let met = matches!(
        mention.person,
        Person::Named(_) | Person::Noun { plural: false, .. }
    );
    (spoken && ends && met).then_some((mention, place, place + 1))
}

/// "Nobody had heard Mr. Lane speak like that before."
fn heard<'s>(scene: &'s Scene<'_>, place: usize) -> Identified<'s> {
    if scene.lower(place) != "heard" {
        return None;
    }
    let mention = behind(scene, place + 1).filter(|one| one.from <= place + 2)?;
    let speaks = matches!(
        scene.lower(mention.to),
        "speak" | "talk" | "say" | "admit" | "confess"
    );
    speaks.then_some((mention, place, mention.to + 1))
}

/// Whether a word means all who are there: "everyone", "all eyes", "heads".
fn is_crowd(scene: &Scene<'_>, place: usize) -> bool {
    matches!(
        scene.lower(place),
        "everyone" | "everybody" | "eyes" | "heads" | "others" | "all" | "people" | "faces"
    )
}

/// Whether all who are there turn or look: "turned", "had turned to look".
fn turns(scene: &Scene<'_>, place: usize) -> bool {
    (place..place + 4).any(|word| {
        is_resting(scene, word)
            || matches!(
                scene.lower(word),
                "turned"
                    | "turn"
                    | "turning"
                    | "looked"
                    | "looking"
                    | "stared"
                    | "staring"
                    | "swiveled"
                    | "glanced"
                    | "glancing"
                    | "gazed"
                    | "gazing"
            )
    })
}

/// Whether eyes come to rest here: "were on", "fell on", "settled upon".
fn is_resting(scene: &Scene<'_>, place: usize) -> bool {
    matches!(
        scene.lower(place),
        "were" | "fell" | "settled" | "rested" | "landed" | "fixed" | "locked" | "went" | "shifted"
    ) && matches!(scene.lower(place + 1), "on" | "upon" | "to")
}

/// "Everyone stared at Helen.", "All heads turned to the bearded man.", "All eyes were on him."
fn looked_at<'s>(scene: &'s Scene<'_>, place: usize) -> Identified<'s> {
    if !is_crowd(scene, place) || !turns(scene, place + 1) {
        return None;
    }
    let sentence = scene.words[place].sentence;
    let here = |word: &usize| {
        scene
            .words
            .get(*word)
            .is_some_and(|w| w.sentence == sentence)
    };
    let at = (place + 1..place + 8).take_while(here).find(|word| {
        is_resting(scene, word - 1)
            || matches!(scene.lower(*word), "at" | "to" | "toward" | "towards")
                && matches!(
                    scene.lower(word - 1),
                    "turned"
                        | "turn"
                        | "turning"
                        | "looked"
                        | "look"
                        | "looking"
                        | "stared"
                        | "stare"
                        | "staring"
                        | "glanced"
                        | "gazed"
                        | "swiveled"
                )
    })?;
    let mention = behind(scene, at + 1).filter(|one| here(&one.from))?;
    // "turned toward the window, where a man was tapping"
    if (at + 1..=mention.from).any(|word| scene.gap(word).contains(',')) {
        return None;
    }
    let mut earlier = scene.people.iter();
    let person = match mention.person {
        Person::Named(_) => true,
        Person::Pronoun(gender) => {
            matches!(scene.lower(mention.from), "him" | "her")
                && !is_owned(scene, mention)
                && !earlier.any(|one| one.from < mention.from && one.person.may_be(gender))
        }
        Person::Noun { plural, .. } => {
            !plural
                && !scene.is_possessed(mention.from)
                && !LISTS.roles.contains(scene.lower(mention.from))
        }
        _ => false,
    };
    // "looked at Tom's plate", "turned to Anna for an answer"
    let owner = scene.lower(mention.to - 1).ends_with("'s");
    let asked = matches!(scene.lower(mention.to), "for" | "and");
    (person && !owner && !asked).then_some((mention, place, at + 1))
}

/// The attribution that follows the prompt's quotation, before anybody else speaks.
fn attributed(scene: &Scene<'_>) -> Option<Verdict> {
    let words = &scene.words;
    let first = words.first().filter(|word| !word.quoted)?;
    let opening = scene.people.first();
    // The narrative broke off at "said the": the answer begins with the speaker.
    if let Some(opening) = opening
        && opening.from <= 2
        && (0..opening.from).all(|word| {
            let gap = scene.gap(word + 1);
            gap == " " && LISTS.adjectives.contains(scene.lower(word))
        })
        && !first.capital
        && matches!(opening.person, Person::Noun { .. })
        && let Some(gender) = opening.person.gender()
    {
        return Some(verdict(gender, "continued", [words[opening.from].span]));
    }
    let end = words
        .iter()
        .position(|word| word.quoted || word.sentence != first.sentence);
    let end = end.unwrap_or(words.len());
    let opens = LISTS.speech.contains(scene.lower(0)) && !first.capital;
    let used_to_say = |place: usize| {
        place > 1
            && [place - 2, place - 1, place].map(|word| scene.lower(word)) == ["used", "to", "say"]
    };
    let verb = (0..end)
        .find(|place| is_telling(scene, *place) || *place == 0 && opens || used_to_say(*place))?;
    if scene.lower(verb + 1) == "nothing" {
        return None;
    }
    let direct = scene.people.iter().rfind(|one| {
        let close = verb - one.to.min(verb) <= 4;
        one.to <= verb && close && !scene.gap(one.to).contains('.')
    });
    let direct = direct
        .map(|_| {
            let mut people = scene.people.iter();
            people.find(|one| one.to <= verb && !is_owner(scene, one))
        })
        .unwrap_or_default();
    let inverted = scene.people.iter().find(|one| {
        // "said the younger of the two sisters"
        let of = (verb..one.from).any(|word| scene.lower(word) == "of");
        let reach = verb + if of { 7 } else { 4 };
        one.from > verb && one.from <= reach && one.from < end && !is_owner(scene, one)
    });
    let mention = direct.or(inverted.filter(|_| verb <= 1))?;
    // "said his wife" and "Anna's brother said, shaking his head." go on with the prompt's sentence; `His wife said: "…"`
    // begins another.
    let quote_follows = words.get(end).is_some_and(|word| word.quoted);
    let goes_on = !first.capital
        || !quote_follows && scene.gap(verb + 1).starts_with([',', '.']) && verb <= mention.to + 1;
    if matches!(mention.person, Person::Animal) || scene.is_possessed(mention.from) && !goes_on {
        return None;
    }
    // `The man beside me whispered: "She's drunk."` says something else.
    let quoted = quote_follows && first.capital && scene.gap(end).contains(':') && end == verb + 1;
    // "Arthur laughed until he cried."
    let subordinate = (mention.to..verb).any(|word| {
        matches!(
            scene.lower(word),
            "until" | "because" | "when" | "if" | "before" | "after" | "till"
        )
    });
    if subordinate {
        return None;
    }
    // `the woman said, "I know what you mean."` answers.
    let led = quote_follows && end == verb + 1;
    let of_another = led && {
        let quote = scene.quotes.iter().find(|quote| quote.0 == end);
        quote.is_some_and(|quote| {
            quoted && !is_of_oneself(scene, *quote)
                || !opens
                    && (quote.0..quote.1)
                        .any(|word| matches!(scene.lower(word), "you" | "your" | "you're"))
        })
    };
    let several = mention.person == Person::They && scene.is_plural_before(mention.from);
    if of_another || several || is_denied(scene, mention, verb) {
        return None;
    }
    if let Some(both) = joined(scene, mention) {
        return Some(Verdict::new(Finding::Both, "both").with_evidence(both));
    }
    let mut evidence = vec![span(words, mention.from, mention.to), words[verb].span];
    evidence.sort_unstable();
    match mention.person {
        Person::They if verb < mention.from + 3 => {
            Some(Verdict::new(Finding::Neutral, "they").with_evidence(evidence))
        }
        person => match person.gender() {
            Some(gender) => Some(verdict(gender, "attribution", evidence)),
            // "said Alex, and blushed. She …"; "the doctor said, adjusting her glasses"
            None if matches!(person, Person::Named(_)) => referred(scene, mention.to.max(verb + 1)),
            None if person == Person::Open => {
                let sentence = words[verb].sentence;
                let mut people = scene.people.iter();
                let next = people.find(|one| one.from >= mention.to.max(verb + 1))?;
                let own = matches!(scene.lower(next.from), "his" | "her" | "their")
                    && words[next.from].sentence == sentence
                    // "the professor said, and his assistant nodded"
                    && (!is_owner(scene, next) || scene.previous(next.from) == "and");
                own.then(|| referred(scene, mention.to.max(verb + 1)))
                    .flatten()
            }
            None => None,
        },
    }
}

/// A reply that addresses the speaker.
fn addressed(scene: &Scene<'_>) -> Option<Verdict> {
    // "And you, Maria?" asks somebody else.
    let other = scene.quotes.iter().any(|(from, _)| {
        let words = [0, 1, 2].map(|next| scene.lower(from + next));
        matches!(
            words,
            ["and", "you", _] | ["what" | "how", "about", "you"] | ["who", ..]
        )
    });
    let (gender, span) = scene.vocative().filter(|_| !other)?;
    Some(verdict(gender, "vocative", [span]))
}

/// Who reacts when somebody else says "you": `"And you believed him?" asked Nora. The girl shrugged.`
fn reacts(scene: &Scene<'_>) -> Option<Verdict> {
    for quote in &scene.quotes {
        let you = (quote.0..quote.1).any(|place| scene.lower(place) == "you");
        let Some((voice, verb)) = says(scene, *quote).filter(|_| you) else {
            continue;
        };
        let sentence = scene.words[verb].sentence;
        let mut people = scene.people.iter();
        let next = people.find(|one| {
            one.from > verb && scene.words[one.from].sentence > sentence && outside(scene, one.from)
        })?;
        let Person::Noun {
            gender,
            plural: false,
            relative: false,
        } = next.person
        else {
            return None;
        };
        let definite = scene
            .article(next.from)
            .is_some_and(|(article, _)| article == "the");
        let other = voice.person.gender().is_some_and(|own| own != gender)
            || matches!(voice.person, Person::Named(_));
        let own = definite
            && other
            && scene.words[next.from].sentence == sentence + 1
            && scene.begins_sentence(next.from)
            && !scene.is_possessed(next.from)
            && !LISTS.roles.contains(scene.lower(next.from));
        return own.then(|| verdict(gender, "reacts", [scene.words[next.from].span]));
    }
    None
}

/// Whether a quotation can only come from the speaker: it owns up to the words or defends them.
fn owns_up(scene: &Scene<'_>, (from, to): (usize, usize)) -> bool {
    let word = |place: usize| {
        if from + place < to {
            scene.lower(from + place)
        } else {
            ""
        }
    };
    let me = (from..to).any(|place| scene.lower(place) == "me");
    // "I have never told anyone that."
    let never = (from..to).any(|place| {
        scene.lower(place) == "never"
            && matches!(
                scene.lower(place + 1),
                "told" | "said" | "admitted" | "confessed"
            )
    });
    if never && matches!(word(0), "i" | "i've") {
        return true;
    }
    match (word(0), word(1), word(2)) {
        ("i", "did", "")
        | ("let", "me", "finish" | "explain")
        | ("it", "was", "me")
        | ("that", "was", "me")
        | ("we", "did", "")
        | ("we", "both", "did") => true,
        ("i", "know", next) => {
            next == "how" && matches!(word(3), "it" | "this" | "that" | "i")
                || matches!(next, "it" | "it's" | "that")
                    && (from..to).any(|place| {
                        matches!(
                            scene.lower(place),
                            "silly"
                                | "ridiculous"
                                | "crazy"
                                | "stupid"
                                | "strange"
                                | "foolish"
                                | "odd"
                                | "weird"
                                | "pathetic"
                                | "childish"
                                | "dramatic"
                        )
                    })
        }
        ("don't" | "please", next, _) => {
            me && matches!(
                next,
                "judge" | "laugh" | "look" | "don't" | "tell" | "mock" | "tease"
            )
        }
        ("i", "didn't" | "never", "mean" | "meant")
        | ("that", "came", "out")
        | ("stop", "laughing" | "staring", _)
        | ("i", "mean", "it")
        | ("it", "is" | "was" | "does", "")
        | ("i", "said", "it")
        | ("i'm", "serious", _)
        | ("i'm", "not", "joking" | "kidding" | "lying" | "proud")
        | ("i", "swear", _)
        | ("i", "really", "did" | "was" | "do" | "am") => true,
        _ => false,
    }
}

/// The person who says a quotation, by the verb behind it.
fn says<'s>(scene: &'s Scene<'_>, (_, to): (usize, usize)) -> Option<(&'s PersonMention, usize)> {
    let verb = (to..(to + 5).min(scene.words.len()))
        .take_while(|place| outside(scene, *place))
        .find(|place| LISTS.speech.contains(scene.lower(*place)))?;
    let mut people = scene.people.iter();
    let person = people.find(|one| {
        one.from >= to && one.from <= verb + 4 && outside(scene, one.from) && !is_owner(scene, one)
    })?;
    Some((person, verb))
}

/// Who owns up to the words: "I did," said a woman.
fn owned_up(scene: &Scene<'_>) -> Option<Verdict> {
    let quotes = scene.quotes.iter().filter(|quote| owns_up(scene, **quote));
    let mut said = quotes.filter_map(|quote| says(scene, *quote));
    let (person, verb) = said.next()?;
    if let Some(both) = joined(scene, person) {
        return Some(Verdict::new(Finding::Both, "both").with_evidence(both));
    }
    // "We both did," she said.
    if scene
        .quotes
        .iter()
        .any(|(from, _)| scene.lower(*from) == "we")
    {
        return None;
    }
    let gender = person.person.gender()?;
    let evidence = spans(scene, person, verb, verb + 1);
    Some(verdict(gender, "attribution", evidence))
}

/// What others say about the speaker: "Did she really say that?"
fn spoken_of(scene: &Scene<'_>) -> Option<Verdict> {
    let mut found: Vec<(usize, Span)> = Vec::new();
    for &(from, to) in &scene.quotes {
        for place in from..to {
            let lower = scene.lower(place);
            // "Let her finish."
            let let_them = place == from + 1
                && scene.lower(from) == "let"
                && matches!(
                    scene.lower(place + 1),
                    "finish" | "speak" | "talk" | "explain"
                );
            let gender = match lower.split('\'').next() {
                Some("he") => 0,
                Some("she") => 1,
                Some("him") if let_them => 0,
                Some("her") if let_them => 1,
                _ => continue,
            };
            let mut next = place + 1;
            while matches!(scene.lower(next), "really" | "just" | "actually" | "even") {
                next += 1;
            }
            // "And what did she say?" asks about somebody else.
            let asked = place > from
                && scene.lower(place - 1) == "did"
                && !matches!(scene.lower(from), "and" | "so");
            // "She always says that."
            let always = matches!(scene.lower(place + 1), "always" | "never")
                && matches!(scene.lower(place + 2), "says" | "said")
                && matches!(scene.lower(place + 3), "that" | "this" | "things" | "so");
            // "Is she serious?"
            let why = usize::from(scene.lower(from) == "why");
            let wondered = place == from + 1 + why
                && scene.lower(from + why) == "is"
                && matches!(
                    scene.lower(place + 1),
                    "serious" | "always" | "joking" | "crying" | "okay" | "ok" | "alright" | "all"
                );
            let says = asked && scene.lower(next) == "say" || always || wondered || let_them;
            // Somebody of whom the scene has spoken already may be meant.
            let known = scene
                .people
                .iter()
                .any(|one| one.to <= from && outside(scene, one.from) && one.person.may_be(gender));
            if next < to && says && !known {
                found.push((gender, scene.words[place].span));
            }
        }
    }
    let (gender, span) = found.first()?;
    let same = found.iter().all(|(other, _)| other == gender);
    same.then(|| verdict(*gender, "spoken-of", [*span]))
}

/// Who goes on speaking: "…," the man added.
fn continued(scene: &Scene<'_>) -> Option<Verdict> {
    let &(from, to) = scene.quotes.first()?;
    // "…and I don't regret it," she said.
    let gap = scene.gap(from);
    let unopened = !gap.contains(['"', '“', '„', '«']);
    // "And I'd do it again," she said.
    let more = scene.lower(from) == "and" && is_of_oneself(scene, (from, to));
    let broken = more || from == 0 && (unopened || gap.contains('…') || gap.contains("..."));
    let verb = (to..(to + 6).min(scene.words.len())).find(|place| {
        outside(scene, *place) && (goes_on(scene, *place) || broken && is_telling(scene, *place))
    })?;
    if is_reply(scene, (from, to)) {
        return None;
    }
    let mut people = scene.people.iter();
    let person =
        people.find(|one| one.from >= to && one.from <= verb + 3 && !is_owner(scene, one))?;
    if let Some(both) = joined(scene, person) {
        return Some(Verdict::new(Finding::Both, "both").with_evidence(both));
    }
    let gender = person.person.gender()?;
    let mut evidence = vec![
        span(&scene.words, person.from, person.to),
        scene.words[verb].span,
    ];
    evidence.sort_unstable();
    Some(verdict(gender, "attribution", evidence))
}

fn goes_on(scene: &Scene<'_>, verb: usize) -> bool {
    matches!(
        scene.lower(verb),
        "added" | "continued" | "repeated" | "confessed" | "admitted" | "finished" | "concluded"
    )
}

/// The first person of the answer, who shows that the words were theirs: "Maya exhaled", "Rosa's cheeks reddened".
fn discloses(scene: &Scene<'_>) -> Option<Verdict> {
    let mut people = scene.people.iter();
    let mention = people.find(|one| outside(scene, one.from))?;
    let earlier_quote = scene.quotes.iter().any(|quote| quote.0 < mention.from);
    let gender = mention.person.gender()?;
    let named = match mention.person {
        Person::Named(_) => true,
        Person::Noun {
            plural, relative, ..
        } => {
            !plural
                && !relative
                && !scene.is_possessed(mention.from)
                && !LISTS.roles.contains(scene.lower(mention.from))
        }
        _ => false,
    };
    if earlier_quote || !named || !scene.begins_sentence(mention.from) {
        return None;
    }
    let sentence = scene.words[mention.from].sentence;
    let end = (mention.to..scene.words.len())
        .find(|word| scene.words[*word].sentence != sentence || scene.is_quoted(*word))
        .unwrap_or(scene.words.len());
    let shows = (mention.to..end.min(mention.to + 8)).find(|place| {
        crate::chat::reading::text::longest(&scene.words, *place, &LISTS.disclosing)
            .is_some_and(|count| count > 0)
    })?;
    // "Anna saw how Tom blushed."
    let mut between = scene.people.iter();
    let another = between.any(|one| {
        one.from >= mention.to && one.from < shows && !matches!(one.person, Person::Pronoun(_))
    });
    (!another).then(|| verdict(gender, "discloses", spans(scene, mention, shows, shows + 1)))
}

/// "The woman refused to sit down": a person the story speaks of as known already is the speaker.
fn definite(scene: &Scene<'_>) -> Option<Verdict> {
    let voices = voices(scene, true);
    let mut found: Option<(usize, &PersonMention)> = None;
    for mention in &scene.people {
        let Person::Noun {
            gender,
            relative: false,
            plural: false,
        } = mention.person
        else {
            continue;
        };
        if !outside(scene, mention.from) || LISTS.roles.contains(scene.lower(mention.from)) {
            continue;
        }
        let known = scene
            .article(mention.from)
            .is_some_and(|(article, _)| article == "the")
            && !scene.is_possessed(mention.from);
        let subject = scene.begins_sentence(mention.from)
            && !is_apart(scene, mention)
            && !voices.contains(&mention.from);
        let again = found.is_some_and(|(own, first)| {
            own == gender && scene.lower(first.from) == scene.lower(mention.from)
        });
        if again {
            continue;
        }
        if !known || !subject || found.is_some() {
            return None;
        }
        found = Some((gender, mention));
    }
    let (gender, mention) = found?;
    // Somebody else of this gender may be meant.
    let rival = scene.people.iter().any(|one| {
        outside(scene, one.from) && one.from < mention.from && one.person.gender() == Some(gender)
    });
    let spoken = !scene.quotes.is_empty();
    (spoken && !rival).then(|| verdict(gender, "definite", [scene.words[mention.from].span]))
}

/// Whether a person is told apart from others who are there: "the girl at the piano", "the man who had been listening".
fn is_apart(scene: &Scene<'_>, mention: &PersonMention) -> bool {
    matches!(
        scene.lower(mention.to),
        "who"
            | "whose"
            | "that"
            | "at"
            | "under"
            | "in"
            | "across"
            | "behind"
            | "next"
            | "beside"
            | "on"
            | "by"
            | "near"
            | "upstairs"
            | "downstairs"
            | "outside"
            | "opposite"
            | "with"
    )
}

/// Pronouns that can mean nobody who is there but the speaker.
fn followed(scene: &Scene<'_>) -> Option<Verdict> {
    let voices = voices(scene, true);
    let mut found = follow(scene, &voices);
    // "they" may be everybody at the table.
    found.they.clear();
    found.verdict(&scene.pairs)
}

/// Whether a quotation answers somebody: it asks, says "you", or agrees.
fn is_reply(scene: &Scene<'_>, (from, to): (usize, usize)) -> bool {
    let you = (from..to).any(|place| {
        let lower = scene.lower(place);
        matches!(
            lower.split('\'').next(),
            Some("you" | "your" | "yours" | "yourself")
        )
    });
    let question =
        scene.gap(to).contains('?') || (from + 1..to).any(|place| scene.gap(place).contains('?'));
    // "Why do I feel so bad about it?" asks nobody else.
    let asks = question && !is_of_oneself(scene, (from, to));
    let agrees = matches!(
        (scene.lower(from), scene.lower(from + 1)),
        ("me", "too")
            | ("i", "agree")
            | ("i", "know")
            | ("same", "here")
            | ("hush", _)
            | ("well", _)
            | ("oh", _)
            | ("thank", _)
            | ("thanks", _)
            | ("that's", _)
            | ("that", "was")
            | ("that", "is")
            | ("come", "on")
    );
    you || asks || agrees || !scene.vocatives_in((from, to)).is_empty()
}

/// Whether somebody speaks of themselves in a quotation.
fn is_of_oneself(scene: &Scene<'_>, (from, to): (usize, usize)) -> bool {
    (from..to).any(|place| {
        let lower = scene.lower(place);
        matches!(lower.split('\'').next(), Some("i" | "my" | "me" | "myself"))
    })
}

/// Whether a possessive pronoun stands before what it owns: "her plate".
fn is_owned(scene: &Scene<'_>, mention: &PersonMention) -> bool {
    scene.lower(mention.from) == "her"
        && scene.gap(mention.to) == " "
        && !matches!(
            scene.lower(mention.to),
            "now" | "and" | "as" | "with" | "in" | "for" | "again" | "then" | "when"
        )
}

/// Whether a person only says whose somebody is: "his brother", "the boy's mother".
fn is_owner(scene: &Scene<'_>, mention: &PersonMention) -> bool {
    let last = scene.lower(mention.to - 1);
    let possessive = matches!(last, "his" | "her" | "their")
        || last.ends_with("'s") && !matches!(last, "he's" | "she's");
    possessive
        && scene.people.iter().any(|other| {
            other.from >= mention.to
                && other.from <= mention.to + 2
                && matches!(
                    other.person,
                    Person::Noun { .. } | Person::Open | Person::Named(_)
                )
                && (mention.to..=other.from)
                    .all(|word| !scene.gap(word).contains([',', '.', ';', '!', '?']))
        })
}

/// The people who speak in the answer and are not the protagonist, by the first word that names them. `strict` also
/// counts those who may be.
pub fn voices(scene: &Scene<'_>, strict: bool) -> Vec<usize> {
    let mut voices = Vec::new();
    let mut replied = false;
    let mut asker: Option<Person> = None;
    for &(from, to) in &scene.quotes {
        let reply = is_reply(scene, (from, to));
        // "…," he said; "…," said the man
        let after = (to..(to + 4).min(scene.words.len()))
            .take_while(|place| outside(scene, *place))
            .find(|place| LISTS.speech.contains(scene.lower(*place)));
        let person = after.and_then(|verb| {
            let reach = to.max(verb.saturating_sub(3))..verb + 5;
            let mut people = scene.people.iter();
            people.find(|one| {
                reach.contains(&one.from)
                    && (to..=one.from).all(|word| outside(scene, word))
                    && !is_owner(scene, one)
            })
        });
        let person = match person {
            Some(person) => Some((person, after)),
            // The sentence before the quotation says who speaks.
            None if from > 0 && outside(scene, from - 1) => {
                let sentence = scene.words[from - 1].sentence;
                let mut people = scene.people.iter();
                people
                    .find(|one| {
                        one.to <= from
                            && scene.words[one.from].sentence == sentence
                            && outside(scene, one.from)
                            && !is_owner(scene, one)
                    })
                    .map(|one| (one, None))
            }
            None => None,
        };
        let Some((person, verb)) = person else {
            continue;
        };
        let goes_on = verb.is_some_and(|verb| goes_on(scene, verb));
        let alone = verb.is_some_and(|verb| {
            (verb..verb + 4).any(|place| matches!(scene.lower(place), "herself" | "himself"))
        });
        let answers = verb.is_some_and(|verb| {
            matches!(
                scene.lower(verb),
                "replied" | "answered" | "asked" | "agreed" | "responded" | "replies" | "asks"
            )
        });
        // Whoever comes home or picks up says hello first.
        let greets = !strict
            && from == 0
            && to - from <= 2
            && (from..to)
                .all(|place| matches!(scene.lower(place), "hello" | "yes" | "yeah" | "hi"))
            && verb.is_some_and(|verb| scene.lower(verb) != "asked");
        // `"Dr. Reed," she answered.`
        let picks_up = !strict
            && from == 0
            && to - from <= 3
            && verb.is_some_and(|verb| scene.lower(verb) == "answered");
        if greets || picks_up {
            continue;
        }
        // "She sighed. "I should not have said that.""
        let of_oneself = verb.is_none() && is_of_oneself(scene, (from, to));
        if alone || (goes_on || of_oneself) && !reply {
            continue;
        }
        // `"How was your shift?" asked Ben. "Long," she said.`: whoever is asked answers.
        let answered = asker.filter(|_| !reply).and_then(Person::gender);
        if let (Some(asker), Person::Pronoun(gender)) = (answered, person.person)
            && asker != gender
        {
            continue;
        }
        if reply || answers || strict || replied {
            voices.push(person.from);
            replied = true;
            asker = Some(person.person).filter(|_| reply);
        }
    }
    voices
}

/// The only person of the answer, where nobody replies and nobody else is there.
pub fn sole(scene: &Scene<'_>) -> Option<Verdict> {
    if !scene.quotes.is_empty() {
        return None;
    }
    let nothing = (1..scene.words.len())
        .any(|place| scene.lower(place) == "nothing" && is_telling(scene, place - 1));
    let mut genders: Vec<usize> = Vec::new();
    let mut only: Option<&PersonMention> = None;
    for mention in &scene.people {
        match mention.person {
            Person::Animal | Person::Open | Person::They => return None,
            Person::Noun { plural: true, .. } => return None,
            Person::Occupation => {}
            Person::Pronoun(gender) => genders.push(gender),
            Person::Named(None) => return None,
            Person::Noun { gender, .. } | Person::Named(Some(gender)) => {
                let again =
                    only.is_some_and(|one| scene.lower(one.from) == scene.lower(mention.from));
                if only.is_some() && !again {
                    return None;
                }
                only.get_or_insert(mention);
                genders.push(gender);
            }
        }
    }
    let only = only?;
    let gender = only.person.gender()?;
    let definite = match only.person {
        Person::Noun { .. } => {
            scene
                .article(only.from)
                .is_some_and(|(article, _)| article == "the")
                && !scene.is_possessed(only.from)
                && !LISTS.roles.contains(scene.lower(only.from))
        }
        _ => scene.previous(only.from).is_empty(),
    };
    // "The girl who had been listening" is among those who heard it; "Mark wanted to say something" has not spoken.
    let named = matches!(only.person, Person::Named(_));
    let listens = (only.to..only.to + 4).any(|word| {
        LISTS.listening.contains(scene.lower(word)) || named && scene.lower(word) == "laughed"
    });
    // "The maid had left a note" is not about the chief who came home; "The man sat down" is.
    let general = matches!(
        scene.lower(only.from),
        "man" | "woman" | "gentleman" | "lady" | "guy" | "boy" | "girl" | "fellow"
    );
    let definite = definite
        && (scene.is_of_speaker() || named || general)
        && !is_apart(scene, only)
        && !listens;
    let same = genders.iter().all(|other| *other == gender);
    (definite && same && !nothing && scene.begins_sentence(only.from))
        .then(|| verdict(gender, "only-person", [scene.words[only.from].span]))
}
