//! Two thousand texts of all kinds that are written down nowhere: they come from
//! a generator with a fixed seed, so they are the same on every machine.

use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// How many texts there are.
pub const COUNT: usize = 2000;

const WORDS: &str = "the of and to in is that it was for on are as with they be at one have this \
    from or had by hot but some what there we can out other were all your when up use word how said \
    an each she which do their time if will way about many then them would write like so these her \
    long make thing see him two has look more day could go come did my sound no most number who over \
    know water than call first people may down side been now find any new work part take get place \
    made live where after back little only round man year came show every good me give our under name \
    very through just form much great think say help low line before turn cause same mean differ move \
    right boy old too does tell sentence set three want air well also play small end put home read hand \
    port large spell add even land here must big high such follow act why ask men change went light \
    kind off need house picture try us again animal point mother world near build self earth father \
    refund invoice delighted sincerely deploy latency quantum photosynthesis jurisprudence \
    antidisestablishmentarianism";

const CODE: &[&str] = &[
    "fn main() {",
    "}",
    "let mut x = 0;",
    "if (a && !b) { return null; }",
    "\t",
    "    ",
    "=>",
    "==",
    "!=",
    "SELECT * FROM users WHERE id = 42;",
    "<div class=\"a\">",
    "</div>",
    "#include <stdio.h>",
    "i++",
    "def f(self, *args, **kwargs):",
    "lambda x: x**2",
    "std::vec::Vec<u8>",
    "0xDEADBEEF",
    "git commit -m",
    "/* TODO */",
    "// comment",
    "\\n",
    "${HOME}/.config",
    "a[i][j]",
    "camelCaseName",
    "snake_case_name",
    "https://example.com/a/b?c=d&e=%20f#g",
    "user@example.org",
    "C:\\Windows\\System32",
    "^[a-z]+\\d{2,}$",
    "{\"key\": [1, 2.5e-3, null, true]}",
    "'; DROP TABLE x; --",
    "\u{201c}quoted\u{201d}",
    "...",
    "?!",
];

const EMOJI: &[&str] = &[
    "😀",
    "😂",
    "❤️",
    "👍🏽",
    "👩‍👩‍👧‍👦",
    "🏳️‍🌈",
    "🇩🇪",
    "🇯🇵",
    "🤷‍♀️",
    "🔥",
    "✨",
    "☕",
    "1️⃣",
    "🧑🏿‍🚀",
    "🫠",
    "♟️",
    "©",
    "™",
    "→",
    "∑",
];

/// Ranges of code points, by script.
const SCRIPTS: &[(u32, u32)] = &[
    (0x00C0, 0x017F), // Latin with marks
    (0x0180, 0x024F),
    (0x0370, 0x03FF),     // Greek
    (0x0400, 0x04FF),     // Cyrillic
    (0x0531, 0x058F),     // Armenian
    (0x0590, 0x05F4),     // Hebrew
    (0x0600, 0x06FF),     // Arabic
    (0x0900, 0x097F),     // Devanagari
    (0x0980, 0x09FF),     // Bengali
    (0x0B80, 0x0BFF),     // Tamil
    (0x0E00, 0x0E5B),     // Thai
    (0x10A0, 0x10FF),     // Georgian
    (0x1100, 0x11FF),     // Hangul, its letters
    (0x1200, 0x137F),     // Ethiopic
    (0x1E00, 0x1EFF),     // Latin, more marks
    (0x1F00, 0x1FFE),     // Greek, more marks
    (0x2000, 0x206F),     // spaces, marks of direction
    (0x20A0, 0x2BFF),     // symbols
    (0x3000, 0x30FF),     // Kana
    (0x3400, 0x3500),     // CJK, extension A
    (0x4E00, 0x9FFF),     // CJK
    (0xAC00, 0xD7A3),     // Hangul
    (0xE000, 0xE010),     // private use
    (0xF900, 0xFAFF),     // CJK, compatibility
    (0xFB00, 0xFDFF),     // ligatures
    (0xFE00, 0xFFFF),     // forms of half and full width
    (0x1_0330, 0x1_034A), // Gothic
    (0x1_D400, 0x1_D7FF), // mathematical letters
    (0x2_0000, 0x2_0100), // CJK, extension B
];

const ODD: &[&str] = &[
    "\u{0}",
    "\u{1}",
    "\u{7f}",
    "\u{85}",
    "\u{ad}",
    "\u{200b}",
    "\u{200d}",
    "\u{202e}",
    "\u{feff}",
    "\u{fffd}",
    "\r\n",
    "\n\n",
    "\t",
    "\u{a0}",
    "\u{3000}",
    "\u{2028}",
    " ",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "[UNK]",
    "[PAD]",
    "##ing",
    "İ",
    "ß",
    "ı",
    "ﬁ",
    "Å",
    "A\u{30a}",
    "é",
    "e\u{301}",
    "ǅ",
    "ΐ",
    "가",
    "\u{1100}\u{1161}",
];

/// The texts, the most ordinary kinds most often.
pub fn all() -> Vec<String> {
    let mut chance = ChaCha8Rng::seed_from_u64(20_240_229);
    let mut texts = vec![String::new(), " ".into(), "\n".into()];
    texts.extend(('a'..='z').map(String::from));
    texts.extend(EMOJI.iter().chain(ODD).map(|&text| text.to_owned()));
    texts.extend((0..12).map(|kind| long(&mut chance, kind)));
    while texts.len() < COUNT {
        let kind = texts.len() % 20;
        texts.push(text(&mut chance, kind));
    }
    texts
}

/// Ten thousand characters.
fn long(chance: &mut ChaCha8Rng, kind: usize) -> String {
    let mut long = String::new();
    while long.chars().count() < 10_000 {
        long += &text(chance, kind);
        long.push(' ');
    }
    long.chars().take(10_000).collect()
}

fn text(chance: &mut ChaCha8Rng, kind: usize) -> String {
    let short = chance.random_range(1..30);
    match kind {
        0 => pieces(chance, short, " ", |chance| one_of(chance, CODE)),
        1 => pieces(chance, short / 3 + 1, "", |chance| one_of(chance, EMOJI)),
        2 => pieces(chance, short, "", |chance| one_of(chance, ODD)),
        3 | 4 => {
            let script = *SCRIPTS.choose(chance).unwrap_or(&SCRIPTS[0]);
            pieces(chance, short, " ", |chance| letters(chance, script))
        }
        5 => pieces(chance, short, "", |chance| {
            let script = *SCRIPTS.choose(chance).unwrap_or(&SCRIPTS[0]);
            letters(chance, script)
        }),
        6 => pieces(chance, short / 4 + 1, "", |chance| {
            // letters under a heap of marks
            let marks = 0..chance.random_range(0..9);
            let mut heap = String::from(char::from(chance.random_range(b'a'..=b'z')));
            heap.extend(marks.filter_map(|_| char::from_u32(chance.random_range(0x300..0x36F))));
            heap
        }),
        7 => {
            // one word that does not end
            let word = letters(chance, (0x61, 0x7A));
            word.repeat(short * 4)
        }
        8 => pieces(chance, short, " ", |chance| {
            match chance.random_range(0..3) {
                0 => chance.random_range(0..1_000_000_u32).to_string(),
                1 => format!("{:.3}", chance.random_range(-1e4..1e4_f64)),
                _ => one_of(
                    chance,
                    &["%", "$", "€", "-", "/", "+", "=", "(", ")", "½", "²", "№"],
                ),
            }
        }),
        9 => pieces(chance, short, " ", |chance| {
            match chance.random_range(0..5) {
                0 => one_of(chance, EMOJI),
                1 => one_of(chance, CODE),
                2 => one_of(chance, ODD),
                3 => letters(chance, SCRIPTS[3]),
                _ => word(chance),
            }
        }),
        10 => prose(chance, 250),
        11 => prose(chance, 120),
        _ => prose(chance, short),
    }
}

/// Sentences of so many words.
fn prose(chance: &mut ChaCha8Rng, count: usize) -> String {
    let mut text = String::new();
    let mut begins = true;
    for _ in 0..count {
        let word = word(chance);
        if begins {
            text += &word[..1].to_uppercase();
            text += &word[1..];
        } else {
            text += &word;
        }
        let end = chance.random_range(0..12);
        begins = end == 0;
        text += [". ", ", "].get(end).unwrap_or(&" ");
    }
    text.trim_end().to_owned()
}

fn word(chance: &mut ChaCha8Rng) -> String {
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    one_of(chance, &words)
}

fn letters(chance: &mut ChaCha8Rng, (first, last): (u32, u32)) -> String {
    let count = chance.random_range(1..9);
    (0..count)
        .filter_map(|_| char::from_u32(chance.random_range(first..=last)))
        .collect()
}

fn one_of(chance: &mut ChaCha8Rng, choices: &[&str]) -> String {
    choices
        .choose(chance)
        .copied()
        .unwrap_or_default()
        .to_owned()
}

fn pieces(
    chance: &mut ChaCha8Rng,
    count: usize,
    between: &str,
    mut piece: impl FnMut(&mut ChaCha8Rng) -> String,
) -> String {
    let pieces: Vec<String> = (0..count).map(|_| piece(chance)).collect();
    pieces.join(between)
}
