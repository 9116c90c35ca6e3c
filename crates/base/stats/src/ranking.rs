//! Which of several systems can be told apart, from pairwise tests: groups that share a member, and ranks as ranges.

/// Maximal sets of systems no two of which differ, each in the order of the systems, the sets ordered by their
/// first member (the "compact letters" of Piepho 2004 by insert and absorb). `differ(i, j)` for i < j.
pub fn indistinguishable_groups(
    systems: usize,
    differ: impl Fn(usize, usize) -> bool,
) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = vec![(0..systems).collect()];
    for first in 0..systems {
        for second in first + 1..systems {
            if !differ(first, second) {
                continue;
            }
            let mut split = Vec::new();
            for group in groups {
                if group.contains(&first) && group.contains(&second) {
                    for without in [second, first] {
                        split.push(group.iter().copied().filter(|at| *at != without).collect());
                    }
                } else {
                    split.push(group);
                }
            }
            groups = absorb(split);
        }
    }
    groups.sort();
    groups
}

/// Drops groups that another one holds whole.
fn absorb(mut groups: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    let mut kept: Vec<Vec<usize>> = Vec::new();
    for group in groups {
        let held = |other: &Vec<usize>| group.iter().all(|at| other.contains(at));
        if !group.is_empty() && !kept.iter().any(held) {
            kept.push(group);
        }
    }
    kept
}

/// The ranks (1 is the largest value) a system may have: one more than those certainly above it, up to all but those
/// certainly below it.
pub fn rank_range(
    values: &[f64],
    system: usize,
    differ: impl Fn(usize, usize) -> bool,
) -> (usize, usize) {
    let certain = |other: usize| differ(system.min(other), system.max(other));
    let others = (0..values.len()).filter(|other| *other != system);
    let (mut above, mut below) = (0, 0);
    for other in others.filter(|other| certain(*other)) {
        if values[other] > values[system] {
            above += 1;
        } else {
            below += 1;
        }
    }
    (above + 1, values.len() - below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_that_overlap_share_groups() {
        // 0 differs from 2 and 3, 1 from 3 only.
        let differ = |a, b| matches!((a, b), (0, 2) | (0, 3) | (1, 3));
        assert_eq!(
            indistinguishable_groups(4, differ),
            [vec![0, 1], vec![1, 2], vec![2, 3]]
        );
        let values = [4.0, 3.0, 2.0, 1.0];
        assert_eq!(rank_range(&values, 0, differ), (1, 2));
        assert_eq!(rank_range(&values, 1, differ), (1, 3));
        assert_eq!(rank_range(&values, 3, differ), (3, 4));
    }

    #[test]
    fn all_alike_is_one_group_and_all_different_are_many() {
        assert_eq!(indistinguishable_groups(3, |_, _| false), [vec![0, 1, 2]]);
        assert_eq!(
            indistinguishable_groups(3, |_, _| true),
            [vec![0], vec![1], vec![2]]
        );
    }
}
