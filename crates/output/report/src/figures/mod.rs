//! Figures drawn from measure rows, as SVG and PNG. One file for each figure; a figure that has no rows to
//! show is not drawn. To add one, write it and name it in [`ALL`].

mod about;
mod axis;
mod bars;
mod chat_framing;
mod colour_scale;
mod dots;
mod eurogest;
mod font;
mod gate;
#[cfg(test)]
mod geometry_tests;
mod gest_plane;
mod gest_ranks;
mod gest_size;
mod gest_stereotypes;
mod gest_templates;
mod gest_validity;
mod grid;
mod labels;
pub(crate) mod map;
mod mittens;
mod mtgeneval;
mod one_number;
mod panels;
mod pdf;
mod png;
mod ranking;
mod scatter;
mod scene;
pub(crate) mod svg;
mod symbol;
mod unambiguous;
mod wibemt;
mod winomt;
mod word_scores;

pub use crate::chart_data::{Data, Entry};
pub(crate) use axis::{Axis, tick_label};
pub(crate) use dots::{Dot, DotChart, DotLine, Group};
pub use png::PaintError;
pub use scene::{Anchor, Ink, Scene};
pub use symbol::Symbol;

/// A drawn figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// File name without extension, and identifier in a page.
    pub name: String,
    pub title: String,
    /// What to see and how to read it.
    pub caption: String,
    /// The figure in words, for those who do not see it.
    pub description: String,
    pub scene: Scene,
}

impl Figure {
    /// A file of its own.
    pub fn svg(&self) -> String {
        svg::standalone(self)
    }

    /// Vectors on a page of its own, so many points wide.
    pub fn pdf(&self, width: f64) -> Vec<u8> {
        pdf::paint(&self.scene, width)
    }

    /// On white, at twice the size.
    pub fn png(&self) -> Result<Vec<u8>, PaintError> {
        png::paint(&self.scene)
    }
}

/// Draws what the rows of a benchmark have something for.
type Draw = fn(&Data<'_>) -> Vec<Figure>;

/// Every figure there is, in the order of the page.
const ALL: &[Draw] = &[
    chat_framing::draw,
    gest_stereotypes::draw,
    gest_plane::draw,
    gest_ranks::draw,
    gest_templates::draw,
    gest_size::draw,
    gest_validity::draw,
    wibemt::draw,
    word_scores::draw,
    winomt::draw,
    unambiguous::draw,
    mittens::draw,
    mtgeneval::draw,
    gate::draw,
    eurogest::draw,
];

/// What a first screen answers with: rankings, and maps of systems by languages and by parts of the items.
pub fn front(data: &Data<'_>) -> Vec<Figure> {
    let mut front = ranking::draw(data);
    front.extend(map::draw(data));
    front
}

/// The benchmark's own figures.
pub fn figures(data: &Data<'_>) -> Vec<Figure> {
    let own: Vec<Figure> = ALL.iter().flat_map(|draw| draw(data)).collect();
    if own.is_empty() {
        one_number::draw(data)
    } else {
        own
    }
}

/// At most a dozen things in words; a description is to be listened to.
fn listed(things: impl Iterator<Item = String>) -> String {
    let mut all: Vec<String> = things.collect();
    if all.len() > 12 {
        let more = all.len() - 12;
        all.truncate(12);
        all.push(format!("and {more} more"));
    }
    all.join("; ")
}
