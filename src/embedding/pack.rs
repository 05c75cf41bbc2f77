//! The model's file: one download that holds the shape of the encoder, the
//! tokenizer and the weights, the large tensors packed to a few bits per value.
//!
//! Layout: the magic `ASSAYPK2`, the length of the header (u32, little
//! endian), the header (JSON), then the sections that the header places by
//! offset and length from its own end. A packed tensor is cut into blocks of
//! [`BLOCK`] values along its last dimension; a block has one scale (float16)
//! and a signed code of `bits` bits per value, `value = code x scale`. The
//! tokenizer is compressed (deflate).

use half::f16;
use serde::{Deserialize, Serialize};

use super::EmbedError;

const MAGIC: &[u8; 8] = b"ASSAYPK2";

/// Values that share a scale.
pub const BLOCK: usize = 32;

/// Bytes of a scale.
const SCALE: usize = 2;

/// More than any tokenizer of this kind has; a damaged file could claim anything.
const TOKENIZER_MOST: usize = 16 << 20;

/// Where a part of the file stands, in bytes after the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// First byte.
    pub offset: usize,
    /// Number of bytes.
    pub length: usize,
}

/// A tensor and how its values are stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackedTensor {
    /// Its name, `layer.0.wide.weight`.
    pub name: String,
    /// Dimensions.
    pub shape: Vec<usize>,
    /// 32 for plain float32, else 2 to 16 bits per value.
    pub bits: u32,
    /// Its bytes: all scales, then all codes, least significant bit first.
    pub section: Section,
}

/// What the file says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Name of the model.
    pub id: String,
    /// How its weights are packed, in words.
    pub precision: String,
    /// The most word pieces it takes, special tokens included.
    pub max_tokens: usize,
    /// Layers of the encoder.
    pub layers: usize,
    /// Heads of its attention.
    pub heads: usize,
    /// Added to the variance by its normalisations.
    pub epsilon: f32,
    /// The tokenizer (JSON, deflated).
    pub tokenizer: Section,
    /// The weights.
    pub tensors: Vec<PackedTensor>,
}

/// A packed model, borrowed from its bytes.
#[derive(Clone, Debug)]
pub struct Pack<'a> {
    /// The header.
    pub header: Header,
    body: &'a [u8],
}

fn damaged(what: &str) -> EmbedError {
    EmbedError(format!("the model file is damaged: {what}"))
}

impl<'a> Pack<'a> {
    /// Reads the header and checks that every section lies within the file.
    pub fn read(bytes: &'a [u8]) -> Result<Self, EmbedError> {
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
        let tensors = pack.header.tensors.iter().map(|tensor| tensor.section);
        for section in tensors.chain([pack.header.tokenizer]) {
            pack.section(section)
                .ok_or_else(|| damaged("it ends before its last section"))?;
        }
        Ok(pack)
    }

    /// The tokenizer's JSON.
    pub fn tokenizer(&self) -> Result<Vec<u8>, EmbedError> {
        let bytes = self.section(self.header.tokenizer).unwrap_or_default();
        miniz_oxide::inflate::decompress_to_vec_with_limit(bytes, TOKENIZER_MOST)
            .map_err(|error| damaged(&format!("the tokenizer: {error}")))
    }

    /// All values of a tensor.
    pub fn values(&self, name: &str) -> Result<Vec<f32>, EmbedError> {
        let (tensor, bytes) = self.tensor(name)?;
        let (scales, codes) = split(tensor, bytes);
        Ok(unpack(tensor.bits, scales, codes))
    }

    /// The dimensions and all values of a matrix.
    pub fn matrix(&self, name: &str) -> Result<([usize; 2], Vec<f32>), EmbedError> {
        let (tensor, _) = self.tensor(name)?;
        let shape = <[usize; 2]>::try_from(&tensor.shape[..])
            .map_err(|_| damaged(&format!("tensor {name} is no matrix")))?;
        Ok((shape, self.values(name)?))
    }

    /// A matrix whose rows are unpacked one by one.
    pub fn rows(&self, name: &str) -> Result<PackedRows, EmbedError> {
        let (tensor, bytes) = self.tensor(name)?;
        let (scales, codes) = split(tensor, bytes);
        let width = tensor.shape.last().copied().unwrap_or_default();
        if width == 0 || !width.is_multiple_of(BLOCK) {
            return Err(damaged(&format!("the rows of tensor {name}")));
        }
        Ok(PackedRows {
            width,
            bits: tensor.bits,
            scales: scales.to_vec(),
            codes: codes.to_vec(),
        })
    }

    /// A tensor with its bytes, which are as many as it needs.
    fn tensor(&self, name: &str) -> Result<(&PackedTensor, &'a [u8]), EmbedError> {
        let mut tensors = self.header.tensors.iter();
        let tensor = tensors
            .find(|tensor| tensor.name == name)
            .ok_or_else(|| damaged(&format!("it lacks tensor {name}")))?;
        let bytes = self.section(tensor.section).unwrap_or_default();
        let count: usize = tensor.shape.iter().product();
        let expected = match tensor.bits {
            32 => count * 4,
            2..=16 if count.is_multiple_of(BLOCK) => {
                count / BLOCK * (SCALE + code_bytes(tensor.bits))
            }
            _ => return Err(damaged(&format!("the packing of tensor {name}"))),
        };
        (bytes.len() == expected)
            .then_some((tensor, bytes))
            .ok_or_else(|| damaged(&format!("the length of tensor {name}")))
    }

    fn section(&self, section: Section) -> Option<&'a [u8]> {
        self.body
            .get(section.offset..section.offset.checked_add(section.length)?)
    }
}

/// A matrix that stays packed.
#[derive(Debug)]
pub struct PackedRows {
    width: usize,
    bits: u32,
    scales: Vec<u8>,
    codes: Vec<u8>,
}

impl PackedRows {
    /// Values in a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The values of a row, where there is one of that number.
    pub fn row(&self, index: usize) -> Option<Vec<f32>> {
        let part = |bytes: &'_ [u8], length: usize| {
            let start = index.checked_mul(length)?;
            bytes
                .get(start..start.checked_add(length)?)
                .map(<[u8]>::to_vec)
        };
        if self.bits == 32 {
            return Some(unpack(32, &[], &part(&self.codes, self.width * 4)?));
        }
        let blocks = self.width / BLOCK;
        let scales = part(&self.scales, blocks * SCALE)?;
        let codes = part(&self.codes, blocks * code_bytes(self.bits))?;
        Some(unpack(self.bits, &scales, &codes))
    }
}

/// Bytes of a block's codes.
fn code_bytes(bits: u32) -> usize {
    BLOCK * bits as usize / 8
}

/// The scales and the codes of a tensor; plain float32 has no scales.
fn split<'a>(tensor: &PackedTensor, bytes: &'a [u8]) -> (&'a [u8], &'a [u8]) {
    let blocks = tensor.shape.iter().product::<usize>() / BLOCK;
    bytes.split_at(if tensor.bits == 32 { 0 } else { blocks * SCALE })
}

fn unpack(bits: u32, scales: &[u8], codes: &[u8]) -> Vec<f32> {
    let words = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    if bits == 32 {
        return codes
            .chunks_exact(4)
            .map(|bytes| f32::from_bits(words(bytes)))
            .collect();
    }
    let mask = (1_u64 << bits) - 1;
    let zero = 1_i32 << (bits - 1);
    let mut values = Vec::with_capacity(scales.len() / SCALE * BLOCK);
    // the codes of a block fill whole words of 32 bits
    for (scale, codes) in scales
        .chunks_exact(SCALE)
        .zip(codes.chunks_exact(code_bytes(bits)))
    {
        let scale = f16::from_le_bytes([scale[0], scale[1]]).to_f32();
        let mut words = codes.chunks_exact(4).map(words);
        let (mut buffer, mut held) = (0_u64, 0);
        for _ in 0..BLOCK {
            if held < bits {
                buffer |= u64::from(words.next().unwrap_or_default()) << held;
                held += 32;
            }
            let code = (buffer & mask) as i32 - zero;
            buffer >>= bits;
            held -= bits;
            values.push(code as f32 * scale);
        }
    }
    values
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

    /// The whole file; its tensors are those that were added.
    pub fn finish(self, header: Header) -> Result<Vec<u8>, serde_json::Error> {
        let header = serde_json::to_vec(&Header {
            tensors: self.tensors,
            ..header
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

    fn header(tokenizer: Section) -> Header {
        Header {
            id: "id".into(),
            precision: "p".into(),
            max_tokens: 256,
            layers: 6,
            heads: 12,
            epsilon: 1e-12,
            tokenizer,
            tensors: Vec::new(),
        }
    }

    fn packed(bits: u32, values: &[f32]) -> Vec<f32> {
        let mut writer = PackWriter::new();
        let text = miniz_oxide::deflate::compress_to_vec(b"tokenizer", 9);
        let tokenizer = writer.section(&text);
        writer.tensor("t", &[2, values.len() / 2], values, bits);
        let file = writer.finish(header(tokenizer)).expect("header");
        let pack = Pack::read(&file).expect("whole");
        assert_eq!(pack.tokenizer().expect("whole"), b"tokenizer");
        let (shape, all) = pack.matrix("t").expect("whole");
        assert_eq!(shape, [2, values.len() / 2]);
        let rows = pack.rows("t").expect("whole");
        let one_by_one = [0, 1]
            .map(|index| rows.row(index).expect("two rows"))
            .concat();
        assert_eq!(one_by_one, all);
        assert!(rows.row(2).is_none() && rows.row(usize::MAX).is_none());
        all
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
        let tokenizer = writer.section(&[1; 100]);
        let file = writer.finish(header(tokenizer)).expect("header");
        for end in 0..file.len() {
            assert!(Pack::read(&file[..end]).is_err(), "{end}");
        }
        assert!(Pack::read(b"<!doctype html>").is_err());
    }
}
