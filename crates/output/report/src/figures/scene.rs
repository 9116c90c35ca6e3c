//! What a figure is made of: a few kinds of marks, each in an ink that has one meaning everywhere. One
//! scene is written as SVG and painted as PNG, so that the two cannot differ.

use super::font;
use super::symbol::Symbol;

/// Colours by meaning. The first six series are Okabe and Ito's, which people tell apart whatever their colour
/// vision; series also differ in shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ink {
    Text,
    Muted,
    Axis,
    Grid,
    /// The value of an unbiased system.
    Ideal,
    /// A line to compare with that is not the ideal.
    Reference,
    /// Published results behind one's own.
    Background,
    Women,
    Men,
    Correct,
    Wrong,
    Inconclusive,
    Series(usize),
    /// The page itself, to interrupt a line.
    Paper,
    /// A cell of a map, from -[`STEPS`] (below the ideal) to [`STEPS`] (above); text can be read on all of them.
    Step(i8),
}

/// Colours of a map on each side of the ideal.
pub const STEPS: i8 = 4;

/// How many series have an ink and a shape of their own.
pub const SERIES: usize = 10;

impl Ink {
    pub const ALL: [Ink; 13 + SERIES + 2 * STEPS as usize + 1] = [
        Ink::Paper,
        Ink::Step(-4),
        Ink::Step(-3),
        Ink::Step(-2),
        Ink::Step(-1),
        Ink::Step(0),
        Ink::Step(1),
        Ink::Step(2),
        Ink::Step(3),
        Ink::Step(4),
        Ink::Text,
        Ink::Muted,
        Ink::Axis,
        Ink::Grid,
        Ink::Ideal,
        Ink::Reference,
        Ink::Background,
        Ink::Women,
        Ink::Men,
        Ink::Correct,
        Ink::Wrong,
        Ink::Inconclusive,
        Ink::Series(0),
        Ink::Series(1),
        Ink::Series(2),
        Ink::Series(3),
        Ink::Series(4),
        Ink::Series(5),
        Ink::Series(6),
        Ink::Series(7),
        Ink::Series(8),
        Ink::Series(9),
    ];

    /// The class of the mark in SVG.
    pub fn class(self) -> &'static str {
        match self {
            Ink::Text => "tx",
            Ink::Muted => "mu",
            Ink::Axis => "ax",
            Ink::Grid => "gr",
            Ink::Ideal => "id",
            Ink::Reference => "re",
            Ink::Background => "bg",
            Ink::Women => "wo",
            Ink::Men => "me",
            Ink::Correct => "ok",
            Ink::Wrong => "ko",
            Ink::Inconclusive => "na",
            Ink::Series(series) => {
                ["s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9"][series % SERIES]
            }
            Ink::Paper => "pa",
            Ink::Step(step) => {
                ["d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8"][Ink::place_of(step)]
            }
        }
    }

    /// Red, green, blue on a white page and on a dark one.
    pub fn colours(self) -> [&'static str; 2] {
        match self {
            Ink::Text => ["#1b1b1b", "#ececec"],
            Ink::Muted => ["#595959", "#b4b4b4"],
            Ink::Axis => ["#6b6b6b", "#9a9a9a"],
            Ink::Grid => ["#e4e4e4", "#34373c"],
            Ink::Ideal => ["#1b1b1b", "#ececec"],
            Ink::Reference => ["#6b6b6b", "#a0a0a0"],
            Ink::Background => ["#a6a6a6", "#70757d"],
            Ink::Women | Ink::Wrong => ["#d55e00", "#f5894a"],
            Ink::Men | Ink::Correct => ["#0072b2", "#56b4e9"],
            Ink::Inconclusive => ["#c4c4c4", "#5d626a"],
            Ink::Series(series) => [
                ["#0072b2", "#56b4e9"],
                ["#d55e00", "#f5894a"],
                ["#009e73", "#2cc498"],
                ["#cc79a7", "#e2a3c6"],
                ["#b97f00", "#f0bd4e"],
                ["#4b4b4b", "#cfcfcf"],
                ["#7a3d9a", "#bd93da"],
                ["#8c510a", "#cf9a5b"],
                ["#1b8a9e", "#63cfdd"],
                ["#a50f3c", "#f27a98"],
            ][series % SERIES],
            Ink::Paper => ["#ffffff", "#16181c"],
            Ink::Step(step) => [
                ["#6fb1dc", "#1c6596"],
                ["#97c7e6", "#1b5378"],
                ["#bddcf0", "#1b425c"],
                ["#dfeef8", "#1d3140"],
                ["#f4f4f4", "#24272c"],
                ["#fbe8d8", "#3d2f26"],
                ["#f8cfae", "#5a3c28"],
                ["#f3b07e", "#7a4a28"],
                ["#ea8f4f", "#96551f"],
            ][Ink::place_of(step)],
        }
    }

    fn place_of(step: i8) -> usize {
        usize::from((step.clamp(-STEPS, STEPS) + STEPS).unsigned_abs())
    }
}

/// A point in pixels; y grows downwards.
pub type Pixel = (f64, f64);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    Line {
        from: Pixel,
        to: Pixel,
        width: f64,
        dashed: bool,
    },
    Rectangle {
        corner: Pixel,
        size: (f64, f64),
    },
    Symbol {
        centre: Pixel,
        radius: f64,
        symbol: Symbol,
    },
    Text {
        at: Pixel,
        anchor: Anchor,
        size: f64,
        text: String,
        /// Read from below to above; the text begins at `at`.
        upright: bool,
    },
}

/// What a mark says when pointed at, and which row of the results it shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    pub text: String,
    pub row: Option<usize>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    pub shape: Shape,
    pub ink: Ink,
    /// Lets what lies below shine through.
    pub faint: bool,
    pub note: Option<Note>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    pub width: f64,
    pub height: f64,
    pub marks: Vec<Mark>,
    /// What each ink stands for, where the picture says so.
    pub explained: Vec<(Ink, String)>,
}

/// Sizes of text in figures.
pub const SMALL: f64 = 11.0;
pub const NORMAL: f64 = 12.0;

impl Scene {
    pub fn new(width: f64, height: f64) -> Scene {
        Scene {
            width,
            height,
            marks: Vec::new(),
            explained: Vec::new(),
        }
    }

    /// Notes that the picture says what an ink stands for.
    pub fn explain(&mut self, ink: Ink, meaning: &str) {
        self.explained.push((ink, meaning.to_owned()));
    }

    fn push(&mut self, shape: Shape, ink: Ink) -> &mut Mark {
        self.marks.push(Mark {
            shape,
            ink,
            faint: false,
            note: None,
        });
        let last = self.marks.len() - 1;
        &mut self.marks[last]
    }

    pub fn line(&mut self, ink: Ink, from: Pixel, to: Pixel, width: f64) -> &mut Mark {
        let dashed = false;
        self.push(
            Shape::Line {
                from,
                to,
                width,
                dashed,
            },
            ink,
        )
    }

    pub fn dashed(&mut self, ink: Ink, from: Pixel, to: Pixel, width: f64) -> &mut Mark {
        let dashed = true;
        self.push(
            Shape::Line {
                from,
                to,
                width,
                dashed,
            },
            ink,
        )
    }

    pub fn rectangle(&mut self, ink: Ink, corner: Pixel, size: (f64, f64)) -> &mut Mark {
        self.push(Shape::Rectangle { corner, size }, ink)
    }

    pub fn symbol(&mut self, ink: Ink, symbol: Symbol, centre: Pixel, radius: f64) -> &mut Mark {
        self.push(
            Shape::Symbol {
                centre,
                radius,
                symbol,
            },
            ink,
        )
    }

    /// Text of the normal size; `at` is on the base line.
    pub fn text(&mut self, ink: Ink, anchor: Anchor, at: Pixel, text: &str) -> &mut Mark {
        self.sized_text(ink, anchor, at, text, NORMAL)
    }

    pub fn sized_text(
        &mut self,
        ink: Ink,
        anchor: Anchor,
        at: Pixel,
        text: &str,
        size: f64,
    ) -> &mut Mark {
        let text = text.to_owned();
        self.push(
            Shape::Text {
                at,
                anchor,
                size,
                text,
                upright: false,
            },
            ink,
        )
    }

    /// Text on its side.
    pub fn upright_text(&mut self, ink: Ink, at: Pixel, text: &str, size: f64) -> &mut Mark {
        self.push(
            Shape::Text {
                at,
                anchor: Anchor::Start,
                size,
                text: text.to_owned(),
                upright: true,
            },
            ink,
        )
    }

    /// A short list of what the inks mean, in one or more lines from `at`; returns its height.
    pub fn legend(&mut self, at: Pixel, right: f64, entries: &[(Ink, Symbol, String)]) -> f64 {
        let (mut x, mut y) = at;
        for (ink, symbol, name) in entries {
            let width = font::room(name, SMALL) + 30.0;
            if x + width > right && x > at.0 {
                x = at.0;
                y += 18.0;
            }
            self.symbol(*ink, *symbol, (x + 5.0, y - 4.0), 4.5);
            self.sized_text(Ink::Text, Anchor::Start, (x + 15.0, y), name, SMALL);
            self.explain(*ink, name);
            x += width;
        }
        y - at.1 + 18.0
    }
}

impl Mark {
    pub fn faint(&mut self) -> &mut Mark {
        self.faint = true;
        self
    }

    pub fn says(&mut self, text: String, row: Option<usize>) -> &mut Mark {
        self.note = Some(Note { text, row });
        self
    }
}
