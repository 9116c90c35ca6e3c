//! Names beside points, placed so that they cover neither each other nor the points. A name that finds no
//! room is left out: pointing at its dot still says it.

use super::font;
use super::scene::{Anchor, Ink, Place, SMALL, Scene};

type Area = (f64, f64, f64, f64);

pub struct Placer {
    taken: Vec<Area>,
    within: Area,
}

impl Placer {
    /// Names stay inside `within` (left, top, right, bottom) and off the points.
    pub fn new(within: Area, points: impl IntoIterator<Item = Place>) -> Placer {
        let point = |(x, y): Place| (x - 4.0, y - 4.0, x + 4.0, y + 4.0);
        Placer {
            taken: points.into_iter().map(point).collect(),
            within,
        }
    }

    pub fn name(&mut self, scene: &mut Scene, (x, y): Place, name: &str) {
        let width = font::width(name, SMALL) * 1.06;
        let places = [
            (Anchor::Start, (x + 8.0, y + 4.0)),
            (Anchor::End, (x - 8.0, y + 4.0)),
            (Anchor::Middle, (x, y - 9.0)),
            (Anchor::Middle, (x, y + 17.0)),
            (Anchor::Start, (x + 7.0, y - 8.0)),
            (Anchor::Start, (x + 7.0, y + 15.0)),
            (Anchor::End, (x - 7.0, y - 8.0)),
            (Anchor::End, (x - 7.0, y + 15.0)),
        ];
        for (anchor, at) in places {
            let left = match anchor {
                Anchor::Start => at.0,
                Anchor::Middle => at.0 - width / 2.0,
                Anchor::End => at.0 - width,
            };
            let area = (left, at.1 - 10.0, left + width, at.1 + 3.0);
            let inside = area.0 >= self.within.0
                && area.1 >= self.within.1
                && area.2 <= self.within.2
                && area.3 <= self.within.3;
            let free = self.taken.iter().all(|other| {
                area.2 < other.0 || area.0 > other.2 || area.3 < other.1 || area.1 > other.3
            });
            if inside && free {
                scene.sized_text(Ink::Text, anchor, at, name, SMALL);
                self.taken.push(area);
                return;
            }
        }
    }
}
