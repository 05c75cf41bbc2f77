//! `--report`: the result as a file, of what its name says.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::{Failure, Streams, write};
use crate::share::report::{Report, write as html};

/// What a report is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Html,
    Markdown,
    Csv,
}

/// The file of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    path: PathBuf,
    form: Form,
}

/// What a command knows of a report, made when it is asked for.
pub(super) struct Makers<'a> {
    pub(super) html: &'a dyn Fn() -> Report,
    pub(super) markdown: &'a dyn Fn() -> String,
    pub(super) csv: &'a dyn Fn() -> String,
}

impl Wanted {
    /// The file of that name: its ending says what is written.
    pub(super) fn named(name: OsString) -> Result<Self, Failure> {
        let path = PathBuf::from(name);
        let ending = path.extension().and_then(|ending| ending.to_str());
        let form = match ending {
            Some("html") => Form::Html,
            Some("md") => Form::Markdown,
            Some("csv") => Form::Csv,
            _ => {
                let message = format!(
                    "--report expects a file that ends with .html, .md or .csv, got {}",
                    path.display()
                );
                return Err(Failure::Usage(message));
            }
        };
        Ok(Self { path, form })
    }

    /// A report in HTML holds the whole input, and is no place for what is to be masked.
    pub(super) fn check(&self, is_masked: bool) -> Result<(), Failure> {
        if is_masked && self.form == Form::Html {
            let message = "--mask does not go with a report in HTML, which holds the whole input as it is: \
                           write .md or .csv";
            return Err(Failure::Usage(message.into()));
        }
        Ok(())
    }

    /// Whether it is one that holds its input.
    #[cfg(feature = "embed")]
    pub(super) fn is_html(&self) -> bool {
        self.form == Form::Html
    }

    /// Writes it.
    pub(super) fn write(
        &self,
        makers: &Makers,
        is_masked: bool,
        streams: &mut Streams,
    ) -> Result<(), Failure> {
        let text = match self.form {
            Form::Html => html(&(makers.html)().dated(today())),
            Form::Markdown => (makers.markdown)(),
            Form::Csv => (makers.csv)(),
        };
        write(&self.path, &text, is_masked, streams)
            .map_err(|failure| unwritten(&self.path, failure))
    }
}

/// A file that cannot be written, by its name.
fn unwritten(path: &Path, failure: Failure) -> Failure {
    match failure {
        Failure::Stream(error) => Failure::Stream(std::io::Error::other(format!(
            "{}: {error}",
            path.display()
        ))),
        other => other,
    }
}

/// The day by the clock, in UTC, as `2026-01-31`; none where the clock stands before 1970.
fn today() -> Option<String> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
    Some(day(since.as_secs() / 86_400))
}

/// The day after so many since 1970-01-01: years of 365 or 366 days from the first of March on, in which
/// the leap day is the last.
fn day(days: u64) -> String {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_088, "2024-12-31"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(day(days), expected);
        }
    }
}
