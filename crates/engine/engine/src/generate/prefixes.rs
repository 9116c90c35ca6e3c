//! What prompts have in common at their beginning is read once.

/// A run of tokens that some prompts share, after the run of its parent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    pub parent: Option<usize>,
    pub tokens: Vec<u32>,
    /// Prompts that end here.
    pub prompts: Vec<usize>,
    /// How many runs come before it.
    pub depth: usize,
}

/// Shorter beginnings are not worth a pass of their own.
const WORTH_SHARING: usize = 4;

/// The runs of `prompts`, parents before children. Every prompt is the runs from one without a parent to the one
/// that names it.
pub fn runs(prompts: &[&[u32]]) -> Vec<Run> {
    let mut order: Vec<usize> = (0..prompts.len()).collect();
    order.sort_by(|a, b| prompts[*a].cmp(prompts[*b]));
    let mut runs = Vec::new();
    split(prompts, &order, 0, None, 0, &mut runs);
    runs
}

/// Adds the runs of `order` (sorted), which agree in their first `from` tokens.
fn split(
    prompts: &[&[u32]],
    order: &[usize],
    from: usize,
    parent: Option<usize>,
    depth: usize,
    runs: &mut Vec<Run>,
) {
    let mut rest = order;
    while let Some(first) = rest.first() {
        // As many as share enough with the first; sorted, so they follow it.
        let beginning = &prompts[*first][from..];
        let alike = |other: &&usize| common(beginning, &prompts[**other][from..]);
        let enough = |other: &&usize| {
            let shared = alike(other);
            shared >= WORTH_SHARING || (shared == beginning.len() && shared > 0)
        };
        let count = 1 + rest[1..].iter().take_while(enough).count();
        let (group, later) = rest.split_at(count);
        rest = later;
        let last = prompts[*group.last().unwrap_or(first)];
        let shared = match group.len() {
            1 => beginning.len(),
            _ => common(beginning, &last[from..]),
        };
        let index = runs.len();
        let end = from + shared;
        let (ending, beyond): (Vec<usize>, Vec<usize>) = group
            .iter()
            .partition(|prompt| prompts[**prompt].len() == end);
        runs.push(Run {
            parent,
            tokens: prompts[*first][from..end].to_vec(),
            prompts: ending,
            depth,
        });
        if !beyond.is_empty() {
            split(prompts, &beyond, end, Some(index), depth + 1, runs);
        }
    }
}

fn common(left: &[u32], right: &[u32]) -> usize {
    left.iter().zip(right).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_prompt_is_the_runs_that_lead_to_it() {
        let long: Vec<u32> = (0..40).collect();
        let with = |shared: usize, end: &[u32]| [&long[..shared], end].concat();
        let prompts = [
            with(20, &[90, 91]),
            with(20, &[92]),
            with(5, &[93]),
            with(20, &[]),
            with(32, &[94, 95]),
            with(32, &[94, 96]),
            with(20, &[92]),
            vec![7],
            vec![7, 8],
        ];
        let prompts: Vec<&[u32]> = prompts.iter().map(Vec::as_slice).collect();
        let runs = runs(&prompts);
        let mut seen = vec![0; prompts.len()];
        for run in &runs {
            let mut whole = run.tokens.clone();
            let mut parent = run.parent;
            while let Some(index) = parent {
                whole = [runs[index].tokens.as_slice(), &whole].concat();
                parent = runs[index].parent;
            }
            for prompt in &run.prompts {
                assert_eq!(whole, prompts[*prompt]);
                seen[*prompt] += 1;
            }
            assert!(
                run.parent
                    .is_none_or(|parent| runs[parent].depth + 1 == run.depth)
            );
            assert!(!run.tokens.is_empty());
        }
        assert!(seen.iter().all(|count| *count == 1), "{seen:?}");
        let read: usize = runs.iter().map(|run| run.tokens.len()).sum();
        assert!(read < 60, "{read} tokens are read");
    }
}
