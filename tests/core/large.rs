//! Files of any size: made with a seed, looked through, searched, and one conversation of them opened.
//! The bench `large` does the same with a gigabyte.

use std::fs::File as OnDisk;
use std::io::{BufWriter, Read, Result, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

use assay::sources::{Bytes, File, Item, Kind, Wanted};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const SEED: u64 = 13;
const WORDS: [&str; 24] = [
    "the", "ferry", "leaves", "at", "nine", "and", "comes", "back", "before", "dark", "with",
    "bread", "for", "all", "who", "wait", "on", "this", "side", "of", "water", "under", "old",
    "lamps",
];
/// What is searched for: it stands in one conversation of a file, the last.
const SOUGHT: &str = "lighthouse keeper";

fn sentence(random: &mut ChaCha8Rng, words: usize) -> String {
    let words = (0..words).map(|_| WORDS[random.random_range(0..WORDS.len())]);
    words.collect::<Vec<_>>().join(" ")
}

/// Writes chats as OpenAI's API has them, one a line, until there are so many bytes; how many chats
/// there are.
pub fn write_chats(path: &Path, bytes: u64) -> Result<usize> {
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let mut file = BufWriter::new(OnDisk::create(path)?);
    let (mut written, mut number) = (0, 0);
    while written < bytes {
        let mut messages = Vec::new();
        for turn in 0..random.random_range(4..20) {
            let asked = sentence(&mut random, 24);
            let asked = if turn == 0 {
                format!("{number}: {asked}")
            } else {
                asked
            };
            let said = sentence(&mut random, 180);
            messages.push(format!(
                "{{\"role\":\"user\",\"content\":\"{asked}\"}},{{\"role\":\"assistant\",\"content\":\"{said}\"}}"
            ));
        }
        let line = format!("{{\"messages\":[{}]}}\n", messages.join(","));
        written += line.len() as u64;
        file.write_all(line.as_bytes())?;
        number += 1;
    }
    file.write_all(
        format!("{{\"messages\":[{{\"role\":\"user\",\"content\":\"Where is the {SOUGHT}?\"}},{{\"role\":\"assistant\",\"content\":\"Up there.\"}}]}}\n")
            .as_bytes(),
    )?;
    file.flush()?;
    Ok(number + 1)
}

/// Writes labelled rows, ten to a conversation, one a line; how many conversations there are.
pub fn write_rows(path: &Path, rows: usize) -> Result<usize> {
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let mut file = BufWriter::new(OnDisk::create(path)?);
    let conversations = rows.div_ceil(10).max(1);
    for number in 0..conversations {
        for turn in 1..=10.min(rows - number * 10) {
            let role = if turn % 2 == 1 { "user" } else { "assistant" };
            let text = if turn == 1 && number + 1 == conversations {
                format!("Where is the {SOUGHT}?")
            } else {
                sentence(&mut random, 30)
            };
            writeln!(
                file,
                "{{\"session_id\":\"s{number}\",\"turn_index\":{turn},\"role\":\"{role}\",\"text\":\"{text}\",\"notes\":\"\"}}"
            )?;
        }
    }
    file.flush()?;
    Ok(conversations)
}

/// A file of which a stretch at a time is read.
struct Stretches(OnDisk, u64);

impl Bytes for Stretches {
    fn len(&self) -> u64 {
        self.1
    }

    fn read(&self, range: Range<u64>) -> std::result::Result<Vec<u8>, String> {
        let mut file = &self.0;
        let mut bytes = Vec::new();
        let length = range.end.min(self.1).saturating_sub(range.start);
        let read = file
            .seek(SeekFrom::Start(range.start))
            .and_then(|_| file.take(length).read_to_end(&mut bytes));
        read.map(|_| bytes).map_err(|error| error.to_string())
    }
}

/// How long each step took, and what it found.
#[allow(dead_code)] // the bench tells the times
pub struct Measured {
    pub conversations: usize,
    pub listed: Duration,
    pub found: usize,
    pub searched: Duration,
    pub opened: Duration,
    /// The document that was opened.
    pub text: String,
}

/// Looks through a file, searches the list as the page does, and opens the conversation found.
pub fn measure(path: &Path) -> Measured {
    let file = OnDisk::open(path).expect("a file");
    let length = file.metadata().expect("its length").len();
    let began = Instant::now();
    let file = File::open("large.jsonl", Box::new(Stretches(file, length)), None);
    let file = file.expect("a file that is known");
    let listed = began.elapsed();
    let items = &file.listings[0].items;
    let has = |item: &Item| {
        let text = format!("{}\n{}\n{}", item.id, item.title, item.first_words).to_lowercase();
        SOUGHT.split(' ').all(|word| text.contains(word))
    };
    let began = Instant::now();
    let found: Vec<usize> = (0..items.len()).filter(|at| has(&items[*at])).collect();
    let searched = began.elapsed();
    let wanted = Wanted {
        kind: Kind::Transcript,
        file: &file.name,
        because: "",
        mapping: std::collections::BTreeMap::new(),
    };
    let began = Instant::now();
    let made = file.make(0, &found, &wanted).expect("a document");
    Measured {
        conversations: items.len(),
        listed,
        found: found.len(),
        searched,
        opened: began.elapsed(),
        text: made.text,
    }
}

/// The most memory that this process has had, in MB; none where the system does not tell.
#[allow(dead_code)] // the bench asks, in a process of its own
pub fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1000)
}

#[test]
fn a_large_file_is_listed_searched_and_opened() {
    let [chats, rows] = ["chats.jsonl", "rows.jsonl"].map(super::own_files::path);
    let written = [
        (write_chats(&chats, 4_000_000).expect("written"), &chats),
        (write_rows(&rows, 3_005).expect("written"), &rows),
    ];
    assert_eq!(written[1].0, 301);
    assert!(written[0].0 > 100);
    for (number, path) in written {
        let measured = measure(path);
        assert_eq!((measured.conversations, measured.found), (number, 1));
        assert!(measured.text.contains(SOUGHT), "{}", measured.text);
        std::fs::remove_file(path).expect("removed");
    }
}
