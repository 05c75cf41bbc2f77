//! A value at the head of a text, without reading the rest of it.

use super::json::parse_json;
use super::node::Node;
use super::pieces::value_extent;

/// So far into a text it is looked for.
const HEAD: usize = 1 << 20;

/// The value of a key of the first object of a text: of the text itself, of the first line, or of
/// the first item of its list. Only the beginning of the text is looked at.
///
/// ```
/// let found = assay::document::head("[{\"a\": {\"b\": 1}, \"b\": 2}, ", "b");
/// assert_eq!(found.and_then(|node| node.number()), Some(2.0));
/// ```
pub fn head(text: &str, key: &str) -> Option<Node> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let own = text.strip_prefix('[').map_or(text, str::trim_start);
    let own = own.strip_prefix('{')?;
    let ends = (0..=HEAD.min(own.len())).rev();
    let own = ends.into_iter().find_map(|end| own.get(..end))?;
    let (bytes, mut at) = (own.as_bytes(), 0);
    loop {
        at += own[at..].find(|c: char| !c.is_whitespace() && c != ',')?;
        let name = string_end(bytes, at)?;
        let colon = name + own[name..].find(|c: char| !c.is_whitespace())?;
        let start = colon + 1 + own.get(colon + 1..)?.find(|c: char| !c.is_whitespace())?;
        let end = value_end(bytes, start)?;
        if bytes[colon] != b':' {
            return None;
        }
        if own[at..name].trim_matches('"') == key {
            return parse_json(&own[start..end]).ok();
        }
        at = end;
    }
}

/// Where a string ends that starts there.
fn string_end(bytes: &[u8], start: usize) -> Option<usize> {
    if bytes.get(start) != Some(&b'"') {
        return None;
    }
    let mut at = start + 1;
    loop {
        match bytes.get(at)? {
            b'\\' => at += 2,
            b'"' => return Some(at + 1),
            _ => at += 1,
        }
    }
}

/// Where a value ends that starts there.
fn value_end(bytes: &[u8], start: usize) -> Option<usize> {
    match bytes.get(start)? {
        b'"' => string_end(bytes, start),
        b'{' | b'[' => value_extent(&bytes[start..]).map(|(end, _)| start + end),
        _ => {
            let length = bytes[start..]
                .iter()
                .position(|byte| matches!(byte, b',' | b'}' | b'\n'));
            length.map(|length| start + length)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_of_a_key_is_found_at_the_head_of_a_text() {
        let found = |text: &str| head(text, "k").map(|node| node.value.describe());
        for text in [
            "{\"k\": 7}",
            " [ {\"a\": \"\\\"k\", \"k\" : 7, \"z\": [",
            "{\"a\": {\"k\": 1}, \"b\": [\"]\"], \"c\": null,\n \"k\": 7}\n{\"k\": 8}",
        ] {
            assert_eq!(found(text).as_deref(), Some("7"), "{text}");
        }
        for text in [
            "",
            "k: 7",
            "[[{\"k\": 7}]]",
            "{\"a\": {\"k\": 7}}",
            "{\"a\"} {\"k\": 7}",
            "{\"a\": \"k",
            "{\"a\": 1}\n{\"k\": 7}",
            "{\"a\"",
            "{\"a\":",
            "{\"é\\",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
