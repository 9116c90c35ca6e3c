//! Orders of options. All six are asked unless fewer are wanted; fewer are chosen so that every option stands first
//! equally often over the items, and last as well.

use std::fmt;
use std::str::FromStr;

use super::Wording;

/// The options m, f and n (neither) in a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Order([u8; 3]);

const LETTERS: [char; 3] = ['m', 'f', 'n'];

/// The six orders: first three in which every option is first, in the middle and last once, then the other three.
const ALL: [Order; 6] = [
    Order([0, 1, 2]),
    Order([1, 2, 0]),
    Order([2, 0, 1]),
    Order([0, 2, 1]),
    Order([1, 0, 2]),
    Order([2, 1, 0]),
];

/// The most orders there are.
pub const MOST: usize = ALL.len();

impl Order {
    /// The options in their places: 0 is m, 1 is f, 2 is n.
    pub fn places(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().map(usize::from)
    }

    pub fn option_at(self, place: usize) -> usize {
        usize::from(self.0[place])
    }

    pub fn first(self) -> usize {
        self.option_at(0)
    }

    pub fn last(self) -> usize {
        self.option_at(2)
    }
}

/// The orders a wording is asked in where all are: six, or two where it only names two speakers.
pub fn all_of(wording: &Wording) -> Vec<Order> {
    match (wording.is_ordered(), wording.labels) {
        (false, _) => Vec::new(),
        (true, Some(_)) => ALL.to_vec(),
        (true, None) => vec![Order([0, 1, 2]), Order([1, 0, 2])],
    }
}

/// One of fewer orders: the `turn`-th (from 0) that the item with this number is asked in. The first three of an item
/// are a Latin square, the next three the other one; from item to item another option begins, and every third item
/// the squares change places.
pub(crate) fn of_turn(item: usize, turn: usize, odd: bool) -> Order {
    let square = (usize::from(odd) + item / 3 + turn / 3) % 2 * 3;
    ALL[square + (item + turn) % 3]
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters: String = self.places().map(|option| LETTERS[option]).collect();
        f.write_str(&letters)
    }
}

impl FromStr for Order {
    type Err = ();

    fn from_str(text: &str) -> Result<Order, ()> {
        ALL.into_iter()
            .find(|order| order.to_string() == text)
            .ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_orders_are_balanced_over_items() {
        for wanted in 1..=6 {
            for odd in [false, true] {
                let mut first = [0; 3];
                let mut last = [0; 3];
                for item in 0..12 {
                    let orders: Vec<Order> =
                        (0..wanted).map(|turn| of_turn(item, turn, odd)).collect();
                    let mut distinct = orders.clone();
                    distinct.sort_unstable();
                    distinct.dedup();
                    assert_eq!(distinct.len(), wanted);
                    for order in orders {
                        first[order.first()] += 1;
                        last[order.last()] += 1;
                    }
                }
                assert_eq!(first, [12 * wanted / 3; 3], "{wanted} orders");
                assert_eq!(last, [12 * wanted / 3; 3], "{wanted} orders");
            }
        }
    }

    #[test]
    fn orders_read_as_they_print() {
        for order in ALL {
            assert_eq!(order.to_string().parse(), Ok(order));
        }
        assert!("mmf".parse::<Order>().is_err());
    }
}
