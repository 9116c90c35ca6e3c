//! AUL, AULA and sentence embeddings (MBE paper, section 2): one run on the unmasked sentence.
//!
//! "Content" is positional: everything but the first and the last position, whatever token is there.
//! A sentence without content has no likelihood (`None`); the released code gives NaN.

/// Mean over layers, heads and *query* positions of the attention each key position receives.
/// `attention` holds layers × heads × queries × keys probabilities of one sentence of `length`
/// positions, special tokens included; the result adds up to 1.
///
/// `None` where the number of probabilities is no multiple of `length` squared.
pub fn attention_received(attention: &[f32], length: usize) -> Option<Vec<f64>> {
    let square = length * length;
    if square == 0 || attention.is_empty() || !attention.len().is_multiple_of(square) {
        return None;
    }
    let mut received = vec![0.0; length];
    for query in attention.chunks_exact(length) {
        for (sum, probability) in received.iter_mut().zip(query) {
            *sum += f64::from(*probability);
        }
    }
    let queries = (attention.len() / length) as f64;
    for sum in &mut received {
        *sum /= queries;
    }
    Some(received)
}

/// The positions between the first and the last.
fn content<T>(positions: &[T]) -> Option<&[T]> {
    match positions {
        [_, content @ .., _] if !content.is_empty() => Some(content),
        _ => None,
    }
}

/// AUL: the mean log-probability of the content tokens. `log_prob` holds log P of its own token at
/// every position, special tokens included.
pub fn aul(log_prob: &[f64]) -> Option<f64> {
    let content = content(log_prob)?;
    Some(content.iter().sum::<f64>() / content.len() as f64)
}

/// AULA: the same, each token weighted by the attention it receives. The weights are those of
/// [`attention_received`], not brought to a sum of 1 after the special tokens are dropped, and the
/// divisor is the number of content tokens, as released.
pub fn aula(log_prob: &[f64], attention: &[f64]) -> Option<f64> {
    if log_prob.len() != attention.len() {
        return None;
    }
    let (log_prob, attention) = (content(log_prob)?, content(attention)?);
    let weighted: f64 = log_prob.iter().zip(attention).map(|(l, a)| l * a).sum();
    Some(weighted / log_prob.len() as f64)
}

/// E(T): the mean of the last layer's vectors over the content positions. `hidden` holds one vector
/// of `width` numbers for each position, special tokens included.
pub fn mean_embedding(hidden: &[f32], width: usize) -> Option<Vec<f64>> {
    if width == 0 || !hidden.len().is_multiple_of(width) {
        return None;
    }
    let vectors: Vec<&[f32]> = hidden.chunks_exact(width).collect();
    let content = content(&vectors)?;
    let mut mean = vec![0.0; width];
    for vector in content {
        for (sum, value) in mean.iter_mut().zip(*vector) {
            *sum += f64::from(*value);
        }
    }
    for sum in &mut mean {
        *sum /= content.len() as f64;
    }
    Some(mean)
}

/// The ids cut to a model's limit: the first token, as many as fit, the last one. `None` where
/// nothing has to be cut.
pub fn truncated(ids: &[u32], limit: usize) -> Option<Vec<u32>> {
    if ids.len() <= limit || limit < 2 {
        return None;
    }
    let mut cut = ids[..limit - 1].to_vec();
    cut.push(ids[ids.len() - 1]);
    Some(cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attention_is_averaged_over_queries_not_keys() {
        // One layer, one head: every query looks at position 0 only.
        let attention = [1.0, 0.0, 1.0, 0.0];
        assert_eq!(attention_received(&attention, 2), Some(vec![1.0, 0.0]));
        assert_eq!(attention_received(&attention[..3], 2), None);
    }

    #[test]
    fn no_content_is_no_likelihood() {
        assert_eq!(aul(&[-1.0, -2.0]), None);
        assert_eq!(aula(&[-1.0, -2.0], &[0.5, 0.5]), None);
        assert_eq!(aula(&[-1.0, -2.0, -3.0], &[0.5, 0.5]), None);
        assert_eq!(mean_embedding(&[1.0, 2.0], 1), None);
        assert_eq!(aul(&[-9.0, -1.0, -3.0, -9.0]), Some(-2.0));
        assert_eq!(
            aula(&[-9.0, -1.0, -3.0, -9.0], &[0.0, 0.5, 0.25, 0.0]),
            Some(-0.625)
        );
    }

    #[test]
    fn long_inputs_keep_their_last_token() {
        assert_eq!(truncated(&[2, 7, 8, 9, 3], 4), Some(vec![2, 7, 8, 3]));
        assert_eq!(truncated(&[2, 7, 8, 3], 4), None);
    }
}
