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

    /// Keeps names off the arms of a point: how far its interval reaches to every side.
    pub fn avoid_arms(&mut self, (x, y): Place, (left, top, right, bottom): Area) {
        self.taken.push((left, y - 1.0, right, y + 1.0));
        self.taken.push((x - 1.0, top, x + 1.0, bottom));
    }

    pub fn name(&mut self, scene: &mut Scene, (x, y): Place, name: &str) {
        let width = font::room(name, SMALL);
        let mut places = Vec::new();
        // Close by first, then a little further away.
        for reach in [0.0, 6.0, 14.0, 24.0] {
            places.extend([
                (Anchor::Start, (x + 8.0 + reach, y + 4.0)),
                (Anchor::End, (x - 8.0 - reach, y + 4.0)),
                (Anchor::Start, (x + 6.0, y - 7.0 - reach)),
                (Anchor::Start, (x + 6.0, y + 14.0 + reach)),
                (Anchor::End, (x - 6.0, y - 7.0 - reach)),
                (Anchor::End, (x - 6.0, y + 14.0 + reach)),
                (Anchor::Middle, (x, y - 9.0 - reach)),
                (Anchor::Middle, (x, y + 17.0 + reach)),
            ]);
        }
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
