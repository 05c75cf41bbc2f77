//! Whether what a report or a result says is what comes of its input: every value is compared, and every
//! difference is told with its place and both values.

use serde_json::{Number, Value};

use super::markup::unescaped;
use super::report::{Report, write};
use crate::text::Shown;

/// By how much a figure that comes of vectors may differ: browsers and processors round them differently
/// (SCORING.md, "Where a result comes from"). All other figures are exact.
pub const TOLERANCE: f64 = 1e-4;

/// So many differences are told; the others are counted.
const MOST_TOLD: usize = 40;

/// Keys of a persona's result below which figures come of vectors.
const OF_VECTORS: [&str; 7] = [
    "authenticity",
    "drift",
    "overall",
    "stability",
    "style",
    "taught",
    "voice",
];
/// Keys below which none does: the weights have the names of what they weigh.
const OF_TEXT: [&str; 5] = ["control", "learned_from", "lexicon", "traits", "weights"];

/// What came of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// What is not as it should be, each in a sentence.
    pub differences: Vec<String>,
    /// How many values were compared.
    pub compared: usize,
    /// How many of them are not the same to the last digit, but within [`TOLERANCE`].
    pub close: usize,
}

impl Account {
    /// Whether nothing differs.
    pub fn stands(&self) -> bool {
        self.differences.is_empty()
    }

    /// It in sentences, the first of which says whether it stands.
    pub fn sentences(&self) -> Vec<String> {
        let (compared, all) = (self.compared, self.differences.len());
        if self.stands() {
            let exact = compared - self.close.min(compared);
            let close = (self.close > 0).then(|| {
                format!(
                    "{} differ by less than {TOLERANCE}, as vectors may.",
                    self.close
                )
            });
            let first =
                format!("It stands: {exact} of {compared} values are the same to the last digit.");
            return [first].into_iter().chain(close).collect();
        }
        let things = if all == 1 {
            "1 difference"
        } else {
            &format!("{all} differences")
        };
        let first = format!("It does not stand: {things}.");
        let told = self.differences.iter().take(MOST_TOLD).cloned();
        let more = all.saturating_sub(MOST_TOLD);
        let more = (more > 0).then(|| format!("And {more} more."));
        [first].into_iter().chain(told).chain(more).collect()
    }

    fn differs(&mut self, path: &str, claimed: &str, computed: &str) {
        let digit = parting_digit(claimed, computed);
        let digit = digit.map(|digit| format!("; they part at digit {digit}"));
        let (claimed, computed) = parting(claimed, computed);
        self.differences.push(format!(
            "{}: it says {}, computed again it is {}{}.",
            Shown(path),
            Shown(&claimed),
            Shown(&computed),
            digit.unwrap_or_default()
        ));
    }
}

/// Two texts from a little before where they part, so that a sentence shows where that is.
fn parting(a: &str, b: &str) -> (String, String) {
    const BEFORE: usize = 20;
    let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let from = |text: &str| {
        let rest: String = text.chars().skip(same - BEFORE).collect();
        format!("…{rest}")
    };
    // short ones are seen as they are
    if same <= 2 * BEFORE {
        return (a.to_owned(), b.to_owned());
    }
    (from(a), from(b))
}

/// At which significant digit two numbers part, from 1; none where one is no number.
fn parting_digit(a: &str, b: &str) -> Option<usize> {
    if a.parse::<f64>().is_err() || b.parse::<f64>().is_err() {
        return None;
    }
    let digits = |text: &str| {
        let all = text.chars().filter(char::is_ascii_digit);
        all.collect::<Vec<_>>()
    };
    let (a, b) = (digits(a), digits(b));
    let same = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    Some(same + 1)
}

/// Every value of a result against the same one computed again. Numbers are the same to the last digit;
/// where the result is of a persona, what comes of vectors may differ by [`TOLERANCE`].
pub fn compare_results(claimed: &Value, computed: &Value) -> Account {
    let mut account = Account::default();
    let is_of_vectors = claimed.get("model").is_some_and(|model| !model.is_null());
    let rule = is_of_vectors.then_some(false);
    compare(&mut account, "", (claimed, computed), rule);
    account
}

/// Compares two values at a path. `rule` is whether they come of vectors; none where nothing below does.
fn compare(
    account: &mut Account,
    path: &str,
    (claimed, computed): (&Value, &Value),
    rule: Option<bool>,
) {
    match (claimed, computed) {
        (Value::Object(a), Value::Object(b)) => {
            let missing = a.keys().filter(|key| !b.contains_key(*key));
            for key in b.keys().chain(missing) {
                let path = if path.is_empty() {
                    key.clone()
                } else {
                    format!("{path}.{key}")
                };
                let pair = (a.get(key), b.get(key));
                either(account, &path, pair, below(rule, key));
            }
        }
        (Value::Array(a), Value::Array(b)) => {
            for at in 0..a.len().max(b.len()) {
                either(
                    account,
                    &format!("{path}[{at}]"),
                    (a.get(at), b.get(at)),
                    rule,
                );
            }
        }
        (Value::Number(a), Value::Number(b)) => {
            account.compared += 1;
            let is_whole = |number: &Number| !number.is_f64();
            if a == b || !(is_whole(a) && is_whole(b)) && a.as_f64() == b.as_f64() {
                return;
            }
            if rule == Some(true) && is_close(a, b) {
                account.close += 1;
            } else {
                account.differs(path, &a.to_string(), &b.to_string());
            }
        }
        (a, b) => {
            account.compared += 1;
            if a != b {
                account.differs(path, &words(Some(a)), &words(Some(b)));
            }
        }
    }
}

/// Whether what stands below a key comes of vectors.
fn below(rule: Option<bool>, key: &str) -> Option<bool> {
    let is = rule? || OF_VECTORS.contains(&key);
    (!OF_TEXT.contains(&key)).then_some(is)
}

fn either(
    account: &mut Account,
    path: &str,
    pair: (Option<&Value>, Option<&Value>),
    rule: Option<bool>,
) {
    match pair {
        (Some(claimed), Some(computed)) => compare(account, path, (claimed, computed), rule),
        (claimed, computed) => {
            account.compared += 1;
            account.differs(path, &words(claimed), &words(computed));
        }
    }
}

fn is_close(a: &Number, b: &Number) -> bool {
    let is_whole = |number: &Number| !number.is_f64();
    let both = a.as_f64().zip(b.as_f64());
    !(is_whole(a) && is_whole(b)) && both.is_some_and(|(a, b)| (a - b).abs() <= TOLERANCE)
}

/// The numbers of a JSON text that are not spelled as a result spells them: a digit too far for any
/// number to hold is changed and nothing else shows it. Each in a sentence.
pub fn misspelled(json: &str) -> Vec<String> {
    let digits = |number: &str| {
        let digits = number.split(['e', 'E']).next().unwrap_or_default();
        let digits: String = digits.chars().filter(char::is_ascii_digit).collect();
        digits.trim_matches('0').to_owned()
    };
    let numbers = numbers(json).into_iter().filter_map(|written| {
        let number: Number = serde_json::from_str(written).ok()?;
        let own = number.to_string();
        (digits(written) != digits(&own)).then(|| {
            format!("It says {written}, which is written {own}: no digit beyond that counts.")
        })
    });
    numbers.collect()
}

/// The numbers of a JSON text, as they are written.
fn numbers(json: &str) -> Vec<&str> {
    let (mut found, mut start) = (Vec::new(), None);
    let (mut is_text, mut is_escaped) = (false, false);
    for (at, byte) in json.bytes().enumerate() {
        if is_text {
            is_text = is_escaped || byte != b'"';
            is_escaped = !is_escaped && byte == b'\\';
        } else if matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E') {
            start = start.or(Some(at));
        } else {
            found.extend(start.take().map(|start| &json[start..at]));
            is_text = byte == b'"';
        }
    }
    found.extend(start.map(|start| &json[start..]));
    found
}

/// A value in a sentence.
fn words(value: Option<&Value>) -> String {
    match value {
        None => "nothing".into(),
        Some(Value::Array(list)) => format!("a list of {}", list.len()),
        Some(Value::Object(_)) => "an object".into(),
        Some(other) => other.to_string(),
    }
}

/// A report against what its document comes to now: that what it says is what is computed, and that the
/// file shows what it says, to the last byte. Ask [`other_model`] before: figures of another one are
/// others.
pub fn compare_reports(text: &str, claimed: &Report, computed: &Report) -> Account {
    let mut account = compare_results(&claimed.result, &computed.result);
    compare_said(&mut account, claimed, computed);
    account.differences.extend(misplaced(claimed));
    account.differences.extend(shown_differences(text, claimed));
    account
}

/// What a report says beside its figures that is not what stands there: words in the place of its day
/// or of a version.
fn misplaced(claimed: &Report) -> Vec<String> {
    let is_day = |day: &str| {
        let parts: Vec<&str> = day.split('-').collect();
        let is_digits = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
        parts.iter().all(is_digits)
            && parts.iter().map(|part| part.len()).collect::<Vec<_>>() == [4, 2, 2]
    };
    let is_version = |version: &str| {
        let mut bytes = version.bytes();
        version.len() < 32
            && bytes.all(|byte| byte.is_ascii_alphanumeric() || b".-+".contains(&byte))
    };
    let told = |what: &str, said: &str| format!("As {what} it says {:?}.", Shown(said));
    let day = claimed.dated.as_deref().filter(|day| !is_day(day));
    let app = Some(claimed.document.app.as_str()).filter(|app| !is_version(app));
    let day = day.map(|day| told("its day", day));
    day.into_iter()
        .chain(app.map(|app| told("the version of Assay", app)))
        .collect()
}

/// Another model than the one that is here, in words; none where it is the same, or none is named.
pub fn other_model(claimed: &Value, sha256: &str) -> Option<String> {
    let model = claimed.get("model").filter(|model| !model.is_null())?;
    let named = model
        .get("sha256")
        .and_then(Value::as_str)
        .unwrap_or_default();
    (named != sha256).then(|| {
        format!(
            "It was made with the model {} of SHA-256 {}; the one here has {sha256}. Figures of another model cannot be compared.",
            Shown(model.get("id").and_then(Value::as_str).unwrap_or_default()),
            Shown(named),
        )
    })
}

/// Sentences are the same; where figures differ as vectors may, so may the last digit of a number in
/// them.
fn compare_said(account: &mut Account, claimed: &Report, computed: &Report) {
    let flat = |report: &Report| {
        let all = report.said.iter().flat_map(|said| {
            let title = std::iter::once(said.title.clone());
            title.chain(said.sentences.iter().cloned())
        });
        all.collect::<Vec<_>>()
    };
    let (a, b) = (flat(claimed), flat(computed));
    let may_differ = account.close > 0;
    for at in 0..a.len().max(b.len()) {
        account.compared += 1;
        let nothing = String::new();
        let (a, b) = (a.get(at).unwrap_or(&nothing), b.get(at).unwrap_or(&nothing));
        if a != b && !(may_differ && are_alike(a, b)) {
            let (a, b) = parting(a, b);
            let told = format!(
                "It says {:?}, and computed again {:?}.",
                Shown(&a),
                Shown(&b)
            );
            account.differences.push(told);
        }
    }
}

/// Whether two sentences differ at most in the last digit of their numbers, by one.
fn are_alike(a: &str, b: &str) -> bool {
    let pieces = |text: &str| {
        let is_number = |c: char| c.is_ascii_digit() || c == '.';
        let mut pieces: Vec<String> = Vec::new();
        let mut was = None;
        for character in text.chars() {
            let is = is_number(character);
            match pieces.last_mut().filter(|_| was == Some(is)) {
                Some(last) => last.push(character),
                None => pieces.push(character.into()),
            }
            was = Some(is);
        }
        pieces
    };
    let (a, b) = (pieces(a), pieces(b));
    a.len() == b.len()
        && a.iter().zip(&b).all(|(a, b)| {
            let decimals = |text: &str| text.split_once('.').map_or(0, |(_, after)| after.len());
            // a whole number counts or names something
            let places = decimals(a);
            let may_differ = places > 0 && places == decimals(b);
            let unit = libm::pow(10.0, -(places as f64));
            let numbers = a.parse::<f64>().ok().zip(b.parse::<f64>().ok());
            a == b || may_differ && numbers.is_some_and(|(a, b)| (a - b).abs() < 1.5 * unit)
        })
}

/// Where a file does not show what it says: each part of it that is not as the same report is written.
fn shown_differences(text: &str, claimed: &Report) -> Vec<String> {
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let written = write(claimed);
    if text == written {
        return Vec::new();
    }
    let is_of_other = claimed.document.app != env!("CARGO_PKG_VERSION");
    let parts = |text: &str| {
        text.split("<section ")
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let (a, b) = (parts(&text), parts(&written));
    let mut found = Vec::new();
    for at in 0..a.len().max(b.len()) {
        let nothing = String::new();
        let (a, b) = (a.get(at).unwrap_or(&nothing), b.get(at).unwrap_or(&nothing));
        if a != b {
            found.push(shown_difference(a, b));
        }
    }
    if is_of_other {
        let told = format!(
            "The file was written by Assay {}, and this is {}: how it shows its figures may differ for that alone.",
            Shown(&claimed.document.app),
            env!("CARGO_PKG_VERSION")
        );
        found.push(told);
    }
    found
}

/// Where a part of a file is not as it is written, in words.
fn shown_difference(shown: &str, written: &str) -> String {
    let same = shown.char_indices().zip(written.chars());
    let at = same.take_while(|((_, a), b)| a == b).last();
    let at = at.map_or(0, |((at, character), _)| at + character.len_utf8());
    let heading = |text: &str| {
        let (_, rest) = text.split_once("<h2>")?;
        Some(unescaped(rest.split_once("</h2>")?.0))
    };
    let heading = heading(written)
        .or_else(|| heading(shown))
        .unwrap_or_else(|| "the head".into());
    // both are the same up to there, so that it is a border of characters in both
    let is_in_tag = shown[..at].rfind('<') > shown[..at].rfind('>');
    if is_in_tag {
        let attribute = |text: &str| {
            let from = text[..at].rfind([' ', '<']).map_or(0, |from| from + 1);
            let to = text[at..]
                .find([' ', '/', '>'])
                .map_or(text.len(), |to| at + to);
            unescaped(text.get(from..to).unwrap_or_default())
        };
        return format!(
            "In {:?} something is drawn with {} where its own data come to {}.",
            Shown(&heading),
            Shown(&attribute(shown)),
            Shown(&attribute(written))
        );
    }
    let around = |text: &str| {
        let from = text[..at].rfind(['>', '\n']).map_or(0, |from| from + 1);
        let to = text[at..]
            .find(['<', '\n'])
            .map_or(text.len(), |to| at + to);
        unescaped(text.get(from..to).unwrap_or_default())
    };
    let (shown, written) = parting(&around(shown), &around(written));
    format!(
        "In {:?} the file shows {:?} where its own data come to {:?}.",
        Shown(&heading),
        Shown(&shown),
        Shown(&written)
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_difference_is_told_down_to_the_digit() {
        let account = compare_results(
            &json!({"a": [1, {"b": 3.25}], "c": "x"}),
            &json!({"a": [1, {"b": 3.24}], "c": "x", "d": null}),
        );
        assert!(!account.stands());
        assert_eq!(
            account.sentences(),
            [
                "It does not stand: 2 differences.",
                "a[1].b: it says 3.25, computed again it is 3.24; they part at digit 3.",
                "d: it says nothing, computed again it is null.",
            ]
        );
        assert!(compare_results(&json!([1.5]), &json!([1.5])).stands());
        let long = "a".repeat(100);
        let account = compare_results(&json!(format!("{long}b")), &json!(format!("{long}c")));
        assert!(
            account.sentences()[1].contains("aab\", computed again"),
            "{account:?}"
        );
        assert!(compare_results(&json!(1), &json!(1.0)).stands());
        let large = 1_u64 << 60;
        assert!(!compare_results(&json!(large), &json!(large + 1)).stands());
    }

    #[test]
    fn a_digit_that_no_number_holds_is_seen() {
        let fine = r#"{"a\"9": [0.1, 1, 1.0, -1e3, 0.24000000000000002, 5e-324], "1.000000000000000001": true}"#;
        assert_eq!(misspelled(fine), [""; 0]);
        let odd = misspelled("[0.2400000000000000199, 1]");
        assert_eq!(odd.len(), 1, "{odd:?}");
    }

    #[test]
    fn what_comes_of_vectors_may_be_close_and_nothing_else() {
        let result = |style: f64, safety: f64, weight: f64| {
            json!({
                "model": {"sha256": "a"},
                "weights": {"style": weight},
                "authenticity": {"style": style, "traits": safety},
                "safety": {"mean": safety},
            })
        };
        let compared = |style, safety, weight| {
            compare_results(&result(style, safety, weight), &result(0.5, 0.25, 0.3))
        };
        let close = compared(0.500_05, 0.25, 0.3);
        assert!(close.stands() && close.close == 1, "{close:?}");
        assert!(close.sentences()[1].starts_with("1 differ"), "{close:?}");
        assert!(!compared(0.5002, 0.25, 0.3).stands());
        assert_eq!(compared(0.5, 0.250_05, 0.3).differences.len(), 2);
        assert!(!compared(0.5, 0.25, 0.300_05).stands());
    }

    #[test]
    fn what_is_drawn_otherwise_is_told_without_markup() {
        let part = |width: &str, said: &str| {
            format!(
                "id=\"a\"><h2>Charts &amp; more</h2><rect x=\"1\" width=\"{width}\"/><p>{said}</p>"
            )
        };
        assert_eq!(
            shown_difference(&part("12.5", "x"), &part("13", "y")),
            "In \"Charts & more\" something is drawn with width=\"12.5\" where its own data come to width=\"13\"."
        );
        assert_eq!(
            shown_difference(&part("12", "1.5 kg"), &part("12", "1.6 kg")),
            "In \"Charts & more\" the file shows \"1.5 kg\" where its own data come to \"1.6 kg\"."
        );
    }

    #[test]
    fn the_last_digit_of_a_sentence_may_follow() {
        assert!(are_alike("grade B below 0.31", "grade B below 0.32"));
        assert!(!are_alike("grade B below 0.31", "grade B below 0.33"));
        assert!(!are_alike("grade B below 0.31", "grade C below 0.31"));
        assert!(!are_alike("3 of 5 turns", "4 of 5 turns"));
    }
}
