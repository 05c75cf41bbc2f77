//! Number fields: their raw text, and the number or the problem it stands for.

use super::desk::Work;

/// A number that can be set: a weight or an option.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberField {
    /// As the formula names it, and the key of the setting.
    pub name: &'static str,
    /// As people read it.
    pub label: &'static str,
    /// What it does, in one sentence.
    pub help: &'static str,
    /// Smallest number allowed.
    pub min: f64,
    /// Largest number allowed.
    pub max: f64,
    /// The slider's end; a number field takes larger ones.
    pub slider_max: f64,
    /// Whole numbers only.
    pub integer: bool,
}

impl NumberField {
    /// A weight: finite and at least 0.
    pub const fn weight(
        name: &'static str,
        label: &'static str,
        slider_max: f64,
        help: &'static str,
    ) -> Self {
        Self {
            name,
            label,
            help,
            min: 0.0,
            max: 1e6,
            slider_max,
            integer: false,
        }
    }

    /// The number typed; `None` when nothing was, an explanation when it is not one.
    pub fn read(&self, work: &Work) -> Result<Option<f64>, String> {
        work.setting(self.name)
            .map_or(Ok(None), |raw| self.parse(raw).map(Some))
    }

    fn parse(&self, raw: &str) -> Result<f64, String> {
        let raw = raw.trim();
        let expected = self.expected();
        if raw.is_empty() {
            return Err(format!("empty: expected {expected}"));
        }
        let Ok(number) = raw.parse::<f64>() else {
            let comma = raw.replace(',', ".").parse::<f64>().is_ok();
            let hint = if comma {
                "; use a point, not a comma"
            } else {
                ""
            };
            return Err(format!(
                "“{raw}” is not a number: expected {expected}{hint}"
            ));
        };
        let whole = !self.integer || number.fract() == 0.0;
        if number.is_finite() && number >= self.min && number <= self.max && whole {
            Ok(number)
        } else {
            Err(format!("{raw}: expected {expected}"))
        }
    }

    fn expected(&self) -> String {
        let kind = if self.integer {
            "a whole number"
        } else {
            "a number"
        };
        if self.max >= 1e6 {
            format!("{kind} of {} or more", self.min)
        } else {
            format!("{kind} from {} to {}", self.min, self.max)
        }
    }
}

/// The valid numbers of some fields, by name. Invalid ones are left out: their
/// problem stands beside the field, and the original is used.
pub fn valid_numbers(fields: &[NumberField], work: &Work) -> Vec<(String, f64)> {
    fields
        .iter()
        .filter_map(|field| Some((field.name.to_owned(), field.read(work).ok()??)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELD: NumberField = NumberField::weight("w", "W", 3.0, "");

    fn read(raw: &str) -> Result<Option<f64>, String> {
        let mut work = Work::default();
        work.set("w", Some(raw.into()));
        FIELD.read(&work)
    }

    #[test]
    fn numbers_are_read_as_typed() {
        assert_eq!(FIELD.read(&Work::default()), Ok(None));
        assert_eq!(read(" 1.50 "), Ok(Some(1.5)));
        assert_eq!(read("1e1"), Ok(Some(10.0)));
        for raw in ["", "-1", "NaN", "inf", "1e999", "x", "1,5", "1e7"] {
            assert!(read(raw).is_err(), "{raw}");
        }
        assert!(read("1,5").expect_err("comma").contains("point"));
    }

    #[test]
    fn an_invalid_number_is_left_out() {
        let mut work = Work::default();
        work.set("w", Some("abc".into()));
        assert_eq!(valid_numbers(&[FIELD], &work), vec![]);
        work.set("w", Some("2".into()));
        assert_eq!(valid_numbers(&[FIELD], &work), vec![("w".to_owned(), 2.0)]);
    }
}
