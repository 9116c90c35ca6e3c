//! Mixtures of experts: a router gives each token a few networks out of many, and only those are computed.
//!
//! Experts that do not fit into memory stay in their file; one is read when tokens of a batch have chosen it, and let go
//! again. Each token's experts are added up in the order of their numbers, whatever batch it is in.

use std::fmt;

use super::FeedForward;
use super::forward::gather;
use epicene_checkpoint::CheckpointError;
use epicene_kernels::{self as cpu, Activation, Linear, Matrix, Workspace};

#[derive(Debug)]
pub struct Experts {
    pub router: Router,
    pub experts: Vec<Expert>,
    /// Opens and closes what all tokens pass through beside their experts (Qwen 2).
    pub shared_gate: Option<Linear>,
}

/// How a token comes to its experts.
#[derive(Debug)]
pub struct Router {
    pub logits: Linear,
    /// Experts of one token.
    pub chosen: usize,
    pub scoring: Scoring,
    /// Added to the scores for the choice alone (DeepSeek-V3); empty where there is none.
    pub correction: Vec<f32>,
    pub groups: Option<Groups>,
    /// Whether the chosen scores are made to add up to one.
    pub to_one: bool,
    /// Factor on the chosen scores.
    pub scale: f32,
    /// Whether a score weighs what goes into an expert (Llama 4), not what comes out of it.
    pub weighs_input: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scoring {
    Softmax,
    Sigmoid,
}

/// Experts in groups of equal size: only the best groups are chosen from (DeepSeek).
#[derive(Debug, Clone, Copy)]
pub struct Groups {
    pub count: usize,
    pub kept: usize,
    /// How many of a group's best scores make up its own.
    pub best: usize,
}

type Load = dyn Fn() -> Result<FeedForward, CheckpointError> + Send + Sync;

/// A network in memory, or the way to read it.
pub enum Expert {
    Here(FeedForward),
    InFile(Box<Load>),
}

impl fmt::Debug for Expert {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expert::Here(network) => network.fmt(f),
            Expert::InFile(_) => f.write_str("in its file"),
        }
    }
}

impl Expert {
    fn apply(&self, workspace: &mut Workspace, input: &Matrix) -> Result<Matrix, CheckpointError> {
        Ok(match self {
            Expert::Here(network) => network.apply(workspace, input),
            Expert::InFile(load) => load()?.apply(workspace, input),
        })
    }
}

impl Router {
    /// The experts of a token with their weights, in the order of their numbers.
    fn choose(&self, logits: &[f32]) -> Vec<(usize, f32)> {
        let mut scores = logits.to_vec();
        match self.scoring {
            Scoring::Softmax => cpu::softmax(&mut scores),
            Scoring::Sigmoid => scores
                .iter_mut()
                .for_each(|score| *score = 1.0 / (1.0 + (-*score).exp())),
        }
        let mut wanted = scores.clone();
        if !self.correction.is_empty() {
            cpu::add(&mut wanted, &self.correction);
        }
        if let Some(groups) = self.groups {
            groups.keep_the_best(&mut wanted);
        }
        let mut chosen = best(&wanted, self.chosen);
        chosen.sort_unstable();
        let mut chosen: Vec<(usize, f32)> = chosen
            .into_iter()
            .map(|expert| (expert, scores[expert]))
            .collect();
        if self.to_one {
            let sum: f32 = chosen.iter().map(|(_, score)| score).sum();
            // Sigmoids may all be nothing.
            let sum = sum.max(f32::MIN_POSITIVE);
            chosen.iter_mut().for_each(|(_, score)| *score /= sum);
        }
        chosen
            .iter_mut()
            .for_each(|(_, score)| *score *= self.scale);
        chosen
    }
}

impl Groups {
    /// Scores outside the best groups become nothing.
    fn keep_the_best(self, scores: &mut [f32]) {
        let size = scores.len() / self.count;
        let of_groups: Vec<f32> = scores
            .chunks_exact(size)
            .map(|group| {
                best(group, self.best)
                    .iter()
                    .map(|place| group[*place])
                    .sum()
            })
            .collect();
        let kept = best(&of_groups, self.kept);
        for (group, scores) in scores.chunks_exact_mut(size).enumerate() {
            if !kept.contains(&group) {
                scores.fill(0.0);
            }
        }
    }
}

/// The places of the highest numbers, the highest first, of equal ones the first.
fn best(scores: &[f32], count: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..scores.len()).collect();
    places.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    places.truncate(count);
    places
}

impl Experts {
    /// What the experts of each token give, with what all tokens pass through added.
    pub fn apply(
        &self,
        workspace: &mut Workspace,
        input: &Matrix,
        shared: Option<Matrix>,
    ) -> Result<Matrix, CheckpointError> {
        let logits = self
            .router
            .logits
            .apply(workspace, input.view(), Activation::Identity);
        let mut tokens: Vec<Vec<(usize, f32)>> = vec![Vec::new(); self.experts.len()];
        for token in 0..input.rows {
            for (expert, weight) in self.router.choose(logits.row(token)) {
                tokens[expert].push((token, weight));
            }
        }
        workspace.give(logits);
        let mut out = workspace.matrix(input.rows, input.columns);
        out.data.fill(0.0);
        for (expert, tokens) in self.experts.iter().zip(&tokens) {
            if tokens.is_empty() {
                continue;
            }
            let rows: Vec<usize> = tokens.iter().map(|(token, _)| *token).collect();
            let mut own = gather(workspace, input, &rows);
            if self.router.weighs_input {
                weigh(&mut own, tokens);
            }
            let mut given = expert.apply(workspace, &own)?;
            if !self.router.weighs_input {
                weigh(&mut given, tokens);
            }
            for (row, (token, _)) in tokens.iter().enumerate() {
                cpu::add(out.row_mut(*token), given.row(row));
            }
            workspace.give(own);
            workspace.give(given);
        }
        if let Some(mut shared) = shared {
            if let Some(gate) = &self.shared_gate {
                let open = gate.apply(workspace, input.view(), Activation::Identity);
                for (row, open) in open.data.iter().enumerate() {
                    cpu::scale(shared.row_mut(row), 1.0 / (1.0 + (-open).exp()));
                }
                workspace.give(open);
            }
            cpu::add(&mut out.data, &shared.data);
            workspace.give(shared);
        }
        Ok(out)
    }
}

fn weigh(rows: &mut Matrix, tokens: &[(usize, f32)]) {
    for (row, (_, weight)) in tokens.iter().enumerate() {
        cpu::scale(rows.row_mut(row), *weight);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use epicene_kernels::{Keeping, Precision};

    fn router() -> Router {
        Router {
            logits: Linear::from_rows(6, 1, Keeping::Wide(Precision::F32), &[0.0; 6], Vec::new()),
            chosen: 2,
            scoring: Scoring::Softmax,
            correction: Vec::new(),
            groups: None,
            to_one: true,
            scale: 1.0,
            weighs_input: false,
        }
    }

    #[test]
    fn the_best_scores_are_chosen_in_the_order_of_their_numbers() {
        let logits = [0.0, 3.0, 1.0, 5.0, -1.0, 2.0];
        let chosen = router().choose(&logits);
        let places: Vec<usize> = chosen.iter().map(|(expert, _)| *expert).collect();
        assert_eq!(places, [1, 3]);
        let sum: f32 = chosen.iter().map(|(_, weight)| weight).sum();
        assert!((sum - 1.0).abs() < 1e-6);
        // A softmax over the chosen logits alone is the same.
        assert!((chosen[1].1 - 1.0 / (1.0 + (-2f32).exp())).abs() < 1e-6);
    }

    #[test]
    fn groups_and_corrections_change_the_choice_and_not_the_weights() {
        let logits = [0.0, 3.0, 1.0, 5.0, -1.0, 2.0];
        let mut router = router();
        router.scoring = Scoring::Sigmoid;
        router.to_one = false;
        router.scale = 2.0;
        router.correction = vec![0.0, 0.0, 0.0, 0.0, 9.0, 9.0];
        router.groups = Some(Groups {
            count: 3,
            kept: 1,
            best: 2,
        });
        let chosen = router.choose(&logits);
        let places: Vec<usize> = chosen.iter().map(|(expert, _)| *expert).collect();
        assert_eq!(places, [4, 5]);
        assert!((chosen[0].1 - 2.0 / (1.0 + 1f32.exp())).abs() < 1e-6);
    }
}
