//! What a configuration says of how weights are packed: eight-bit floats in blocks are read, whatever the architecture
//! ([`super::eight_bits`]), the four bits of gpt-oss by it alone; anything else is refused before weights are looked at.

use serde_json::Value;

use super::{CheckpointError, Config, Fields};

/// Where a configuration says that weights are packed.
const PACKINGS: [&str; 2] = [QUANTISED, "compression_config"];
const QUANTISED: &str = "quantization_config";

impl Config {
    /// Rows and columns of the blocks that share a scale, where weights are in eight-bit floats as DeepSeek stores them.
    pub fn eight_bits(&self) -> Option<[usize; 2]> {
        let packing = self.stored(QUANTISED)?;
        let says = |field: &str, wanted: &str| match packing.get(field) {
            None | Some(Value::Null) => true,
            Some(value) => value.as_str() == Some(wanted),
        };
        let size = |value: &Value| value.as_u64().filter(|size| *size > 0);
        let sizes = packing.get("weight_block_size")?.as_array()?;
        let [rows, columns] = &sizes[..] else {
            return None;
        };
        let fp8 = packing.get("quant_method")?.as_str() == Some("fp8");
        (fp8 && says("fmt", "e4m3") && says("activation_scheme", "dynamic"))
            .then_some([size(rows)? as usize, size(columns)? as usize])
    }

    /// Whether a field tells of a packing that is read here, whatever the architecture.
    pub(crate) fn is_unpacked(&self, field: &str) -> bool {
        field == QUANTISED && self.eight_bits().is_some()
    }

    /// Rejects weights in a packing that is not supported; `fields` are those of the architecture.
    pub fn refuse_quantised(&self, fields: Fields) -> Result<(), CheckpointError> {
        let packed = |field: &&str| {
            let unpacked = fields.covers(field) || self.is_unpacked(field);
            !unpacked && self.stored(field).is_some()
        };
        let Some(field) = PACKINGS.iter().copied().find(packed) else {
            return Ok(());
        };
        let stated = self
            .stored(field)
            .and_then(|packing| packing.get("quant_method"));
        Err(CheckpointError::Quantised {
            file: "config.json".to_owned(),
            field: field.to_owned(),
            method: match stated.and_then(Value::as_str) {
                Some(method) => format!(" ({method})"),
                None => String::new(),
            },
        })
    }
}
