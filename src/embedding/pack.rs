//! The model's file: one download that holds the graph, the tokenizer and the
//! weights, the large tensors packed to a few bits per value.
//!
//! Layout: the magic `ASSAYPK1`, the length of the header (u32, little
//! endian), the header (JSON), then the sections that the header places by
//! offset and length from its own end. A packed tensor is cut into blocks of
//! [`BLOCK`] values along its last dimension; a block has one scale (float16)
//! and a signed code of `bits` bits per value, `value = code x scale`.

use half::f16;
use serde::{Deserialize, Serialize};

use super::EmbedError;

const MAGIC: &[u8; 8] = b"ASSAYPK1";

/// Values that share a scale.
pub const BLOCK: usize = 32;

/// Where a part of the file stands, in bytes after the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// First byte.
    pub offset: usize,
    /// Number of bytes.
    pub length: usize,
}

/// A tensor of the graph and how its values are stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackedTensor {
    /// Name of the graph's initializer.
    pub name: String,
    /// Dimensions.
    pub shape: Vec<usize>,
    /// 32 for plain float32, else 2 to 16 bits per value.
    pub bits: u32,
    /// Its bytes: all scales, then all codes, least significant bit first.
    pub section: Section,
}

/// What the file says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Name of the model.
    pub id: String,
    /// How its weights are packed, in words.
    pub precision: String,
    /// The most word pieces it takes, special tokens included.
    pub max_tokens: usize,
    /// The ONNX graph, its initializers empty.
    pub graph: Section,
    /// The tokenizer (JSON).
    pub tokenizer: Section,
    /// The initializers' values.
    pub tensors: Vec<PackedTensor>,
}

/// A packed model, borrowed from its bytes.
#[derive(Clone, Debug)]
pub struct Pack<'a> {
    /// The header.
    pub header: Header,
    body: &'a [u8],
}

impl<'a> Pack<'a> {
    /// Reads the header and checks that every section lies within the file.
    pub fn read(bytes: &'a [u8]) -> Result<Self, EmbedError> {
        let damaged = |what: &str| EmbedError(format!("the model file is damaged: {what}"));
        let rest = bytes
            .strip_prefix(MAGIC)
            .ok_or_else(|| damaged("it does not begin as a model file"))?;
        let (length, rest) = rest
            .split_first_chunk::<4>()
            .ok_or_else(|| damaged("it ends in its header"))?;
        let (header, body) = rest
            .split_at_checked(u32::from_le_bytes(*length) as usize)
            .ok_or_else(|| damaged("it ends in its header"))?;
        let header: Header =
            serde_json::from_slice(header).map_err(|error| damaged(&error.to_string()))?;
        let pack = Self { header, body };
        let sections = [pack.header.graph, pack.header.tokenizer]
            .into_iter()
            .chain(pack.header.tensors.iter().map(|tensor| tensor.section));
        for section in sections {
            pack.section(section)
                .ok_or_else(|| damaged("it ends before its last section"))?;
        }
        Ok(pack)
    }

    /// The ONNX graph.
    pub fn graph(&self) -> &'a [u8] {
        self.section(self.header.graph).unwrap_or_default()
    }

    /// The tokenizer's JSON.
    pub fn tokenizer(&self) -> &'a [u8] {
        self.section(self.header.tokenizer).unwrap_or_default()
    }

    /// The values of a tensor as little-endian float32 bytes.
    pub fn unpack(&self, tensor: &PackedTensor) -> Result<Vec<u8>, EmbedError> {
        let bytes = self.section(tensor.section).unwrap_or_default();
        let count: usize = tensor.shape.iter().product();
        let damaged = || EmbedError(format!("the model file is damaged: tensor {}", tensor.name));
        if tensor.bits == 32 {
            return (bytes.len() == count * 4)
                .then(|| bytes.to_vec())
                .ok_or_else(damaged);
        }
        let blocks = count / BLOCK;
        let expected = blocks * 2 + (count * tensor.bits as usize).div_ceil(8);
        let whole = count.is_multiple_of(BLOCK)
            && (2..=16).contains(&tensor.bits)
            && bytes.len() == expected;
        if !whole {
            return Err(damaged());
        }
        let (scales, codes) = bytes.split_at(blocks * 2);
        Ok(unpack_blocks(scales, codes, tensor.bits, count))
    }

    fn section(&self, section: Section) -> Option<&'a [u8]> {
        self.body
            .get(section.offset..section.offset.checked_add(section.length)?)
    }
}

fn unpack_blocks(scales: &[u8], codes: &[u8], bits: u32, count: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(count * 4);
    let mut codes = codes.iter();
    let (mut buffer, mut held) = (0_u32, 0);
    let mask = (1_u32 << bits) - 1;
    let zero = 1_i32 << (bits - 1);
    for scale in scales.chunks_exact(2) {
        let scale = f16::from_le_bytes([scale[0], scale[1]]).to_f32();
        for _ in 0..BLOCK {
            while held < bits {
                buffer |= u32::from(codes.next().copied().unwrap_or_default()) << held;
                held += 8;
            }
            let code = (buffer & mask) as i32 - zero;
            buffer >>= bits;
            held -= bits;
            out.extend_from_slice(&(code as f32 * scale).to_le_bytes());
        }
    }
    out
}

/// Writes a model file.
#[derive(Debug, Default)]
pub struct PackWriter {
    body: Vec<u8>,
    tensors: Vec<PackedTensor>,
}

impl PackWriter {
    /// A file without content.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds bytes and says where they stand.
    pub fn section(&mut self, bytes: &[u8]) -> Section {
        let offset = self.body.len();
        self.body.extend_from_slice(bytes);
        Section {
            offset,
            length: bytes.len(),
        }
    }

    /// Adds a tensor with `bits` bits per value (32 for plain float32). The
    /// last dimension of a packed tensor is a multiple of [`BLOCK`].
    pub fn tensor(&mut self, name: &str, shape: &[usize], values: &[f32], bits: u32) {
        let bytes = if bits == 32 {
            values
                .iter()
                .flat_map(|value| value.to_le_bytes())
                .collect()
        } else {
            pack_blocks(values, bits)
        };
        let section = self.section(&bytes);
        self.tensors.push(PackedTensor {
            name: name.to_owned(),
            shape: shape.to_vec(),
            bits,
            section,
        });
    }

    /// The whole file.
    pub fn finish(
        self,
        id: &str,
        precision: &str,
        max_tokens: usize,
        graph: Section,
        tokenizer: Section,
    ) -> Result<Vec<u8>, serde_json::Error> {
        let header = serde_json::to_vec(&Header {
            id: id.to_owned(),
            precision: precision.to_owned(),
            max_tokens,
            graph,
            tokenizer,
            tensors: self.tensors,
        })?;
        let mut file = MAGIC.to_vec();
        file.extend_from_slice(&(header.len() as u32).to_le_bytes());
        file.extend_from_slice(&header);
        file.extend_from_slice(&self.body);
        Ok(file)
    }
}

fn pack_blocks(values: &[f32], bits: u32) -> Vec<u8> {
    let (mut scales, mut codes) = (Vec::new(), Vec::new());
    let (mut buffer, mut held) = (0_u32, 0);
    let zero = 1_i32 << (bits - 1);
    for block in values.chunks(BLOCK) {
        let scale = best_scale(block, bits);
        scales.extend_from_slice(&scale.to_le_bytes());
        for &value in block {
            let code = (encode(value, scale.to_f32(), bits) + zero) as u32;
            buffer |= code << held;
            held += bits;
            while held >= 8 {
                codes.push(buffer as u8);
                buffer >>= 8;
                held -= 8;
            }
        }
    }
    if held > 0 {
        codes.push(buffer as u8);
    }
    scales.extend_from_slice(&codes);
    scales
}

fn encode(value: f32, scale: f32, bits: u32) -> i32 {
    if scale == 0.0 {
        return 0;
    }
    let most = (1_i32 << (bits - 1)) - 1;
    ((value / scale).round() as i32).clamp(-most - 1, most)
}

/// The float16 scale with the least squared error: the largest value need not
/// be met exactly when the other 31 gain by it.
fn best_scale(block: &[f32], bits: u32) -> f16 {
    let largest = block
        .iter()
        .fold(0.0_f32, |most, value| most.max(value.abs()));
    let steps = (1_i32 << (bits - 1)) as f32;
    let error = |scale: f16| -> f64 {
        block
            .iter()
            .map(|&value| {
                let kept = encode(value, scale.to_f32(), bits) as f32 * scale.to_f32();
                f64::from(value - kept).powi(2)
            })
            .sum()
    };
    (0..=40)
        .map(|step| f16::from_f32(largest / steps * (0.80 + 0.0075 * step as f32)))
        .min_by(|a, b| error(*a).total_cmp(&error(*b)))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(bits: u32, values: &[f32]) -> Vec<f32> {
        let mut writer = PackWriter::new();
        let graph = writer.section(b"graph");
        writer.tensor("t", &[2, values.len() / 2], values, bits);
        let file = writer.finish("id", "p", 256, graph, graph).expect("header");
        let pack = Pack::read(&file).expect("whole");
        assert_eq!(pack.graph(), b"graph");
        let bytes = pack.unpack(&pack.header.tensors[0]).expect("whole");
        bytes
            .chunks_exact(4)
            .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect()
    }

    #[test]
    fn values_come_back_within_half_a_step() {
        let values: Vec<f32> = (0..128)
            .map(|i| ((i * 37 % 101) as f32 - 50.0) / 50.0)
            .collect();
        assert_eq!(packed(32, &values), values);
        for bits in [4, 7, 8, 10, 11, 12] {
            let step = 1.0 / (1 << (bits - 1)) as f32;
            for (kept, value) in packed(bits, &values).iter().zip(&values) {
                // a scale chosen by squared error may clip the largest value a little
                assert!((kept - value).abs() <= 1.5 * step, "{bits}: {kept} {value}");
            }
        }
    }

    #[test]
    fn a_block_of_zeros_stays_zero() {
        assert_eq!(packed(10, &[0.0; 64]), vec![0.0; 64]);
    }

    #[test]
    fn a_damaged_file_is_an_error() {
        let mut writer = PackWriter::new();
        let graph = writer.section(&[1; 100]);
        let file = writer.finish("id", "p", 256, graph, graph).expect("header");
        for end in 0..file.len() {
            assert!(Pack::read(&file[..end]).is_err(), "{end}");
        }
        assert!(Pack::read(b"<!doctype html>").is_err());
    }
}
