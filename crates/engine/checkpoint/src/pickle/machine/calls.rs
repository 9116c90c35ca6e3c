//! What a state dict calls, and what comes of it: descriptions of storages and tensors.

use super::{Envelope, Global, Id, Machine, Stop, Storage, Value, View};

impl<'a> Machine<'a> {
    /// `("storage", class, key, device, count)`; before the zip archive, a sixth part says what it is a view of.
    pub(super) fn storage(&self, id: Id) -> Result<Storage<'a>, Stop> {
        let bad = || Stop::from("a persistent id that is no storage");
        let Value::Tuple(parts) = &self.values[id] else {
            return Err(bad());
        };
        let (mark, class, key, device, count) = match (self.envelope, &parts[..]) {
            (Envelope::Archive, [mark, class, key, device, count]) => {
                (*mark, *class, *key, *device, *count)
            }
            (Envelope::Stream, [mark, class, key, device, count, view]) => {
                if self.values[*view] != Value::None {
                    return Err("a storage that is a view of another".into());
                }
                (*mark, *class, *key, *device, *count)
            }
            _ => return Err(bad()),
        };
        match (
            &self.values[mark],
            &self.values[class],
            &self.values[key],
            &self.values[device],
            &self.values[count],
        ) {
            (
                Value::Text("storage"),
                Value::Global(Global::Storage(kind)),
                Value::Text(key),
                Value::Text(_),
                Value::Number(count),
            ) => Ok(Storage {
                kind,
                key,
                count: u64::try_from(*count).map_err(|_| bad())?,
            }),
            _ => Err(bad()),
        }
    }

    pub(super) fn reduce(&mut self) -> Result<(), Stop> {
        let (arguments, callee) = (self.pop()?, self.pop()?);
        let Value::Tuple(arguments) = &self.values[arguments] else {
            return Err("a call without a tuple of arguments".into());
        };
        let Value::Global(callee) = self.values[callee] else {
            return Err("calls what is no function".into());
        };
        let made = match (callee, &arguments[..]) {
            (Global::OrderedDict, []) => Value::Dict(Vec::new()),
            (Global::RebuildTensor, [storage, offset, shape, strides]) => {
                self.view(*storage, *offset, *shape, *strides)?
            }
            (
                Global::RebuildTensorV2,
                [storage, offset, shape, strides, gradient, hooks, rest @ ..],
            ) if rest.len() <= 1
                && matches!(self.values[*gradient], Value::Bool(_))
                && self.is_nothing(*hooks)
                && rest.iter().all(|metadata| self.is_nothing(*metadata)) =>
            {
                self.view(*storage, *offset, *shape, *strides)?
            }
            (Global::RebuildParameter, [tensor, gradient, hooks])
                if matches!(self.values[*gradient], Value::Bool(_)) && self.is_nothing(*hooks) =>
            {
                match &self.values[*tensor] {
                    Value::Tensor(view) => Value::Tensor(view.clone()),
                    _ => return Err("a parameter that is no tensor".into()),
                }
            }
            (Global::Storage(_), _) => return Err("calls what is no function".into()),
            _ => return Err("a call with arguments that no state dict has".into()),
        };
        self.push(made)
    }

    /// An ordered dictionary has attributes (`_metadata` of a module), which change no tensor.
    pub(super) fn build(&mut self) -> Result<(), Stop> {
        let (state, object) = (self.pop()?, self.top()?);
        match (&self.values[object], &self.values[state]) {
            (Value::Dict(_), Value::Dict(_)) => Ok(()),
            _ => Err("sets the state of what is no dictionary".into()),
        }
    }

    fn is_nothing(&self, id: Id) -> bool {
        match &self.values[id] {
            Value::None => true,
            Value::Dict(entries) => entries.is_empty(),
            _ => false,
        }
    }

    fn view(&self, storage: Id, offset: Id, shape: Id, strides: Id) -> Result<Value<'a>, Stop> {
        if !matches!(self.values[storage], Value::Storage(_)) {
            return Err("a tensor without a storage".into());
        }
        let view = View {
            storage,
            offset: self.size(offset)?,
            shape: self.sizes(shape)?,
            strides: self.sizes(strides)?,
        };
        if view.shape.len() == view.strides.len() {
            Ok(Value::Tensor(view))
        } else {
            Err("a tensor with more or fewer strides than dimensions".into())
        }
    }

    fn size(&self, id: Id) -> Result<u64, Stop> {
        match self.values[id] {
            Value::Number(number) => u64::try_from(number).map_err(|_| "a size below zero".into()),
            _ => Err("a size that is no number".into()),
        }
    }

    fn sizes(&self, id: Id) -> Result<Vec<u64>, Stop> {
        match &self.values[id] {
            Value::Tuple(parts) if parts.len() <= 8 => {
                parts.iter().map(|part| self.size(*part)).collect()
            }
            _ => Err("a shape that is none".into()),
        }
    }
}
