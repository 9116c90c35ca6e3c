//! A lane on CPU.

use super::batch::{Continuations, Lane, Live, batch_of};
use super::search::{Beam, Search};
use super::{Seq2Seq, vocabulary};
use epicene_checkpoint::CheckpointError;
use epicene_kernels::Workspace;
use epicene_transformer::Depth;
use epicene_transformer::{Kept, Last};

/// Tokens that the encoder reads at once.
const ENCODER_TOKENS: usize = 480;

pub struct ProcessorLane<'a> {
    model: &'a Seq2Seq,
    /// The token every translation begins with.
    first: Option<u32>,
    workspace: Workspace,
}

impl<'a> ProcessorLane<'a> {
    pub fn new(model: &'a Seq2Seq, first: Option<u32>) -> ProcessorLane<'a> {
        ProcessorLane {
            model,
            first,
            workspace: Workspace::default(),
        }
    }
}

impl Lane for ProcessorLane<'_> {
    type Kept = Kept;

    fn source_tokens(&self) -> usize {
        ENCODER_TOKENS
    }

    fn read(&mut self, sources: &[&[u32]]) -> Result<Vec<Kept>, CheckpointError> {
        let batch = batch_of(sources);
        let (halves, workspace) = (&self.model.model, &mut self.workspace);
        let forward = halves
            .encoder
            .forward(workspace, &batch, Depth::All, false)?;
        let sources = halves
            .decoder
            .read_source(workspace, &forward.hidden, &batch.starts);
        workspace.give(forward.hidden);
        Ok(sources.into_iter().map(Kept::new).collect())
    }

    fn step(&mut self, live: &mut [Live<Kept>]) -> Result<Vec<Continuations>, CheckpointError> {
        let (generation, workspace) = (&self.model.generation, &mut self.workspace);
        let decoder = &self.model.model.decoder;
        let beams = live.iter().flat_map(|sentence| sentence.search.beams());
        let last: Vec<Last> = beams.map(|beam| Last::of(&beam.ids)).collect();
        let mut kept: Vec<&mut Kept> = live.iter_mut().map(|sentence| &mut sentence.kept).collect();
        let hidden = decoder.step(workspace, &last, &mut kept)?;
        // Rows whose next token is certain need no logits.
        let (mut rows, mut beams): (Vec<usize>, Vec<&Beam>) = (Vec::new(), Vec::new());
        let every = live.iter().flat_map(|sentence| sentence.search.beams());
        for (row, beam) in every.enumerate() {
            if vocabulary::forced(generation, beam, self.first).is_none() {
                rows.push(row);
                beams.push(beam);
            }
        }
        let mut out = vec![Vec::new(); hidden.rows];
        if !rows.is_empty() {
            let mut asked = workspace.matrix(rows.len(), hidden.columns);
            for (to, from) in rows.iter().enumerate() {
                asked.row_mut(to).copy_from_slice(hidden.row(*from));
            }
            let wanted = Search::wanted(generation);
            let projection = &decoder.projection;
            let best =
                vocabulary::best_tokens(projection, workspace, &asked, generation, &beams, wanted);
            for (row, best) in rows.iter().zip(best) {
                out[*row] = best;
            }
            workspace.give(asked);
        }
        workspace.give(hidden);
        Ok(out)
    }

    fn continue_from(&mut self, kept: &mut Kept, parents: &[usize]) {
        kept.continue_from(parents);
    }

    fn forget(&mut self, _: Kept) {}
}
