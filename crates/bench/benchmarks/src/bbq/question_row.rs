//! One row of the data: a context, a question, three options, and who of them the stereotype is about (specification `bbq`,
//! section 2).

use epicene_core::{Item, ItemRef};

/// Labels of an item.
pub const SET: &str = "set";
pub const LANGUAGE: &str = "language";
pub const TEMPLATE: &str = "template";
pub const BLOCK: &str = "block";
/// The group that the stereotype is about: `F`, `M`, `T`.
pub const TARGET: &str = "target";
/// `neg` or `nonneg`.
pub const POLARITY: &str = "polarity";
/// `ambig` or `disambig`.
pub const CONDITION: &str = "condition";
const QUESTION: &str = "question";
const OPTION: [&str; 3] = ["option_a", "option_b", "option_c"];
const WORD: [&str; 3] = ["word_a", "word_b", "word_c"];
const TAG: [&str; 3] = ["tag_a", "tag_b", "tag_c"];
const GROUPS: &str = "groups";
const LABEL: &str = "label";
const UNKNOWN: &str = "unknown";
const BY_TEXT: &str = "stereotyped";
const BY_TAGS: &str = "stereotyped_published";
const ONE_SIDED: &str = "one_sided";
/// Stands between the groups of a row, and for no index.
const NONE: &str = "-";

/// Where a row comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Set {
    Bbq,
    Mbbq,
    /// MBBQ's control set: both persons of one gender, so that accuracy alone means something.
    MbbqControl,
    /// EsBBQ and CaBBQ.
    EsBbq,
    KoBbq,
}

impl Set {
    pub const ALL: [Set; 5] = [
        Set::Bbq,
        Set::Mbbq,
        Set::MbbqControl,
        Set::EsBbq,
        Set::KoBbq,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Set::Bbq => "bbq",
            Set::Mbbq => "mbbq",
            Set::MbbqControl => "mbbq-control",
            Set::EsBbq => "esbbq",
            Set::KoBbq => "kobbq",
        }
    }

    pub fn find(name: &str) -> Option<Set> {
        Set::ALL.into_iter().find(|set| set.name() == name)
    }
}

/// Who an option names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    Woman,
    Man,
    Trans,
    NotTrans,
    /// A person whose group the set does not say.
    Other,
    Unknown,
}

impl Group {
    /// By the tag of an option in any of the sets.
    pub fn of_tag(tag: &str) -> Option<Group> {
        Some(match tag {
            "woman" | "girl" | "F" | "f" | "vrouw" | "meisje" | "mujer" | "chica" | "kadın"
            | "kız" => Group::Woman,
            "man" | "boy" | "M" | "m" | "jongen" | "hombre" | "chico" | "adam" | "erkek çocuk" => {
                Group::Man
            }
            "trans" | "trans_F" | "trans_M" => Group::Trans,
            "nonTrans" | "nonTrans_F" | "nonTrans_M" => Group::NotTrans,
            "other" => Group::Other,
            "unknown" => Group::Unknown,
            _ => return None,
        })
    }

    pub fn letter(self) -> &'static str {
        match self {
            Group::Woman => "F",
            Group::Man => "M",
            Group::Trans => "T",
            Group::NotTrans => "N",
            Group::Other => "O",
            Group::Unknown => "U",
        }
    }

    fn of_letter(letter: &str) -> Option<Group> {
        [Group::Woman, Group::Man, Group::Trans]
            .into_iter()
            .find(|group| group.letter() == letter)
    }
}

/// Which rule says who of two persons the stereotype is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Targets {
    /// The text, where the tags contradict it.
    Text,
    /// The tags of the file.
    Published,
}

/// A row of any of the sets.
#[derive(Debug, Clone, PartialEq)]
pub struct QuestionRow {
    pub set: Set,
    /// Code of the language.
    pub language: String,
    /// As the file has it.
    pub id: String,
    /// What the row was made from: the cluster of intervals.
    pub template: String,
    pub block: String,
    pub negative: bool,
    pub ambiguous: bool,
    pub context: String,
    pub question: String,
    pub options: [String; 3],
    /// Word and tag of each option.
    pub words: [String; 3],
    pub tags: [String; 3],
    /// The stereotyped groups as the file writes them.
    pub groups: Vec<String>,
    /// Who the stereotype is about, where the set says so.
    pub target: Option<Group>,
    pub label: usize,
    pub unknown: usize,
    /// The stereotyped answer by the text and by the tags; `None` where not exactly one person is of the target group.
    pub by_text: Option<usize>,
    pub by_tags: Option<usize>,
    /// Whether all disambiguated rows of its template go one way, by the text.
    pub one_sided: bool,
}

impl QuestionRow {
    pub fn stereotyped(&self, targets: Targets) -> Option<usize> {
        match targets {
            Targets::Text => self.by_text,
            Targets::Published => self.by_tags,
        }
    }

    /// The two persons, in the order of the row.
    pub fn persons(&self) -> [usize; 2] {
        match self.unknown {
            0 => [1, 2],
            1 => [0, 2],
            _ => [0, 1],
        }
    }

    /// The person beside this one.
    pub fn other(&self, person: usize) -> usize {
        3 - self.unknown - person
    }

    /// The group of each option by its tag.
    pub fn kinds(&self) -> [Group; 3] {
        [0, 1, 2].map(|option| Group::of_tag(&self.tags[option]).unwrap_or(Group::Unknown))
    }

    /// Whether the label of a disambiguated row is the stereotyped answer; `None` where there is none.
    pub fn is_aligned(&self, targets: Targets) -> Option<bool> {
        let stereotyped = self.stereotyped(targets)?;
        (!self.ambiguous).then_some(stereotyped == self.label)
    }

    /// The set with its language: `bbq-en`, `mbbq-control-nl`.
    pub fn part(&self) -> String {
        format!("{}-{}", self.set.name(), self.language)
    }

    pub fn item(&self) -> Item {
        let index = |place: Option<usize>| match place {
            Some(place) => place.to_string(),
            None => NONE.to_owned(),
        };
        let mut item = Item::new(format!("{}:{}", self.part(), self.id), &self.context)
            .with_label(SET, self.set.name())
            .with_label(LANGUAGE, &self.language)
            .with_label(TEMPLATE, &self.template)
            .with_label(BLOCK, &self.block)
            .with_label(TARGET, self.target.map_or(NONE, Group::letter))
            .with_label(POLARITY, if self.negative { "neg" } else { "nonneg" })
            .with_label(CONDITION, if self.ambiguous { "ambig" } else { "disambig" })
            .with_label(QUESTION, &self.question)
            .with_label(GROUPS, self.groups.join("|"))
            .with_label(LABEL, self.label.to_string())
            .with_label(UNKNOWN, self.unknown.to_string())
            .with_label(BY_TEXT, index(self.by_text))
            .with_label(BY_TAGS, index(self.by_tags));
        if self.one_sided {
            item = item.with_label(ONE_SIDED, "yes");
        }
        for option in 0..3 {
            item = item
                .with_label(OPTION[option], &self.options[option])
                .with_label(WORD[option], &self.words[option])
                .with_label(TAG[option], &self.tags[option]);
        }
        item
    }

    /// The row of an item; `None` where a label is missing or wrong.
    pub fn of(item: ItemRef<'_>) -> Option<QuestionRow> {
        let label = |name: &str| item.label(name);
        let option = |name: &str| {
            let index: usize = label(name)?.parse().ok()?;
            (index < 3).then_some(index)
        };
        let maybe = |name: &str| match label(name)? {
            NONE => Some(None),
            _ => option(name).map(Some),
        };
        let three = |names: [&str; 3]| -> Option<[String; 3]> {
            let [a, b, c] = names.map(label);
            Some([a?.to_owned(), b?.to_owned(), c?.to_owned()])
        };
        let (set, language) = (label(SET)?, label(LANGUAGE)?);
        let prefix = format!("{set}-{language}:");
        Some(QuestionRow {
            set: Set::find(set)?,
            language: language.to_owned(),
            id: item.id.strip_prefix(&prefix)?.to_owned(),
            template: label(TEMPLATE)?.to_owned(),
            block: label(BLOCK)?.to_owned(),
            negative: label(POLARITY)? == "neg",
            ambiguous: label(CONDITION)? == "ambig",
            context: item.text.to_owned(),
            question: label(QUESTION)?.to_owned(),
            options: three(OPTION)?,
            words: three(WORD)?,
            tags: three(TAG)?,
            groups: label(GROUPS)?.split('|').map(str::to_owned).collect(),
            target: Group::of_letter(label(TARGET)?),
            label: option(LABEL)?,
            unknown: option(UNKNOWN)?,
            by_text: maybe(BY_TEXT)?,
            by_tags: maybe(BY_TAGS)?,
            one_sided: label(ONE_SIDED).is_some(),
        })
    }
}

/// The stereotyped answer: the person of the target group where the question asks for the stereotype's content, else the other
/// person. `None` unless exactly one person is of that group.
pub fn stereotyped(kinds: [Group; 3], target: Group, negative: bool) -> Option<usize> {
    let places = |test: &dyn Fn(Group) -> bool| -> Vec<usize> {
        (0..3).filter(|place| test(kinds[*place])).collect()
    };
    let own = places(&|kind| kind == target);
    let other = places(&|kind| kind != target && kind != Group::Unknown);
    match (own.as_slice(), other.as_slice()) {
        ([own], [other]) => Some(if negative { *own } else { *other }),
        _ => None,
    }
}
