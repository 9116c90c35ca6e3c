//! llama.cpp's files: the container, its numbers, the layouts, the vocabularies.
//!
//! Golden files are written by tools/reference/gguf_golden.py, gguf_families.py and gguf_converted.py.

mod converted;
mod dequantise;
mod layouts;
mod malformed;
mod parity;
mod split;
mod support;
mod tokenizers;
