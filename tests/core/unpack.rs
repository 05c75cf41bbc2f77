//! Archives, pictures and packed files, whole and broken.

use assay::cli::Status;
use assay::sources::{File, Kind, Notes, Part, Unpacked, Wanted, unpack};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use miniz_oxide::deflate::{compress_to_vec, compress_to_vec_zlib};
use proptest::collection::vec;
use proptest::prelude::*;
use ruzstd::encoding::{CompressionLevel, compress_to_vec as zstd};

use super::command_line;

const CHAT: &str = r#"{"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello there."}]}"#;

#[derive(Clone)]
struct Entry {
    name: &'static str,
    method: u16,
    flags: u16,
    packed: Vec<u8>,
    size: u32,
    check: u32,
}

fn entry(name: &'static str, method: u16, own: &[u8]) -> Entry {
    let packed = match method {
        8 => compress_to_vec(own, 6),
        93 => {
            // two frames, and one to be skipped between them
            let (first, rest) = own.split_at(own.len() / 2);
            let skipped: &[u8] = b"\x50\x2a\x4d\x18\x03\0\0\0abc";
            let level = CompressionLevel::Fastest;
            [&zstd(first, level), skipped, &zstd(rest, level)].concat()
        }
        _ => own.to_vec(),
    };
    Entry {
        name,
        method,
        flags: 0,
        packed,
        size: own.len() as u32,
        check: rawzip::crc32(own),
    }
}

fn zip(entries: &[Entry]) -> Vec<u8> {
    let (mut all, mut directory) = (Vec::new(), Vec::new());
    for entry in entries {
        let offset = all.len() as u32;
        let mut head = [20_u16, entry.flags, entry.method, 0, 0]
            .map(u16::to_le_bytes)
            .concat();
        head.extend(
            [entry.check, entry.packed.len() as u32, entry.size]
                .map(u32::to_le_bytes)
                .concat(),
        );
        head.extend([entry.name.len() as u16, 0].map(u16::to_le_bytes).concat());
        all.extend(
            [
                b"PK\x03\x04",
                &head[..],
                entry.name.as_bytes(),
                &entry.packed,
            ]
            .concat(),
        );
        directory.extend(
            [
                b"PK\x01\x02\x14\0",
                &head[..],
                &[0; 10],
                &offset.to_le_bytes(),
                entry.name.as_bytes(),
            ]
            .concat(),
        );
    }
    let (start, count) = (all.len() as u32, entries.len() as u16);
    all.extend(&directory);
    let end = [count, count].map(u16::to_le_bytes).concat();
    let sizes = [directory.len() as u32, start]
        .map(u32::to_le_bytes)
        .concat();
    all.extend([b"PK\x05\x06\0\0\0\0", &end[..], &sizes, &[0, 0]].concat());
    all
}

fn gzip(own: &[u8]) -> Vec<u8> {
    let packed = compress_to_vec(own, 6);
    let check = rawzip::crc32(own).to_le_bytes();
    let size = (own.len() as u32).to_le_bytes();
    [
        b"\x1f\x8b\x08\x08\0\0\0\0\0\x03chat.json\0",
        &packed[..],
        &check,
        &size,
    ]
    .concat()
}

fn png(chunks: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut all = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, own) in chunks {
        all.extend((own.len() as u32).to_be_bytes());
        all.extend([kind.as_bytes(), own, &[0; 4]].concat());
    }
    all
}

fn parts(bytes: &[u8]) -> (Vec<Part>, Notes) {
    let mut notes = Notes::default();
    let unpacked = unpack("file", &bytes, &mut notes);
    let parts = match unpacked.expect("it can be read") {
        Unpacked::Parts(parts) => Some(parts),
        Unpacked::AsItIs => None,
    };
    (parts.expect("it is unpacked"), notes)
}

fn refused(bytes: &[u8]) -> String {
    unpack("file", &bytes, &mut Notes::default()).expect_err("it cannot be read")
}

#[test]
fn an_archive_is_read_by_its_directory() {
    let nested = zip(&[entry("a.json", 0, b"{}")]);
    let mut locked = entry("locked.json", 8, b"{}");
    locked.flags = 1;
    let mut broken = entry("broken.json", 8, b"{\"a\": 1}");
    broken.check ^= 1;
    let archive = zip(&[
        entry("chats/", 0, b""),
        entry("chats/1.json", 0, b"{\"old\": 1}"),
        entry("chats/2.json", 8, CHAT.as_bytes()),
        entry("chats/3.json", 93, CHAT.as_bytes()),
        entry("table.csv", 8, b"id,text\n1,a\n"),
        entry("picture.png", 0, b"\x89PNG\r\n\x1a\n"),
        entry("nested.zip", 0, &nested),
        locked,
        broken,
        entry("odd.json", 12, b"{}"),
        entry("chats/1.json", 0, CHAT.as_bytes()),
    ]);
    let (parts, notes) = parts(&archive);
    let found: Vec<_> = parts
        .iter()
        .map(|part| (part.name.as_str(), String::from_utf8_lossy(&part.bytes)))
        .collect();
    let row = "{\"id\":\"1\",\"text\":\"a\"}\n";
    let expected = [
        ("chats/1.json", CHAT),
        ("chats/2.json", CHAT),
        ("chats/3.json", CHAT),
        ("table.csv", row),
    ];
    assert_eq!(found, expected.map(|(name, text)| (name, text.into())));
    let said: Vec<_> = notes
        .problems
        .iter()
        .map(|problem| problem.message.as_str())
        .collect();
    assert_eq!(
        said,
        [
            "\"nested.zip\" is left out: archives in archives are not opened",
            "\"locked.json\" is left out: it is encrypted",
            "\"broken.json\" is left out: it is cut off or damaged",
            "\"odd.json\" is left out: it is packed by the method 12",
        ]
    );
    let dropped: Vec<_> = notes
        .dropped
        .iter()
        .map(|dropped| (dropped.what.as_str(), dropped.times))
        .collect();
    assert_eq!(
        dropped,
        [
            ("entries of the archive that a later one replaces", 1),
            ("entries of the archive that are no text", 1)
        ]
    );
}

#[test]
fn bombs_are_left_out() {
    let wide = [b"[\"", &vec![b'a'; 2 << 20][..], b"\"]"].concat();
    let mut huge = entry("huge.json", 8, b"[1]");
    huge.size = u32::MAX - 1;
    // what says that it is small and is not
    let mut sly = entry("sly.json", 8, &wide);
    sly.size = 3;
    let (parts, notes) = parts(&zip(&[
        entry("wide.json", 8, &wide),
        huge,
        sly,
        entry("fine.json", 0, b"[1]"),
    ]));
    let found: Vec<_> = parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(found, ["fine.json"]);
    let said: Vec<_> = notes
        .problems
        .iter()
        .map(|problem| problem.message.as_str())
        .collect();
    assert_eq!(
        said,
        [
            "\"wide.json\" is left out: unpacked it is more than 500 times as large, as no text is",
            "\"huge.json\" is left out: it has 4294 MB, of an archive's entry at most 67 MB are read: unpack it and open it by itself",
            "\"sly.json\" is left out: it is cut off or damaged",
        ]
    );
    assert_eq!(
        refused(&gzip(&vec![b'a'; 70 << 20])),
        "unpacked it has more than 67 MB: unpack it and open what is inside"
    );
    assert_eq!(
        refused(b"PK\x03\x04 and nothing"),
        "the archive is cut off or damaged: it has no directory"
    );
}

#[test]
fn a_picture_has_a_card() {
    let coded = |json: &str| STANDARD.encode(json).into_bytes();
    let old = |json: &str| ("tEXt", [b"chara\0", &coded(json)[..]].concat());
    let packed = (
        "zTXt",
        [
            b"chara\0\0",
            &compress_to_vec_zlib(&coded("{\"z\": 1}"), 6)[..],
        ]
        .concat(),
    );
    let new = (
        "iTXt",
        [b"ccv3\0\0\0en\0\0", &coded("{\"new\": 1}")[..]].concat(),
    );
    let broken = ("tEXt", b"ccv3\0????".to_vec());
    let data = || ("IDAT", vec![0; 20]);
    for (chunks, json, problems) in [
        (vec![data(), old("{\"old\": 1}")], "{\"old\": 1}", 0),
        (vec![old("{\"old\": 1}"), data(), new], "{\"new\": 1}", 0),
        (vec![packed, data()], "{\"z\": 1}", 0),
        (vec![broken, old("{\"old\": 1}")], "{\"old\": 1}", 1),
    ] {
        let (parts, notes) = parts(&png(&chunks));
        assert_eq!(String::from_utf8_lossy(&parts[0].bytes), json);
        assert_eq!(notes.problems.len(), problems);
    }
    assert_eq!(refused(&png(&[data()])), "the picture has no card in it");
}

#[test]
fn a_packed_file_is_unpacked() {
    let (one, rest) = CHAT.split_at(20);
    let level = CompressionLevel::Fastest;
    for packed in [
        gzip(CHAT.as_bytes()),
        [gzip(one.as_bytes()), gzip(rest.as_bytes())].concat(),
        zstd(CHAT.as_bytes(), level),
    ] {
        let (parts, _) = parts(&packed);
        assert_eq!(String::from_utf8_lossy(&parts[0].bytes), CHAT);
    }
    assert_eq!(
        refused(&gzip(b"\0\x01\x02")),
        "what is packed in it is no text"
    );
    assert_eq!(
        refused(b"<!DOCTYPE html>"),
        "web pages and XML are not read"
    );
    let json = unpack("x.zip", &CHAT.as_bytes(), &mut Notes::default());
    assert!(matches!(json, Ok(Unpacked::AsItIs)));
}

#[test]
fn parts_of_one_format_are_one_listing() {
    let archive = zip(&[
        entry("a.json", 8, CHAT.as_bytes()),
        entry("b.json", 8, b"{\"nothing\": {\"known\": 1}}"),
        entry("c.json", 8, CHAT.as_bytes()),
    ]);
    let file = File::open("chats.zip", Box::new(archive), None).expect("an archive");
    assert_eq!(file.listings.len(), 1);
    assert_eq!(file.strange[0].name, "b.json");
    let names: Vec<_> = file.listings[0]
        .items
        .iter()
        .map(|item| file.part_of(item))
        .collect();
    assert_eq!(names, ["a.json", "c.json"]);
    let wanted = Wanted {
        kind: Kind::Transcript,
        file: &file.name,
        because: "",
        mapping: std::collections::BTreeMap::new(),
    };
    let made = file.make(0, &[0, 1], &wanted).expect("a transcript");
    assert_eq!(made.text.lines().count(), 4);
    assert!(file.make(0, &[2], &wanted).is_err() && file.make(1, &[0], &wanted).is_err());
}

#[test]
fn an_entry_that_is_broken_is_lost_and_one_of_something_else_is_not() {
    let chat = entry("a.json", 8, CHAT.as_bytes());
    let other = entry("b.json", 8, b"{\"nothing\": {\"known\": 1}}");
    let mut cut = entry("c.json", 8, CHAT.as_bytes());
    cut.check += 1;
    let broken = entry("d.jsonl", 8, b"{\"messages\": [}\n");
    for (entries, status) in [
        ([chat.clone(), other], Status::Done),
        ([chat.clone(), cut], Status::BadInput),
        ([chat, broken], Status::BadInput),
    ] {
        let archive = zip(&entries);
        let ran = command_line::assay(&["reward", "--stdin"], &archive);
        assert_eq!(ran.status, status, "{}", ran.stderr);
        assert_eq!(ran.stdout.lines().count(), 1, "{}", ran.stderr);
    }
}

/// Whatever stands first in it, also our own documents and words.
#[test]
fn an_archive_is_read_whatever_is_first_in_it() {
    let debate = std::fs::read("public/examples/debate.json").expect("an example");
    let words = entry(
        "README.md",
        8,
        b"What is in it, and how it came to be: chats of a week.",
    );
    let ran = |entries: &[Entry], command: &str| {
        command_line::assay(&[command, "--stdin"], &zip(entries))
    };
    let chats = ran(&[words, entry("a.json", 8, CHAT.as_bytes())], "reward");
    assert_eq!(chats.status, Status::Done, "{}", chats.stderr);
    let own = ran(&[entry("a.json", 8, &debate)], "rwea");
    assert_eq!(own.status, Status::Done, "{}", own.stderr);
    assert_eq!(
        own.stdout,
        command_line::assay(&["rwea", "--stdin"], &debate).stdout
    );
    for bytes in [zip(&[]), zip(&[entry("a.json", 8, &debate)])[..99].to_vec()] {
        for call in [&["rwea", "--stdin"][..], &["import", "-"]] {
            let none = command_line::assay(call, &bytes);
            assert_eq!(none.status, Status::BadInput, "{call:?}");
            assert!(
                none.stderr.contains("<stdin>"),
                "{call:?}: {:?}",
                none.stderr
            );
            assert!(
                !none.stderr.contains("UTF-8"),
                "{call:?}: {:?}",
                none.stderr
            );
        }
    }
}

#[test]
fn what_repeats_the_samples_of_an_inspect_log_is_left_out() {
    let log = std::fs::read("tests/data/sources/inspect-logs-a.json").expect("a sample");
    let archive = zip(&[
        entry("header.json", 8, &log),
        entry("summaries.json", 8, b"[{\"nothing\": 1}]"),
        entry("reductions.json", 8, b"[{\"nothing\": 2}]"),
        entry("_journal/start.json", 8, b"{\"nothing\": 3}"),
        entry("odd.json", 8, b"{\"nothing\": 4}"),
    ]);
    let file = File::open("x.eval", Box::new(archive), None).expect("an archive");
    let strange: Vec<_> = file.strange.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(strange, ["odd.json"]);
    let dropped = file
        .notes
        .dropped
        .iter()
        .map(|own| (own.what.as_str(), own.times));
    let dropped: Vec<_> = dropped.collect();
    assert!(
        dropped.contains(&("entries that repeat the samples", 3)),
        "{dropped:?}"
    );
    // in another archive they are parts like others
    let archive = zip(&[
        entry("a.json", 8, CHAT.as_bytes()),
        entry("summaries.json", 8, b"[{\"nothing\": 1}]"),
    ]);
    let file = File::open("chats.zip", Box::new(archive), None).expect("an archive");
    assert_eq!(file.strange.len(), 1);
}

#[test]
fn flat_objects_are_a_table_only_where_they_look_like_its_rows() {
    let format = |text: &str| {
        let file = File::open("x", Box::new(text.as_bytes().to_vec()), None).expect("a text");
        file.listings.first().map(|listing| listing.format.key)
    };
    for text in [
        "id,words\n1,bread and cheese\n",
        "{\"who\": \"user\", \"words\": \"a\"}\n{\"who\": \"assistant\", \"words\": \"b\"}\n",
        "[{\"id\": \"1\", \"reply\": \"a\"}, {\"id\": \"2\", \"reply\": \"b\"}]",
    ] {
        assert_eq!(format(text), Some("table"), "{text}");
    }
    for text in [
        "{\"name\": \"x\", \"reply\": \"a\"}",
        "{\"severity\": \"INFO\", \"message\": \"a\"}\n{\"severity\": \"WARN\", \"message\": \"b\"}\n",
        "[{\"name\": \"x\"}, {\"name\": \"y\"}]",
        "name: x\ntheme: dark\n",
    ] {
        assert_eq!(format(text), None, "{text}");
    }
}

/// Files of every kind.
fn samples() -> Vec<Vec<u8>> {
    let card = STANDARD.encode(r#"{"name": "Ann", "first_mes": "Hello."}"#);
    vec![
        zip(&[
            entry("a.json", 8, CHAT.as_bytes()),
            entry("b.json", 93, CHAT.as_bytes()),
            entry("c.csv", 0, b"id,text\n1,a\n2,b\n"),
        ]),
        gzip(CHAT.as_bytes()),
        zstd(CHAT.as_bytes(), CompressionLevel::Fastest),
        png(&[
            (
                "zTXt",
                [b"chara\0\0", &compress_to_vec_zlib(card.as_bytes(), 6)[..]].concat(),
            ),
            ("iTXt", [b"ccv3\0\0\0en\0\0", card.as_bytes()].concat()),
        ]),
        b"session;role;text\ns1;user;\"Hi\nyou\"\ns1;assistant;Hello\n".to_vec(),
        b"id: ann\nexemplars:\n  - Hello there, friend.\n  - &a Good day to you.\n  - *a\n"
            .to_vec(),
        format!("Here it is:\n```json\n{CHAT}\n```\nDone.").into_bytes(),
        CHAT.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        b"Be kind.\n\nBe brief.\n\nBe there.\n".to_vec(),
        CHAT.as_bytes().to_vec(),
    ]
}

/// Opens a file and makes all that can be made of it; what comes of it is small.
fn go_through(bytes: Vec<u8>) {
    if let Ok(Unpacked::Parts(parts)) = unpack("file", &bytes, &mut Notes::default()) {
        let all: usize = parts.iter().map(|part| part.bytes.len()).sum();
        assert!(all < 1 << 20, "{all}");
    }
    let Ok(file) = File::open("file", Box::new(bytes), None) else {
        return;
    };
    for (at, listing) in file.listings.iter().enumerate() {
        for (place, item) in listing.items.iter().enumerate() {
            for kind in &item.makes {
                let wanted = Wanted {
                    kind: *kind,
                    file: "file",
                    because: &listing.because,
                    mapping: std::collections::BTreeMap::new(),
                };
                let _ = file.make(at, &[place], &wanted);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn broken_files_do_no_harm(
        sample in 0..10_usize,
        cut in prop::option::of(any::<prop::sample::Index>()),
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        let mut bytes = samples().swap_remove(sample);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        go_through(bytes);
    }

    #[test]
    fn any_bytes_after_a_mark_do_no_harm(
        mark in prop::sample::select(vec![&b"PK\x03\x04"[..], b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"\x89PNG\r\n\x1a\n", b"a,b\n", b"\xff\xfe", b"a: "]),
        rest in vec(any::<u8>(), 0..200),
    ) {
        go_through([mark, &rest].concat());
    }
}

#[test]
fn every_cut_does_no_harm() {
    for sample in samples() {
        for cut in 0..sample.len() {
            go_through(sample[..cut].to_vec());
        }
    }
}

/// The reader of a document of our own says what of it is lost, also where that was packed.
#[test]
fn what_is_lost_of_a_packed_document_is_told_once() {
    let turn = |id: &str| {
        let turn = serde_json::json!({"turn_number": 1, "turn_result": {"response": "So it is."}});
        serde_json::json!({"session_id": id, "turns": [turn]}).to_string()
    };
    let text = format!("{}\nConnection reset\n{}\n", turn("a"), turn("b"));
    let packed = super::own_files::path("lost.jsonl.gz");
    std::fs::write(&packed, gzip(text.as_bytes())).expect("written");
    let packed = packed.to_str().expect("UTF-8");
    let ran = command_line::assay(&["reward", "--partial", "--input", packed], b"");
    assert_eq!(ran.status, Status::BadInput, "{}", ran.stderr);
    assert_eq!(ran.stderr.matches(":2:1: ").count(), 1, "{}", ran.stderr);
    let end = "\"left_out\":1,\"sessions\":2}}\n";
    assert!(ran.stdout.ends_with(end), "{}", ran.stdout);
}
