//! Places in a text area: from line and column to the offset the browser counts in.

/// Offset in UTF-16 units of a line and a column (both from 1, the column in
/// Unicode scalar values). Beyond the end of a line is the end of the line.
pub fn utf16_offset(text: &str, line: u32, column: u32) -> u32 {
    let mut offset = 0;
    for (index, content) in text.split('\n').enumerate() {
        if index as u32 + 1 == line {
            let before = content.chars().take(column.saturating_sub(1) as usize);
            return offset + before.map(|c| c.len_utf16() as u32).sum::<u32>();
        }
        offset += content.encode_utf16().count() as u32 + 1;
    }
    offset.saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_characters_and_offsets_are_utf16() {
        let text = "ab\n😀x\n";
        assert_eq!(utf16_offset(text, 1, 1), 0);
        assert_eq!(utf16_offset(text, 2, 1), 3);
        assert_eq!(utf16_offset(text, 2, 2), 5);
        assert_eq!(utf16_offset(text, 2, 99), 6);
        assert_eq!(utf16_offset(text, 99, 1), 7);
        assert_eq!(utf16_offset("", 1, 1), 0);
        assert_eq!(utf16_offset("", 0, 0), 0);
    }
}
