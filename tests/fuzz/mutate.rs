//! A case: a text made from others, and choices, both from a seed.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The most bytes of a text.
const MOST: usize = 20_000;

/// What texts are spoiled with: marks, odd characters, words of the formats.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "'",
    "\n",
    "\n\n",
    "\r",
    "\r\n",
    "\t",
    " ",
    "- ",
    "? ",
    ": ",
    "# ",
    "&a ",
    "*a",
    "|",
    ">",
    "---\n",
    "...\n",
    "%YAML 1.2\n",
    "!!str ",
    "<<: ",
    "~",
    "null",
    "true",
    "0",
    "-0",
    "1",
    "2",
    "-1",
    "1e999",
    "1e308",
    "1e-40",
    "0.5",
    "9007199254740993",
    "99999999999999999999",
    "\"\"",
    "\"a\"",
    "\\u0000",
    "\\ud800",
    "\\udc00",
    "\\ud83d\\ude00",
    "\u{feff}",
    "\u{202e}",
    "\u{200b}",
    "\u{200d}",
    "\u{301}",
    "\u{1f525}",
    "\u{0}",
    "\u{7f}",
    "\u{2028}",
    "\u{85}",
    "\u{a0}",
    "\u{130}",
    "ß",
    "ﬁ",
    "\u{10ffff}",
    "猫",
    "שלום",
    "\"candidates\": ",
    "\"id\": ",
    "\"wins\": ",
    "\"reviews\": ",
    "\"support\": 2",
    "\"evidence\": ",
    "\"major_risks\": ",
    "\"critical_fail\": 1",
    "\"debater\": ",
    "\"claims\": [{\"status\": \"proved\"}]",
    "\"formal_score\": ",
    "\"pairwise\": ",
    "\"winner\": ",
    "\"loser\": ",
    "\"turns\": ",
    "\"turn_number\": ",
    "\"turn_result\": ",
    "\"response\": ",
    "\"tools\": ",
    "\"overrides\": ",
    "\"ethical\": ",
    "\"constitutional_scores\": ",
    "\"weights\": ",
    "\"has_mutations\": ",
    "\"context_utilization\": ",
    "\"action\": ",
    "\"session_id\": ",
    "\"turn_index\": ",
    "\"role\": \"assistant\"",
    "\"text\": ",
    "\"messages\": ",
    "\"content\": ",
    "\"user\": ",
    "\"assistant\": ",
    "exemplars:\n",
    "lexicon:\n",
    "  preferred: ",
    "  avoid: ",
    "voice:\n",
    "  tone: ",
    "style_rules:\n",
    "  formality: casual\n",
    "id: ",
    "name: ",
    "scoring:\n",
    "  bootstrap_samples: 100\n",
    "  seed: 3\n",
    "- category: custom\n  severity: high\n  pattern: 'a+'\n",
    "- category: violence\n  severity: low\n  words: [a, b]\n  exceptions: [a b]\n",
    "(?i)",
    "(a|b)*",
    "\\b",
    "\\w+",
    "{1,50}",
    "(?:",
    ".*",
    "\"domains\": ",
    "\"models\": ",
    "\"keywords\": ",
    "\"w_base\": ",
    "```json\n",
    "```\n",
    "// c\n",
    "/* c */",
    ",]",
    ",}",
    "{\"a\":1}\n",
    "#v2.",
    "=1+1",
    "![t](http://x/p.png)",
];

/// A source of texts and choices; the same for the same seed, target and number.
pub struct Case<'a> {
    random: ChaCha8Rng,
    corpus: &'a [String],
}

impl<'a> Case<'a> {
    pub fn new(seed: u64, target: usize, number: u64, corpus: &'a [String]) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream((number << 8) | target as u64);
        Self { random, corpus }
    }

    /// A number below one that is above 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.random.random_range(0..end.max(1))
    }

    /// Whether it happens that happens once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of these.
    pub fn one<'b, T>(&mut self, of: &'b [T]) -> &'b T {
        &of[self.below(of.len())]
    }

    /// Something short.
    pub fn piece(&mut self) -> String {
        (*self.one(PIECES)).to_owned()
    }

    /// A text of the corpus with these words in it, if there is one, spoiled; now and
    /// then another, or as it is.
    pub fn text(&mut self, like: &str) -> String {
        let alike: Vec<&String> = self
            .corpus
            .iter()
            .filter(|text| text.contains(like))
            .collect();
        let mut text = if alike.is_empty() || self.once_in(10) {
            self.one(self.corpus).clone()
        } else {
            (*self.one(&alike)).clone()
        };
        if self.once_in(40) {
            text.clear();
        }
        let most = if self.once_in(5) { 40 } else { 6 };
        for _ in 0..self.below(most) {
            self.spoil(&mut text);
            if text.len() > MOST {
                text.truncate(floor(&text, MOST));
            }
        }
        text
    }

    fn spoil(&mut self, text: &mut String) {
        let place = |case: &mut Self, text: &str| floor(text, case.below(text.len() + 1));
        let (one, other) = (place(self, text), place(self, text));
        let (from, to) = (one.min(other), one.max(other));
        let near = floor(text, (one + 1 + self.below(12)).min(text.len()));
        match self.below(11) {
            0..=3 => {
                let piece = self.piece();
                text.insert_str(one, &piece);
            }
            4 => {
                let piece = self.piece();
                text.replace_range(one..near.max(one), &piece);
            }
            5 => text.replace_range(one..near.max(one), ""),
            6 if to - from < 4_000 => {
                let part = text[from..to].to_owned();
                text.insert_str(one, &part);
            }
            7 => {
                let donor = self.one(self.corpus).clone();
                let start = place(self, &donor);
                let end = floor(&donor, (start + self.below(400)).min(donor.len()));
                text.insert_str(one, &donor[start..end.max(start)]);
            }
            8 => text.truncate(one),
            9 => {
                let many = self.below(60);
                let piece = self.piece().repeat(many);
                text.insert_str(one, &piece);
            }
            _ => {
                let mut lines: Vec<&str> = text.split('\n').collect();
                let (one, other) = (self.below(lines.len()), self.below(lines.len()));
                lines.swap(one, other);
                *text = lines.join("\n");
            }
        }
    }
}

/// The last place at which a character begins, up to a byte.
fn floor(text: &str, mut byte: usize) -> usize {
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    byte
}
