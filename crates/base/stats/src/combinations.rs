//! Subsets in lexicographic order, by rank: what lets threads share the splits of an exact permutation test.

/// n choose k, if it fits.
pub(crate) fn binomial_coefficient(n: usize, k: usize) -> Option<u64> {
    let mut result: u64 = 1;
    for step in 1..=k.min(n - k) as u64 {
        // The product of `step` neighbouring integers is divisible by step!.
        result =
            u64::try_from(u128::from(result) * u128::from(n as u64 - step + 1) / u128::from(step))
                .ok()?;
    }
    Some(result)
}

/// The `rank`-th of the k-subsets of 0..n in lexicographic order; `rank` is below their number.
pub(crate) fn nth_combination(n: usize, k: usize, mut rank: u64) -> Vec<usize> {
    let mut combination = Vec::with_capacity(k);
    let mut candidate = 0;
    while combination.len() < k {
        let with_candidate =
            binomial_coefficient(n - candidate - 1, k - combination.len() - 1).unwrap_or(u64::MAX);
        if rank < with_candidate {
            combination.push(candidate);
        } else {
            rank -= with_candidate;
        }
        candidate += 1;
    }
    combination
}

/// Moves on to the next subset in lexicographic order; the last one stays.
pub(crate) fn next_combination(combination: &mut [usize], n: usize) {
    let k = combination.len();
    if let Some(place) = (0..k)
        .rev()
        .find(|&place| combination[place] < n - k + place)
    {
        let start = combination[place] + 1;
        for (offset, item) in combination[place..].iter_mut().enumerate() {
            *item = start + offset;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_follow_the_order() {
        let mut combination = vec![0, 1, 2];
        let total = binomial_coefficient(7, 3).unwrap();
        assert_eq!(total, 35);
        for rank in 0..total {
            assert_eq!(combination, nth_combination(7, 3, rank));
            next_combination(&mut combination, 7);
        }
        assert_eq!(combination, [4, 5, 6], "the last one stays");
    }

    #[test]
    fn coefficients_that_do_not_fit_are_none() {
        assert_eq!(binomial_coefficient(5, 0), Some(1));
        assert_eq!(
            binomial_coefficient(67, 33),
            Some(14_226_520_737_620_288_370)
        );
        assert_eq!(binomial_coefficient(68, 34), None);
    }
}
