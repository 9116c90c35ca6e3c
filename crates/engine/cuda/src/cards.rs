//! Where models run, as people name it: `auto`, `cpu`, `cuda`, `cuda:1`, `cuda:0,1`.

use std::str::FromStr;

/// The most GPUs of a list.
const MOST: usize = 16;

/// GPUs by their numbers. Questions are split among them; one that is named twice holds the model twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cards {
    numbers: [usize; MOST],
    count: usize,
}

impl Cards {
    pub fn one(number: usize) -> Cards {
        let mut numbers = [0; MOST];
        numbers[0] = number;
        Cards { numbers, count: 1 }
    }

    /// In the order they were named; one at least.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.numbers.into_iter().take(self.count)
    }
}

impl FromStr for Cards {
    type Err = String;

    fn from_str(given: &str) -> Result<Cards, String> {
        let mut cards = Cards {
            numbers: [0; MOST],
            count: 0,
        };
        for number in given.split(',') {
            let place = cards.numbers.get_mut(cards.count);
            let place = place.ok_or_else(|| format!("more than {MOST} GPUs"))?;
            *place = number
                .trim()
                .parse()
                .map_err(|_| format!("`{number}` is not the number of a GPU"))?;
            cards.count += 1;
        }
        Ok(cards)
    }
}

/// Where a model runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Placement {
    /// On a GPU if there is one that supports the model and has room for it, else on CPU.
    Auto,
    #[default]
    Cpu,
    /// On these GPUs or not at all.
    Cuda(Cards),
}

impl Placement {
    /// On this GPU or not at all.
    pub fn cuda(number: usize) -> Placement {
        Placement::Cuda(Cards::one(number))
    }
}

impl FromStr for Placement {
    type Err = String;

    fn from_str(given: &str) -> Result<Placement, String> {
        match given.split_once(':') {
            None if given == "auto" => Ok(Placement::Auto),
            None if given == "cpu" => Ok(Placement::Cpu),
            None if given == "cuda" => Ok(Placement::cuda(0)),
            Some(("cuda", numbers)) => numbers.parse().map(Placement::Cuda),
            _ => Err(format!(
                "`{given}` is not auto, cpu, cuda, cuda:N or cuda:N,N"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_as_people_write_them() {
        let numbers = |given: &str| match given.parse() {
            Ok(Placement::Cuda(cards)) => cards.iter().collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        };
        assert_eq!(numbers("cuda"), [0]);
        assert_eq!(numbers("cuda:3"), [3]);
        assert_eq!(numbers("cuda:0,1,5"), [0, 1, 5]);
        assert_eq!(numbers("cuda:0,0"), [0, 0]);
        assert_eq!("cpu".parse(), Ok(Placement::Cpu));
        assert_eq!("auto".parse(), Ok(Placement::Auto));
        for wrong in [
            "cuda:", "cuda:x", "cuda:0,", "cuda:-1", "gpu", "cuda:0;1", "cpu:0",
        ] {
            assert!(wrong.parse::<Placement>().is_err(), "{wrong}");
        }
        let many = format!("cuda:{}", ["0"; 17].join(","));
        assert!(many.parse::<Placement>().is_err());
    }
}
