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

/// Where a caret goes when a text is replaced by another: it stays with the
/// characters around it; inside of what changed it goes to the end of the change.
pub fn carried(before: &str, after: &str, caret: u32) -> u32 {
    let (old, new): (Vec<u16>, Vec<u16>) = (
        before.encode_utf16().collect(),
        after.encode_utf16().collect(),
    );
    let most = old.len().min(new.len());
    let same =
        |pairs: &mut dyn Iterator<Item = (&u16, &u16)>| pairs.take_while(|(a, b)| a == b).count();
    let head = same(&mut old.iter().zip(&new));
    let tail = same(&mut old.iter().rev().zip(new.iter().rev())).min(most - head);
    let caret = caret as usize;
    let carried = if caret <= head {
        caret
    } else if caret + tail >= old.len() {
        caret + new.len() - old.len()
    } else {
        new.len() - tail
    };
    carried as u32
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

    #[test]
    fn a_caret_stays_with_its_characters() {
        let before = "{\"a\": 1, \"b\": 2}";
        let after = "{\"a\": 100, \"b\": 2}";
        assert_eq!(carried(before, after, 3), 3);
        assert_eq!(carried(before, after, 9), 11);
        assert_eq!(carried(after, before, 11), 9);
        assert_eq!(carried(after, before, 8), 7);
        assert_eq!(carried("aaa", "aa", 3), 2);
        assert_eq!(carried("", "x", 0), 0);
    }
}
