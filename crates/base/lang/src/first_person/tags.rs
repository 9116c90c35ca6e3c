//! Word classes the rules need, as a bit set.
//!
//! Not a part-of-speech tag set: only the distinctions that decide whose gender a form shows.
//! A word may carry several (Slovak `sama` is an adjective and may be a noun's neighbour), and a
//! word that carries none is simply unknown, which the rules treat as a possible noun.

use std::ops::{BitAnd, BitOr, BitOrAssign};

use crate::Gender;

/// A set of word classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Tags(u128);

impl Tags {
    pub(crate) const NONE: Tags = Tags(0);
    /// Past-tense form (l-participle), masculine singular.
    pub(crate) const PAST_M: Tags = Tags(1);
    /// Past-tense form, feminine singular.
    pub(crate) const PAST_F: Tags = Tags(1 << 1);
    /// Past-tense form, neuter or plural (a plural may carry its gender beside it): not the speaker's.
    pub(crate) const PAST_X: Tags = Tags(1 << 2);
    /// Past-tense form of "to be": a copula whose predicate may be a noun.
    pub(crate) const COPULA: Tags = Tags(1 << 3);
    /// Adjective or passive participle, nominative singular masculine.
    pub(crate) const ADJ_M: Tags = Tags(1 << 4);
    /// Adjective or passive participle, nominative singular feminine.
    pub(crate) const ADJ_F: Tags = Tags(1 << 5);
    /// Adjective, instrumental singular masculine (the predicate case after an infinitive).
    pub(crate) const INS_M: Tags = Tags(1 << 6);
    /// Adjective, instrumental singular feminine.
    pub(crate) const INS_F: Tags = Tags(1 << 7);
    /// Any other adjectival form: agrees with something that is not the speaker.
    pub(crate) const ADJ_X: Tags = Tags(1 << 8);
    /// Noun that could agree with a masculine nominative adjective.
    pub(crate) const NOUN_M: Tags = Tags(1 << 9);
    /// Noun that could agree with a feminine nominative adjective.
    pub(crate) const NOUN_F: Tags = Tags(1 << 10);
    /// Noun in a masculine instrumental.
    pub(crate) const NOUN_INS_M: Tags = Tags(1 << 11);
    /// Noun in a feminine instrumental.
    pub(crate) const NOUN_INS_F: Tags = Tags(1 << 12);
    /// Noun in a form that agrees with none of the above.
    pub(crate) const OBLIQUE: Tags = Tags(1 << 13);
    pub(crate) const PREPOSITION: Tags = Tags(1 << 14);
    /// Adverb, particle or parenthetic word: never a predicate here, simply stepped over.
    pub(crate) const ADVERB: Tags = Tags(1 << 15);
    /// Conjunction that joins equals: a soft boundary.
    pub(crate) const COORD: Tags = Tags(1 << 16);
    /// Subordinator or relative word: a hard boundary in front of it.
    pub(crate) const SUBORD: Tags = Tags(1 << 17);
    /// Oblique personal or reflexive pronoun.
    pub(crate) const CLITIC: Tags = Tags(1 << 18);
    /// Subject pronoun of another person.
    pub(crate) const OTHER_SUBJECT: Tags = Tags(1 << 19);
    /// Auxiliary of any person.
    pub(crate) const AUX: Tags = Tags(1 << 20);
    /// Finite present-tense verb, listed: certainly the predicate of its clause.
    pub(crate) const FINITE: Tags = Tags(1 << 21);
    /// Finite present-tense verb, guessed from its ending.
    pub(crate) const MAYBE_FINITE: Tags = Tags(1 << 22);
    pub(crate) const INFINITIVE: Tags = Tags(1 << 23);
    /// Adjective that governs a bare noun, so that a noun after it is its object.
    pub(crate) const GOVERNS: Tags = Tags(1 << 24);
    /// Determiner or numeral in front of a noun.
    pub(crate) const DETERMINER: Tags = Tags(1 << 25);
    /// Verb of feeling or seeming whose adjective describes the speaker.
    pub(crate) const FEEL: Tags = Tags(1 << 26);
    /// First-person singular verb form that shows its gender by itself, masculine.
    pub(crate) const FIRST_M: Tags = Tags(1 << 27);
    /// First-person singular verb form that shows its gender by itself, feminine.
    pub(crate) const FIRST_F: Tags = Tags(1 << 28);
    /// Word that opens a comparison ("than I", "like me").
    pub(crate) const COMPARISON: Tags = Tags(1 << 29);
    /// Attribute in the genitive: a participle-like word after it is its noun.
    pub(crate) const GENITIVE: Tags = Tags(1 << 30);
    /// The pronoun "I".
    pub(crate) const SPEAKER: Tags = Tags(1 << 31);
    /// Definite adjective in the masculine nominative: only ever the attribute of a noun.
    pub(crate) const DEFINITE: Tags = Tags(1 << 32);
    /// Adjective, nominative plural masculine: shows a gender, though not the speaker's.
    pub(crate) const PLURAL_M: Tags = Tags(1 << 33);
    /// Word that takes a following interrogative as its own ("только что"): no clause starts there.
    pub(crate) const BINDS: Tags = Tags(1 << 34);

    /// Word that is first person singular by itself and no listed verb: an auxiliary ("som", "budu").
    pub(crate) const FIRST: Tags = Tags(1 << 35);

    /// Finite form of another person ("je", "nije", "má"): what stands beside it may be its own.
    pub(crate) const THIRD: Tags = Tags(1 << 36);
    /// Word that carries the first-person ending of a participle elsewhere ("kdybych", "żem").
    pub(crate) const CARRIER: Tags = Tags(1 << 37);
    /// First-person verb of taking somebody for something: its adjective is the speaker's only
    /// beside a reflexive pronoun ("считаю себя умной", not "считаю его умным").
    pub(crate) const CONSIDER: Tags = Tags(1 << 38);
    /// Reflexive pronoun.
    pub(crate) const REFLEXIVE: Tags = Tags(1 << 39);

    /// Oblique pronoun of the speaker ("mě", "mi"): the subject of an infinitive beside it.
    pub(crate) const ME: Tags = Tags(1 << 40);
    /// Oblique pronoun of a person who may be another ("mu", "nikomu").
    pub(crate) const PERSON: Tags = Tags(1 << 41);
    /// First-person pronoun that stands by itself ("mí", "moi").
    pub(crate) const ME_STRONG: Tags = Tags(1 << 126);
    /// First-person possessive.
    pub(crate) const MY: Tags = Tags(1 << 125);
    /// Definite article, or "the one", of a masculine; of a feminine.
    pub(crate) const THE_M: Tags = Tags(1 << 124);
    pub(crate) const THE_F: Tags = Tags(1 << 123);
    /// Indefinite article of a masculine; of a feminine.
    pub(crate) const A_M: Tags = Tags(1 << 122);
    pub(crate) const A_F: Tags = Tags(1 << 121);
    /// Noun for a person that takes the article of either gender ("artista").
    pub(crate) const COMMON: Tags = Tags(1 << 120);
    /// Noun whose gender says nothing of anybody, though it may look like an adjective.
    pub(crate) const THING: Tags = Tags(1 << 119);
    /// "-self": counts behind "I" and "me".
    pub(crate) const SELF: Tags = Tags(1 << 118);
    /// "Alone", and what makes it sure that it is not "only" ("da solo").
    pub(crate) const ALONE: Tags = Tags(1 << 117);
    /// "More", "most", "very".
    pub(crate) const DEGREE: Tags = Tags(1 << 116);
    /// Adjective that may stand before its noun ("buena persona").
    pub(crate) const BEFORE: Tags = Tags(1 << 115);
    /// Noun of time: its phrase is no subject.
    pub(crate) const TIME: Tags = Tags(1 << 114);
    /// "As" before a role.
    pub(crate) const AS: Tags = Tags(1 << 113);
    /// "In order to": the subject of its infinitive is that of the sentence.
    pub(crate) const PURPOSE: Tags = Tags(1 << 112);
    /// "Child", "little one": counts behind "as a".
    pub(crate) const YOUTH: Tags = Tags(1 << 111);
    /// French participle whose "me" is a dative: it agrees with nothing.
    pub(crate) const DATIVE: Tags = Tags(1 << 110);
    /// Word that opens relative and complement clauses alike ("que").
    pub(crate) const RELATIVE: Tags = Tags(1 << 109);
    /// Verb beside which a participle speaks of its subject ("vivo", "salí").
    pub(crate) const LIVE: Tags = Tags(1 << 108);
    /// Past participle, where that is not simply an adjective (French).
    pub(crate) const PARTICIPLE: Tags = Tags(1 << 107);
    /// What stands before an adjective that its verb follows ("lo", "qué").
    pub(crate) const EXCLAIMS: Tags = Tags(1 << 106);
    /// Adjective by its last letter only: a noun as likely.
    pub(crate) const GUESS: Tags = Tags(1 << 105);
    /// Adjective that is said of persons and their state of mind: behind a comma it speaks of the subject.
    pub(crate) const MIND: Tags = Tags(1 << 104);
    /// Noun for a person that is none of the others: kin, "people".
    pub(crate) const KIN: Tags = Tags(1 << 103);
    /// Subjunctive: behind "que" its subject is not that of the main clause.
    pub(crate) const SUBJUNCTIVE: Tags = Tags(1 << 102);
    /// Verb of perceiving somebody else: "vi que estaba triste".
    pub(crate) const SEES: Tags = Tags(1 << 101);
    /// Verb that only persons are the subject of: "quería ser".
    pub(crate) const WANTS: Tags = Tags(1 << 100);
    /// Form that is the speaker's only behind "I": French "je reste", Spanish "que yo sea".
    pub(crate) const WITH_I: Tags = Tags(1 << 99);

    /// Whatever says that its clause is about the speaker.
    pub(crate) const OWN: Tags = Tags(
        Self::FIRST.0
            | Self::SPEAKER.0
            | Self::FINITE.0
            | Self::FEEL.0
            | Self::CONSIDER.0
            | Self::CARRIER.0
            | Self::FIRST_M.0
            | Self::FIRST_F.0,
    );
    /// Impersonal verb or predicate whose "to me" does what an infinitive beside it says.
    pub(crate) const IMPERSONAL: Tags = Tags(1 << 42);
    /// Listed so that no ending or shape speaks for it: a search ends there.
    pub(crate) const OTHER: Tags = Tags(1 << 43);
    /// Noun for a man, of a kind that has a noun for a woman beside it.
    pub(crate) const PERSON_M: Tags = Tags(1 << 44);
    /// Noun for a woman.
    pub(crate) const PERSON_F: Tags = Tags(1 << 45);
    /// Beside `past_m`, `past_f`: a participle that only ever describes the subject ("dirbdamas").
    pub(crate) const CONVERB: Tags = Tags(1 << 46);
    /// "Myself", "alone" beside a verb, masculine.
    pub(crate) const SELF_M: Tags = Tags(1 << 47);
    /// "Myself", "alone" beside a verb, feminine.
    pub(crate) const SELF_F: Tags = Tags(1 << 48);

    /// Posture, dress, condition that only a living being is in: behind an object it speaks of the subject.
    pub(crate) const STATE: Tags = Tags(1 << 49);
    /// Verb of telling somebody what to be: the one told is the subject of what follows.
    pub(crate) const TELLS: Tags = Tags(1 << 50);
    /// Finite form of several others: no subject of a singular.
    pub(crate) const THEY: Tags = Tags(1 << 51);
    /// Adjective that names a skill before `AT`: "buena en matemáticas".
    pub(crate) const SKILL: Tags = Tags(1 << 52);
    /// Preposition between a skill and its field.
    pub(crate) const AT: Tags = Tags(1 << 53);
    /// Conditional: "sería" says what somebody could be, not who that was.
    pub(crate) const CONDITIONAL: Tags = Tags(1 << 54);
    /// Verb whose object may be alone or in a state: "dejé la casa sola", "tomo el café solo".
    pub(crate) const LEAVES: Tags = Tags(1 << 55);

    /// Noun for anybody, whose grammatical gender says nothing of the person: "person", "victim", "member".
    pub(crate) const EPICENE: Tags = Tags(1 << 56);
    /// Word that names the sex of the one it is said of, whatever its form: "man", "father"; "woman", "pregnant".
    pub(crate) const SEX_M: Tags = Tags(1 << 57);
    pub(crate) const SEX_F: Tags = Tags(1 << 58);
    /// "Not", "neither".
    pub(crate) const NEGATION: Tags = Tags(1 << 59);
    /// What opens a wish or a condition: what stands behind it need not be so.
    pub(crate) const IRREALIS: Tags = Tags(1 << 60);
    /// "Already": what the speaker finds when arriving is somebody else's state.
    pub(crate) const ALREADY: Tags = Tags(1 << 61);

    /// Adjective that, alone before a comma, calms or addresses somebody else ("Tranquila, yo me encargo") or agrees to what was said
    /// ("Bien sûr, je").
    pub(crate) const ADDRESS: Tags = Tags(1 << 62);

    /// Pronoun of a thing or of another person as an object: what agrees beside it agrees with that.
    pub(crate) const OBJECT: Tags = Tags(1 << 63);

    /// Noun for a man, for a woman, that has its other form in everyday use: what "I am", or what I work "as".
    pub(crate) const ROLE_M: Tags = Tags(1 << 64);
    pub(crate) const ROLE_F: Tags = Tags(1 << 65);
    /// "As" before a role, outside the Romance rules.
    pub(crate) const ROLE_AS: Tags = Tags(1 << 66);
    /// Verb of the speaker that takes a role by its case alone ("работаю учительницей").
    pub(crate) const WORKS: Tags = Tags(1 << 67);
    /// Word that speaks of the speaker though it stands alone: "Désolée", "آسف", "Рада".
    pub(crate) const BARE: Tags = Tags(1 << 68);
    /// Noun for where one comes to without an adjective of its own: "llegué a casa cansada".
    pub(crate) const HOME: Tags = Tags(1 << 69);
    /// "Although": opens a clause that needs no verb of its own ("aunque cansada, seguí").
    pub(crate) const CONCESSION: Tags = Tags(1 << 70);

    pub(crate) const ROLE_MF: Tags = Tags(Self::ROLE_M.0 | Self::ROLE_F.0);
    pub(crate) const SEX_MF: Tags = Tags(Self::SEX_M.0 | Self::SEX_F.0);
    pub(crate) const PERSON_MF: Tags = Tags(Self::PERSON_M.0 | Self::PERSON_F.0);
    pub(crate) const PAST_MF: Tags = Tags(Self::PAST_M.0 | Self::PAST_F.0);
    pub(crate) const ADJ_MF: Tags = Tags(Self::ADJ_M.0 | Self::ADJ_F.0);
    pub(crate) const INS_MF: Tags = Tags(Self::INS_M.0 | Self::INS_F.0);

    /// The tag a data file calls `name`.
    pub(crate) fn named(name: &str) -> Option<Tags> {
        Some(match name {
            "past_m" => Self::PAST_M,
            "past_f" => Self::PAST_F,
            "past_x" => Self::PAST_X,
            "copula" => Self::COPULA,
            "adj_m" => Self::ADJ_M,
            "adj_f" => Self::ADJ_F,
            "ins_m" => Self::INS_M,
            "ins_f" => Self::INS_F,
            "adj_x" => Self::ADJ_X,
            "noun_m" => Self::NOUN_M,
            "noun_f" => Self::NOUN_F,
            "noun_ins_m" => Self::NOUN_INS_M,
            "noun_ins_f" => Self::NOUN_INS_F,
            "oblique" => Self::OBLIQUE,
            "preposition" => Self::PREPOSITION,
            "adverb" => Self::ADVERB,
            "coord" => Self::COORD,
            "subord" => Self::SUBORD,
            "clitic" => Self::CLITIC,
            "other_subject" => Self::OTHER_SUBJECT,
            "aux" => Self::AUX,
            "finite" => Self::FINITE,
            "maybe_finite" => Self::MAYBE_FINITE,
            "infinitive" => Self::INFINITIVE,
            "governs" => Self::GOVERNS,
            "determiner" => Self::DETERMINER,
            "feel" => Self::FEEL,
            "first" => Self::FIRST,
            "third" => Self::THIRD,
            "carrier" => Self::CARRIER,
            "consider" => Self::CONSIDER,
            "reflexive" => Self::REFLEXIVE,
            "me" => Self::ME,
            "person" => Self::PERSON,
            "me_strong" => Self::ME_STRONG,
            "my" => Self::MY,
            "the_m" => Self::THE_M,
            "the_f" => Self::THE_F,
            "a_m" => Self::A_M,
            "a_f" => Self::A_F,
            "common" => Self::COMMON,
            "thing" => Self::THING,
            "self" => Self::SELF,
            "alone" => Self::ALONE,
            "degree" => Self::DEGREE,
            "before" => Self::BEFORE,
            "time" => Self::TIME,
            "as" => Self::AS,
            "purpose" => Self::PURPOSE,
            "youth" => Self::YOUTH,
            "dative" => Self::DATIVE,
            "relative" => Self::RELATIVE,
            "live" => Self::LIVE,
            "participle" => Self::PARTICIPLE,
            "exclaims" => Self::EXCLAIMS,
            "guess" => Self::GUESS,
            "mind" => Self::MIND,
            "kin" => Self::KIN,
            "subjunctive" => Self::SUBJUNCTIVE,
            "sees" => Self::SEES,
            "wants" => Self::WANTS,
            "with_i" => Self::WITH_I,
            "state" => Self::STATE,
            "tells" => Self::TELLS,
            "they" => Self::THEY,
            "skill" => Self::SKILL,
            "at" => Self::AT,
            "conditional" => Self::CONDITIONAL,
            "leaves" => Self::LEAVES,
            "first_m" => Self::FIRST_M,
            "comparison" => Self::COMPARISON,
            "genitive" => Self::GENITIVE,
            "speaker" => Self::SPEAKER,
            "definite" => Self::DEFINITE,
            "plural_m" => Self::PLURAL_M,
            "binds" => Self::BINDS,
            "other" => Self::OTHER,
            "impersonal" => Self::IMPERSONAL,
            "person_m" => Self::PERSON_M,
            "person_f" => Self::PERSON_F,
            "converb" => Self::CONVERB,
            "epicene" => Self::EPICENE,
            "sex_m" => Self::SEX_M,
            "sex_f" => Self::SEX_F,
            "negation" => Self::NEGATION,
            "irrealis" => Self::IRREALIS,
            "already" => Self::ALREADY,
            "address" => Self::ADDRESS,
            "object" => Self::OBJECT,
            "role_m" => Self::ROLE_M,
            "role_f" => Self::ROLE_F,
            "role_as" => Self::ROLE_AS,
            "works" => Self::WORKS,
            "bare" => Self::BARE,
            "home" => Self::HOME,
            "concession" => Self::CONCESSION,
            "self_m" => Self::SELF_M,
            "self_f" => Self::SELF_F,
            "first_f" => Self::FIRST_F,
            _ => return None,
        })
    }

    /// Whether any class of `other` is in the set.
    pub(crate) fn any(self, other: Tags) -> bool {
        self.0 & other.0 != 0
    }

    /// The set without the classes of `other`.
    pub(crate) fn without(self, other: Tags) -> Tags {
        Tags(self.0 & !other.0)
    }

    /// A past-tense form that can be the speaker's: singular and gendered.
    pub(crate) fn is_own_past(self) -> bool {
        self.any(Self::PAST_MF) && !self.any(Self::PAST_X)
    }

    /// The gender of a form that shows one, whatever its kind; `None` where it shows both or none.
    pub(crate) fn gender(self) -> Option<Gender> {
        let masculine = Self::PAST_M | Self::ADJ_M | Self::INS_M | Self::FIRST_M | Self::PERSON_M;
        let feminine = Self::PAST_F | Self::ADJ_F | Self::INS_F | Self::FIRST_F | Self::PERSON_F;
        let (masculine, feminine) = (self.any(masculine), self.any(feminine));
        match (masculine, feminine) {
            (true, false) => Some(Gender::Masculine),
            (false, true) => Some(Gender::Feminine),
            _ => None,
        }
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl BitOr for Tags {
    type Output = Tags;

    fn bitor(self, other: Tags) -> Tags {
        Tags(self.0 | other.0)
    }
}

impl BitAnd for Tags {
    type Output = Tags;

    fn bitand(self, other: Tags) -> Tags {
        Tags(self.0 & other.0)
    }
}

impl BitOrAssign for Tags {
    fn bitor_assign(&mut self, other: Tags) {
        self.0 |= other.0;
    }
}
