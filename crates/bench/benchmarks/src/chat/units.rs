//! The names of chat units: `choice:1+order:mfn`, `completion:3`, `character:2+temperature:0.7+try:2`.
//! Made and taken apart in one place, because the log knows an answer by them.

use epicene_core::Unit;

use super::{Frame, Order, of_turn};

/// A unit taken apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChatUnit {
    pub frame: Frame,
    pub wording: u8,
    pub order: Option<Ordering>,
    pub temperature: f64,
    /// Tokens for thinking aloud, beyond the answer's own.
    pub thinking: u32,
    /// Counted from 1.
    pub attempt: u32,
}

/// In which order options stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ordering {
    /// The same for all items.
    Fixed(Order),
    /// The item's own, where fewer than all orders are asked; `odd` begins with the other Latin square.
    Turn { turn: u8, odd: bool },
}

impl ChatUnit {
    pub fn unit(&self) -> Unit {
        let mut unit = Unit::of(self.frame.name(), self.wording);
        match self.order {
            Some(Ordering::Fixed(order)) => unit = unit.and("order", order),
            Some(Ordering::Turn { turn, odd }) => {
                let square = if odd { "b" } else { "a" };
                unit = unit.and("turn", format_args!("{}{square}", turn + 1));
            }
            None => {}
        }
        if self.temperature != 0.0 {
            unit = unit.and("temperature", self.temperature);
        }
        if self.thinking > 0 {
            unit = unit.and("thinking", self.thinking);
        }
        if self.attempt > 1 {
            unit = unit.and("try", self.attempt);
        }
        unit
    }

    /// `None` for a unit that no chat benchmark made.
    pub fn of(unit: &Unit) -> Option<ChatUnit> {
        let (frame, wording) = Frame::ALL
            .into_iter()
            .find_map(|frame| Some((frame, unit.get(frame.name())?.parse().ok()?)))?;
        let order = match (unit.get("order"), unit.get("turn")) {
            (Some(order), _) => Some(Ordering::Fixed(order.parse().ok()?)),
            (None, Some(turn)) => {
                let (number, odd) = match turn.strip_suffix('a') {
                    Some(number) => (number, false),
                    None => (turn.strip_suffix('b')?, true),
                };
                let turn = number.parse::<u8>().ok()?.checked_sub(1)?;
                Some(Ordering::Turn { turn, odd })
            }
            (None, None) => None,
        };
        let part = |name: &str, default: &'static str| unit.get(name).unwrap_or(default).to_owned();
        Some(ChatUnit {
            frame,
            wording,
            order,
            temperature: part("temperature", "0").parse().ok()?,
            thinking: part("thinking", "0").parse().ok()?,
            attempt: part("try", "1").parse().ok()?,
        })
    }

    /// The name of the wording alone, which rows carry: `choice:1`.
    pub fn wording_unit(&self) -> String {
        format!("{}:{}", self.frame.name(), self.wording)
    }

    /// The order in which an item's options stand.
    pub fn order_of(&self, id: &str) -> Option<Order> {
        match self.order? {
            Ordering::Fixed(order) => Some(order),
            Ordering::Turn { turn, odd } => Some(of_turn(number(id), usize::from(turn), odd)),
        }
    }
}

/// The number at the end of an item's id; ids without one are spread by their letters.
fn number(id: &str) -> usize {
    let digits = id
        .rsplit(|c: char| !c.is_ascii_digit())
        .next()
        .unwrap_or("");
    match digits.parse::<usize>() {
        Ok(number) => number,
        Err(_) => spread(id),
    }
}

/// A stable number from a text (FNV-1a).
pub fn spread(text: &str) -> usize {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash >> 16) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_taken_apart_as_they_were_made() {
        let order = Some(Ordering::Fixed("nfm".parse().unwrap()));
        let turn = Some(Ordering::Turn { turn: 2, odd: true });
        for (order, temperature, thinking, attempt, name) in [
            (order, 0.0, 0, 1, "choice:4+order:nfm"),
            (turn, 0.0, 500, 1, "choice:4+turn:3b+thinking:500"),
            (None, 0.7, 0, 12, "choice:4+temperature:0.7+try:12"),
        ] {
            let place = ChatUnit {
                frame: Frame::Choice,
                wording: 4,
                order,
                temperature,
                thinking,
                attempt,
            };
            assert_eq!(place.unit().as_str(), name);
            assert_eq!(ChatUnit::of(&place.unit()), Some(place));
        }
        for other in [
            "template:3",
            "choice:x",
            "choice:1+order:mm",
            "choice:1+turn:0a",
            "choice:1+turn:2",
        ] {
            assert_eq!(ChatUnit::of(&Unit::named(other)), None, "{other}");
        }
    }

    #[test]
    fn items_have_numbers() {
        assert_eq!(number("gest:17"), 17);
        assert_eq!(number("a:b"), number("a:b"));
        assert_ne!(number("a:b"), number("a:c"));
    }
}
