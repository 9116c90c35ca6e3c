//! What services ask for, by their price lists. Estimates: contracts, free quotas and taxes are
//! not known here.

use crate::Price;

const PRICES: &str = include_str!("../data/prices.tsv");
/// When the lists were read.
const AS_OF: &str = "2025-10";

/// A paid run of more sentences than this is not started without the user's word.
pub const SENTENCES_WITHOUT_ASKING: u64 = 1000;

/// The list price of a service; `None` where asking costs nothing.
pub fn price(service: &str) -> Option<Price> {
    let row = PRICES
        .lines()
        .filter(|line| !line.starts_with('#'))
        .find_map(|line| line.split_once('\t').filter(|(name, _)| *name == service))?;
    let dollars: f64 = row.1.trim().parse().ok()?;
    Some(Price {
        dollars_per_million: Some(dollars),
        as_of: AS_OF,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_paid_service_has_a_price() {
        for service in ["deepl", "deepl-free", "google", "microsoft", "amazon"] {
            assert!(price(service).is_some(), "{service}");
        }
        let estimate = price("google").unwrap().estimate(2_000_000).unwrap();
        assert!((estimate - 40.0).abs() < 1e-9);
        assert!(price("apertium").is_none());
    }
}
