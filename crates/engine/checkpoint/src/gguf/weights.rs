//! A file's tensors as the checkpoint it was converted from had them: Hugging Face's names, shapes
//! and layouts, read a few rows at a time.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::families::Family;
use super::layout::{Heads, Layout};
use super::{Gguf, GgufError, Kind, Tensor};
use crate::{CheckpointError, Weights};
use epicene_kernels::Precision;

#[derive(Debug, Clone)]
pub struct HfWeights {
    gguf: Arc<Gguf>,
    weights: BTreeMap<String, Weight>,
}

/// A tensor of the checkpoint: out of one stored tensor, or out of several by turns.
#[derive(Debug, Clone)]
struct Weight {
    shape: Vec<usize>,
    /// In each of so many groups the rows of the first part stand before those of the next.
    groups: usize,
    parts: Vec<View>,
}

#[derive(Debug, Clone)]
struct View {
    /// The stored tensor.
    tensor: Tensor,
    shape: Vec<usize>,
    layout: Layout,
}

impl HfWeights {
    pub fn new(gguf: Arc<Gguf>) -> Result<HfWeights, GgufError> {
        let family = Family::of(&gguf)?;
        let heads = Heads::of(&gguf, family.name)?;
        let mut views: BTreeMap<String, Vec<View>> = BTreeMap::new();
        for tensor in gguf.tensors() {
            let Some(places) = family.place(&tensor.name, heads, &tensor.shape) else {
                return Err(GgufError::UnknownTensor {
                    file: gguf.file().to_owned(),
                    tensor: tensor.name.clone(),
                    architecture: family.name.to_owned(),
                });
            };
            for (name, layout) in places {
                let view = View::new(gguf.file(), tensor.clone(), layout)?;
                views.entry(name).or_default().push(view);
            }
        }
        let made = views.into_iter().map(|(name, views)| {
            let weight = Weight::new(gguf.file(), &name, views)?;
            Ok((name, weight))
        });
        Ok(HfWeights {
            weights: made.collect::<Result<_, GgufError>>()?,
            gguf,
        })
    }

    pub fn gguf(&self) -> &Arc<Gguf> {
        &self.gguf
    }

    /// Hugging Face names, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.weights.keys().map(String::as_str)
    }

    pub fn shape(&self, name: &str) -> Option<&[usize]> {
        self.weights.get(name).map(|weight| weight.shape.as_slice())
    }

    /// How the numbers are stored: one kind for each stored tensor.
    pub fn kinds(&self, name: &str) -> impl Iterator<Item = Kind> {
        let parts = self.weights.get(name).map(|weight| &weight.parts);
        parts.into_iter().flatten().map(|view| view.tensor.kind)
    }

    /// Fills `out` with the numbers from element `first` on, row-major in Hugging Face's layout.
    pub fn read(&self, name: &str, first: usize, out: &mut [f32]) -> Result<(), GgufError> {
        let Some(weight) = self.weights.get(name) else {
            return Err(GgufError::NoTensor {
                file: self.gguf.file().to_owned(),
                tensor: name.to_owned(),
            });
        };
        let elements = weight.shape.iter().product();
        let end = first.saturating_add(out.len());
        if end > elements {
            return Err(GgufError::OutOfRange {
                file: self.gguf.file().to_owned(),
                tensor: name.to_owned(),
                first,
                end,
                elements,
            });
        }
        let whole = elements / weight.groups;
        let mut start = first / whole * whole;
        for group in first / whole..end.div_ceil(whole) {
            for part in &weight.parts {
                let size = part.elements() / weight.groups;
                let (from, to) = (start.max(first), (start + size).min(end));
                if from < to {
                    let out = &mut out[from - first..to - first];
                    self.view(part, group * size + from - start, out)?;
                }
                start += size;
            }
        }
        Ok(())
    }

    /// The same of one stored tensor.
    fn view(&self, view: &View, first: usize, out: &mut [f32]) -> Result<(), GgufError> {
        let stored = &view.tensor;
        match view.layout {
            Layout::Same | Layout::Row | Layout::Share { turned: false, .. } => {
                self.gguf.read(stored, first, out)
            }
            Layout::Part { index } => self.gguf.read(stored, index * view.elements() + first, out),
            Layout::Rows { first: row, .. } => {
                self.gguf.read(stored, row * view.width() + first, out)
            }
            Layout::PlusOne => {
                self.gguf.read(stored, first, out)?;
                out.iter_mut().for_each(|value| *value -= 1.0);
                Ok(())
            }
            Layout::Interleaved { heads } => {
                let size = view.shape[0] / heads;
                let half = size / 2;
                self.by_rows(view, first, out, |row| {
                    let (head, inside) = (row / size, row % size);
                    head * size + (inside % half) * 2 + inside / half
                })
            }
            Layout::PartAfterPart { heads } => {
                let size = view.shape[0] / heads.fused();
                let queries = heads.query / heads.key;
                self.by_rows(view, first, out, |row| {
                    let (group, part) = (row / size / (queries + 2), row / size % (queries + 2));
                    let stored = match part.checked_sub(queries) {
                        None => group * queries + part,
                        Some(0) => heads.query + group,
                        Some(_) => heads.query + heads.key + group,
                    };
                    stored * size + row % size
                })
            }
            Layout::Transposed => self.across(view, 1, first, out),
            Layout::Share { heads, .. } => self.across(view, heads, first, out),
        }
    }

    /// Rows from where they are stored. A vector is a column of rows with one number each.
    fn by_rows(
        &self,
        view: &View,
        first: usize,
        out: &mut [f32],
        stored_row: impl Fn(usize) -> usize,
    ) -> Result<(), GgufError> {
        let width = view.width();
        let mut at = first;
        let mut out = out;
        while !out.is_empty() {
            let (row, inside) = (at / width, at % width);
            let count = out.len().min(width - inside);
            let (now, later) = out.split_at_mut(count);
            self.gguf
                .read(&view.tensor, stored_row(row) * width + inside, now)?;
            at += count;
            out = later;
        }
        Ok(())
    }

    /// Each stored row is a column of one of `count` matrices below each other; it is unpacked once and dealt out.
    fn across(
        &self,
        view: &View,
        count: usize,
        first: usize,
        out: &mut [f32],
    ) -> Result<(), GgufError> {
        let (rows, columns) = (view.shape[0] / count, view.shape[1]);
        let end = first + out.len();
        let (first_row, end_row) = (first / columns, end.div_ceil(columns));
        let mut stored = vec![0f32; rows];
        for matrix in first_row / rows..end_row.div_ceil(rows) {
            let top = matrix * rows;
            let (from, to) = (first_row.max(top), end_row.min(top + rows));
            let stored = &mut stored[..to - from];
            for column in 0..columns {
                let at = (matrix * columns + column) * rows + from - top;
                self.gguf.read(&view.tensor, at, stored)?;
                for (row, value) in (from..to).zip(stored.iter()) {
                    let at = row * columns + column;
                    if (first..end).contains(&at) {
                        out[at - first] = *value;
                    }
                }
            }
        }
        Ok(())
    }
}

impl Weight {
    fn new(file: &str, name: &str, mut parts: Vec<View>) -> Result<Weight, GgufError> {
        let place = |view: &View| match view.layout {
            Layout::Share {
                place, of, heads, ..
            } => (place, of, heads),
            _ => (0, 1, 1),
        };
        parts.sort_by_key(|view| place(view).0);
        let (_, count, groups) = place(&parts[0]);
        let complete = |(at, view)| place(view) == (at, count, groups);
        if parts.len() != count || !parts.iter().enumerate().all(complete) {
            let count = parts.iter().map(|view| place(view).1).max();
            let found: Vec<&str> = parts.iter().map(|view| view.tensor.name.as_str()).collect();
            return Err(GgufError::Parts {
                file: file.to_owned(),
                tensor: name.to_owned(),
                count: count.unwrap_or_default(),
                found: found.join(", "),
            });
        }
        let mut shape = parts[0].shape.clone();
        for other in &parts[1..] {
            if other.shape[1] != shape[1] {
                return Err(GgufError::Shape {
                    file: file.to_owned(),
                    tensor: other.tensor.name.clone(),
                    found: format!("shape {:?}", other.tensor.shape),
                    expected: format!("{} columns as `{}`", shape[1], parts[0].tensor.name),
                });
            }
            shape[0] += other.shape[0];
        }
        Ok(Weight {
            shape,
            groups,
            parts,
        })
    }
}

impl View {
    fn new(file: &str, tensor: Tensor, layout: Layout) -> Result<View, GgufError> {
        let wrong = |expected: String| GgufError::Shape {
            file: file.to_owned(),
            tensor: tensor.name.clone(),
            found: format!("shape {:?}", tensor.shape),
            expected,
        };
        let rows = tensor.shape.first().copied().unwrap_or(1);
        let mut shape = tensor.shape.clone();
        match layout {
            Layout::Same | Layout::PlusOne => {}
            Layout::Interleaved { heads } if rows.is_multiple_of(2 * heads) => {}
            Layout::Interleaved { heads } => {
                return Err(wrong(format!("rows for {heads} heads of even size")));
            }
            Layout::PartAfterPart { heads }
                if rows.is_multiple_of(heads.fused()) && heads.query.is_multiple_of(heads.key) => {}
            Layout::PartAfterPart { heads } => {
                let (query, key) = (heads.query, heads.key);
                return Err(wrong(format!("rows for {query} queries and {key} keys")));
            }
            Layout::Part { index } if shape.len() > 1 && index < rows => {
                shape.remove(0);
            }
            Layout::Part { .. } => return Err(wrong("several of a kind".to_owned())),
            Layout::Row if shape.len() == 1 => shape.insert(0, 1),
            // Some converters keep the row.
            Layout::Row => {}
            Layout::Rows { count, .. } if rows == 3 * count => shape[0] = count,
            Layout::Rows { .. } => return Err(wrong("a multiple of three rows".to_owned())),
            Layout::Transposed if shape.len() == 2 => shape.reverse(),
            Layout::Transposed => return Err(wrong("two dimensions".to_owned())),
            Layout::Share { heads, turned, .. } => match shape[..] {
                [count, rows, columns] if count == heads && turned => {
                    shape = vec![count * columns, rows];
                }
                [count, rows, columns] if count == heads => shape = vec![count * rows, columns],
                _ => return Err(wrong(format!("a matrix for each of {heads} heads"))),
            },
        }
        Ok(View {
            tensor,
            shape,
            layout,
        })
    }

    fn elements(&self) -> usize {
        self.shape.iter().product()
    }

    /// Numbers in a row; 1 in a vector, whose elements are reordered like rows.
    fn width(&self) -> usize {
        self.shape.iter().skip(1).product()
    }
}

impl Weights for HfWeights {
    fn shape(&self, name: &str) -> Option<&[usize]> {
        HfWeights::shape(self, name)
    }

    /// Quantised numbers are kept in 16 bits once unpacked: a block's scale has no more.
    fn precision(&self, name: &str) -> Option<Precision> {
        let precision = |kind| match kind {
            Kind::F32 => Precision::F32,
            // A power of two and a number of few digits: nothing is lost.
            Kind::Bf16 | Kind::Mxfp4 => Precision::Bf16,
            _ => Precision::F16,
        };
        let joined = |one, other| if one == other { one } else { Precision::F32 };
        self.kinds(name).map(precision).reduce(joined)
    }

    fn read(&self, name: &str, first: usize, out: &mut [f32]) -> Result<(), CheckpointError> {
        Ok(HfWeights::read(self, name, first, out)?)
    }

    fn names(&self) -> Vec<&str> {
        HfWeights::names(self).collect()
    }

    fn file_of(&self, _name: &str) -> &str {
        self.gguf().file()
    }
}
