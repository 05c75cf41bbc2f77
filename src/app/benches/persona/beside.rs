//! Two runs of the bench as one work of it: the later with the earlier as its baseline.

use super::baseline::{BASELINE, BASELINE_CONFIG, BASELINE_PERSONA};
use super::options;
use crate::app::desk::Work;
use crate::document::Problems;
use crate::persona::config::{Config, read_config, with_options};

/// The later work with the earlier one's transcript as its baseline, and with its persona and its
/// weights where those were others.
pub fn beside(before: &Work, mut after: Work) -> Work {
    let differs = |before: &str, after: &str| -> String {
        let before = Some(before).filter(|before| *before != after);
        before.unwrap_or_default().to_owned()
    };
    let persona = differs(before.text("persona"), after.text("persona"));
    let config = match (weighed(before), weighed(&after)) {
        (Some(before), Some(after)) => differs(&before, &after),
        (Some(before), None) => before,
        // what is wrong with it is said where it stands
        (None, _) => differs(before.text("config"), after.text("config")),
    };
    after.set_text(BASELINE, before.text("transcript"));
    after.set_text(BASELINE_PERSONA, persona);
    after.set_text(BASELINE_CONFIG, config);
    after
}

/// The baseline as the run on the bench, and that as the baseline.
pub fn swapped(work: &Work) -> Work {
    let mut earlier = work.clone();
    earlier.set_text("transcript", work.text(BASELINE));
    if let Some(persona) = work.filled(BASELINE_PERSONA) {
        earlier.set_text("persona", persona);
    }
    if let Some(config) = work.filled(BASELINE_CONFIG) {
        earlier.set_text("config", config);
        for field in options::WEIGHTS {
            earlier.set(field.name, None);
        }
        earlier.set(options::MAX_VARIANCE.name, None);
        earlier.set(options::STYLE_BY, None);
    }
    beside(work, earlier)
}

/// What a work is weighed by, its settings on top of its config, as a config; none where there is a
/// mistake in it.
fn weighed(work: &Work) -> Option<String> {
    let mut problems = Problems::new();
    let config = work
        .filled("config")
        .map_or_else(Config::default, |text| read_config(text, 1, &mut problems));
    let config = with_options(&config, &options::options(work), &mut problems);
    (!problems.has_errors()).then(|| config.written())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(persona: &str, config: &str) -> Work {
        let mut work = Work::default();
        work.set_text("persona", persona);
        work.set_text("transcript", format!("[\"{persona}\"]"));
        work.set_text("config", config);
        work
    }

    fn baseline(before: &Work, after: &Work) -> [String; 3] {
        let both = beside(before, after.clone());
        [BASELINE, BASELINE_PERSONA, BASELINE_CONFIG].map(|name| both.text(name).to_owned())
    }

    #[test]
    fn what_is_the_same_is_not_put_in_twice() {
        let [one, other] = ["a: 1", "a: 2"].map(|persona| work(persona, ""));
        assert_eq!(baseline(&one, &one), ["[\"a: 1\"]", "", ""]);
        assert_eq!(baseline(&one, &other), ["[\"a: 1\"]", "a: 1", ""]);
        // the defaults, written out
        let same = work("a: 1", "scoring: {seed: 42, authenticity_weight: 0.5}");
        assert_eq!(baseline(&one, &same)[2], "");
    }

    #[test]
    fn settings_count_as_weights() {
        let one = work("a: 1", "scoring: {authenticity_weight: 2}");
        let mut other = work("a: 1", "scoring: {authenticity_weight: 2}");
        other.set("safety_weight", Some("1".into()));
        let [_, _, config] = baseline(&one, &other);
        assert!(config.contains("authenticity_weight: 2\n"), "{config}");
        assert!(config.contains("safety_weight: 0.3\n"), "{config}");
        // the other way round, and back
        let both = beside(&one, other.clone());
        let turned = swapped(&both);
        assert_eq!(turned.text("transcript"), one.text("transcript"));
        assert_eq!(weighed(&turned), weighed(&one));
        let back = swapped(&turned);
        assert_eq!(
            (weighed(&back), back.text(BASELINE_CONFIG)),
            (weighed(&other), &*config)
        );
        // a mistake goes along as it stands
        let wrong = work("a: 1", "scoring: {authenticity_weight: x}");
        assert_eq!(
            baseline(&wrong, &one)[2],
            "scoring: {authenticity_weight: x}"
        );
    }
}
