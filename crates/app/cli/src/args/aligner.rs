//! `--aligner`: who links the words of translations to those of their sources.

use std::str::FromStr;

use epicene_lm::ModelSpec;

/// Layer of an encoder whose vectors are compared, where nothing else is said: the best of mBERT's.
pub const LAYER: usize = 8;

/// `built-in`, `encoder:dir:PATH`, `encoder:6:hf:ORG/NAME`.
#[derive(Debug, Clone, PartialEq)]
pub enum Aligner {
    BuiltIn,
    Encoder { spec: ModelSpec, layer: usize },
}

impl FromStr for Aligner {
    type Err = String;

    fn from_str(given: &str) -> Result<Aligner, String> {
        if given == "built-in" {
            return Ok(Aligner::BuiltIn);
        }
        let Some(rest) = given.strip_prefix("encoder:") else {
            return Err(format!(
                "`{given}` is none of `built-in`, `encoder:dir:PATH`, `encoder:hf:ORG/NAME`"
            ));
        };
        let numbered = rest.split_once(':');
        let numbered = numbered.and_then(|(layer, spec)| Some((layer.parse().ok()?, spec)));
        let (layer, spec) = numbered.unwrap_or((LAYER, rest));
        let spec = spec
            .parse::<ModelSpec>()
            .map_err(|error| error.to_string())?;
        Ok(Aligner::Encoder { spec, layer })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoder_may_name_its_layer() {
        let layer = |given: &str| match given.parse() {
            Ok(Aligner::Encoder { layer, .. }) => Some(layer),
            _ => None,
        };
        assert_eq!(layer("encoder:dir:mbert"), Some(LAYER));
        assert_eq!(layer("encoder:6:dir:C:\\mbert"), Some(6));
        assert_eq!("built-in".parse(), Ok(Aligner::BuiltIn));
        for bad in ["encoder:", "encoder:6", "encoder:mbert", "fast_align"] {
            assert!(bad.parse::<Aligner>().is_err(), "{bad}");
        }
    }
}
