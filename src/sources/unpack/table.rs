//! Tables: CSV and TSV (RFC 4180, the separator guessed from the head), an object for each row
//! with the names of the head as keys. Numbers stay texts, but for those of turns in a transcript of our own.

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

use super::super::notes::Notes;

/// Rows that are looked at to know that a text is a table.
const LOOKED_AT: usize = 20;
/// The most columns.
const MOST_COLUMNS: usize = 2_000;
/// The most letters and words of a column's name.
const LONGEST_NAME: usize = 60;
const MOST_WORDS: usize = 6;

/// The columns of our own transcripts, the first of which holds integers.
const TURNS: [&[&str]; 2] = [
    &["turn_index", "session_id", "role", "text"],
    &["turn", "session_id", "assistant"],
];

/// The rows of a table as JSON Lines of at most `most` bytes; none of a text that is no table.
pub(super) fn json_lines(text: &str, most: usize, notes: &mut Notes) -> Option<Vec<u8>> {
    let separator = separator(text)?;
    let mut rows = Rows::new(text, separator);
    let names = names(rows.next()?);
    let is_there = |own: &&str| names.iter().any(|name| name == own);
    let turns = TURNS.iter().find(|own| own.iter().all(is_there));
    let numbered = turns.map_or("", |own| own[0]);
    let keys = names
        .iter()
        .map(|name| serde_json::Value::from(name.as_str()).to_string());
    let keys: Vec<String> = keys.collect();
    let mut found = Vec::new();
    loop {
        let line = rows.line();
        let Some(row) = rows.next() else {
            break;
        };
        if row.len() != names.len() {
            let words = format!("the row has {} fields, the head {}", row.len(), names.len());
            notes.warn(line, "", words);
        }
        let before = found.len();
        for (at, (key, field)) in keys.iter().zip(&row).enumerate() {
            found.push(if at == 0 { b'{' } else { b',' });
            found.extend_from_slice(key.as_bytes());
            found.push(b':');
            let value = value(field, names[at] == numbered);
            found.extend_from_slice(value.to_string().as_bytes());
        }
        if let Some(behind) = rows.unclosed(&row) {
            let words = format!(
                "a quotation mark of this row is not closed: all behind it, to line {}, is read as text of one field",
                line.saturating_add(behind)
            );
            notes.error(line, "", words);
        }
        found.extend_from_slice(b"}\n");
        if found.len() > most {
            found.truncate(before);
            let most = most / 1_000_000;
            notes.error(
                line,
                "",
                format!("the table goes on: its first {most} MB as JSON are read"),
            );
            break;
        }
    }
    Some(found)
}

/// A field; an integer where its column holds such.
fn value(field: &str, is_number: bool) -> serde_json::Value {
    let integer = is_number.then(|| field.parse::<i64>().ok());
    match integer.flatten() {
        Some(integer) => integer.into(),
        None => field.into(),
    }
}

/// The separator that makes a table of a text: the one with the most columns in the head.
fn separator(text: &str) -> Option<u8> {
    let columns = |separator: &u8| {
        let head = Rows::new(text, *separator).next();
        head.map_or(0, |head| head.len())
    };
    let found = [b',', b';', b'\t'].into_iter().max_by_key(columns)?;
    is_table(text, found).then_some(found)
}

/// Whether a text is a table: names at its head, and below them rows of as many fields.
fn is_table(text: &str, separator: u8) -> bool {
    let mut rows = Rows::new(text, separator);
    let Some(head) = rows.next() else {
        return false;
    };
    let is_name = |name: &String| {
        let name = name.trim();
        name.chars().count() <= LONGEST_NAME
            && name.split_whitespace().count() <= MOST_WORDS
            && !name.ends_with(['.', '!', '?', ':'])
            && !name.contains('\n')
    };
    let named = head.iter().filter(|name| !name.trim().is_empty()).count();
    if !(2..=MOST_COLUMNS).contains(&head.len())
        || !head.iter().all(is_name)
        || named * 2 < head.len()
        || rows
            .row
            .windows(2)
            .any(|pair| pair == b"\":" || pair == b"{\"")
    {
        return false;
    }
    let (mut all, mut even) = (0, 0);
    while all < LOOKED_AT
        && let Some(row) = rows.next()
    {
        // a line of JSON: the first is damaged
        if rows.row.trim_ascii_start().starts_with(b"{\"") {
            return false;
        }
        all += 1;
        even += usize::from(row.len() == head.len());
    }
    all > 0 && even * 5 >= all * 4
}

/// Names of columns, each of its own.
fn names(head: Vec<String>) -> Vec<String> {
    let mut seen = std::collections::HashMap::<String, usize>::new();
    let named = head.into_iter().enumerate().map(|(at, name)| {
        let name = match name.trim() {
            "" => format!("column {}", at + 1),
            name => name.to_owned(),
        };
        let times = seen.entry(name.clone()).or_default();
        *times += 1;
        match *times {
            1 => name,
            more => format!("{name} ({more})"),
        }
    });
    named.collect()
}

/// The rows of a text one after the other; blank lines are none.
struct Rows<'a> {
    reader: Reader,
    separator: u8,
    /// The row that was given last, as it stands in the text, and what follows it.
    row: &'a [u8],
    rest: &'a [u8],
    fields: Vec<u8>,
    ends: Vec<usize>,
}

impl<'a> Rows<'a> {
    fn new(text: &'a str, separator: u8) -> Self {
        Self {
            reader: ReaderBuilder::new().delimiter(separator).build(),
            separator,
            row: &[],
            rest: text.as_bytes(),
            fields: vec![0; 1024],
            ends: vec![0; 64],
        }
    }

    /// The line at which the next row begins, or the blank lines before it.
    fn line(&self) -> u32 {
        u32::try_from(self.reader.line()).unwrap_or(u32::MAX)
    }

    /// How many lines the last row, of which these are the fields, takes up behind its first, where it is the
    /// text's last and a quotation mark is open at its end. One that another row's closes is not seen.
    fn unclosed(&self, fields: &[String]) -> Option<u32> {
        let row = self.row.trim_ascii();
        if !self.rest.is_empty() || !row.contains(&b'\n') {
            return None;
        }
        // what is added to an open field is its own, and the mark closes it
        let mut closed = fields.to_vec();
        let last = closed.last_mut()?;
        last.truncate(last.trim_end().len());
        last.push('x');
        let row = String::from_utf8_lossy(row);
        let is_open = Rows::new(&format!("{row}x\""), self.separator).next() == Some(closed);
        is_open.then(|| row.matches('\n').count() as u32)
    }

    fn next(&mut self) -> Option<Vec<String>> {
        let start = self.rest;
        let (mut size, mut count) = (0, 0);
        loop {
            let (result, used, written, ended) = self.reader.read_record(
                self.rest,
                &mut self.fields[size..],
                &mut self.ends[count..],
            );
            self.rest = &self.rest[used..];
            (size, count) = (size + written, count + ended);
            match result {
                // all that there is has been given: an empty text says that it ends
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => self.fields.resize(self.fields.len() * 2, 0),
                ReadRecordResult::OutputEndsFull => self.ends.resize(self.ends.len() * 2, 0),
                ReadRecordResult::Record => break,
                ReadRecordResult::End => return None,
            }
        }
        self.row = &start[..start.len() - self.rest.len()];
        let mut start = 0;
        let fields = self.ends[..count].iter().map(|end| {
            let field = &self.fields[start..*end];
            start = *end;
            String::from_utf8_lossy(field).into_owned()
        });
        Some(fields.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Option<String> {
        let found = json_lines(text, 1 << 20, &mut Notes::default());
        found.map(|found| String::from_utf8_lossy(&found).into_owned())
    }

    #[test]
    fn rows_become_objects() {
        let lines = "{\"id\":\"1\",\"text\":\"a, \\\"b\\\"\\nc\"}\n{\"id\":\"2\",\"text\":\"\"}\n";
        for text in [
            "id,text\r\n1,\"a, \"\"b\"\"\nc\"\r\n2,\r\n",
            "id;text\n1;\"a, \"\"b\"\"\nc\"\n\n2;",
            "id\ttext\n1\t\"a, \"\"b\"\"\nc\"\n2\t\n",
        ] {
            assert_eq!(table(text).as_deref(), Some(lines), "{text}");
        }
        let same = table("a,a,\n1,2,3\n");
        assert_eq!(
            same.as_deref(),
            Some("{\"a\":\"1\",\"a (2)\":\"2\",\"column 3\":\"3\"}\n")
        );
    }

    #[test]
    fn turns_of_our_own_are_numbered_by_integers() {
        let made = table("turn_index,text,role,session_id\n2,3,user,4\n-1,a,user,b\n1.0,\"\",,\n");
        let rows = [
            r#"{"turn_index":2,"text":"3","role":"user","session_id":"4"}"#,
            r#"{"turn_index":-1,"text":"a","role":"user","session_id":"b"}"#,
            r#"{"turn_index":"1.0","text":"","role":"","session_id":""}"#,
        ];
        assert_eq!(made, Some(rows.join("\n") + "\n"));
        let made = table("session_id,turn,assistant\na,1,2\n");
        let row = "{\"session_id\":\"a\",\"turn\":1,\"assistant\":\"2\"}\n";
        assert_eq!(made.as_deref(), Some(row));
        // in other tables a name says nothing
        let made = table("conversation,turn,message\n1,1,Hi\n");
        let row = "{\"conversation\":\"1\",\"turn\":\"1\",\"message\":\"Hi\"}\n";
        assert_eq!(made.as_deref(), Some(row));
    }

    #[test]
    fn a_quotation_mark_that_is_not_closed_is_told() {
        let told = |text: &str| {
            let mut notes = Notes::default();
            json_lines(text, 1 << 20, &mut notes).expect("a table");
            notes
                .problems
                .into_iter()
                .map(|one| (one.line, one.message))
                .collect::<Vec<_>>()
        };
        let found = told("id,text\n1,\"a\nb\"\n2,\"open\n3,c\n4,d\n");
        assert_eq!((found.len(), found[0].0), (1, 4), "{found:?}");
        assert!(found[0].1.contains("to line 6"), "{found:?}");
        for whole in [
            "id,text\n1,5\" disc\n2,b\n",
            "id,text\n1,a\n2,\"b\n\"\"c\"\n",
        ] {
            assert_eq!(told(whole), [], "{whole}");
        }
    }

    #[test]
    fn prose_is_no_table() {
        for text in [
            "",
            "id,text\n",
            "You are kind, always.\nYou never lie, ever.\n",
            "one\ntwo\nthree\n",
            "Well, well\nNothing here\nNor here\n",
            "INFO {\"id\": 1, \"text\": \"a\"}\n{\"id\": 2, \"text\": \"b\"}\n",
            "INFO {\"id\": 1, \"text\": \"a\"}\nINFO {\"id\": 2, \"text\": \"b\"}\n",
            "xt\": \"a\", \"id\": 1}\n{\"text\": \"b\", \"id\": 2}\n",
            "a, b\", \"id\": 1}\n{\"text\": \"b, c\", \"id\": 2}\n",
        ] {
            assert_eq!(table(text), None, "{text}");
        }
    }

    #[test]
    fn a_table_is_cut_at_its_size() {
        let mut notes = Notes::default();
        let text = format!("{},b\n{}", "n".repeat(50), "1,2\n".repeat(100));
        let found = json_lines(&text, 1000, &mut notes).expect("a table");
        assert!(
            found.len() <= 1000 && found.ends_with(b"}\n"),
            "{}",
            found.len()
        );
        assert_eq!(notes.problems.len(), 1);
    }
}
