//! Locked weights: they keep their value when the domain changes and when all
//! are reset. One setting of the work, `locked`, lists their names; the value of
//! each is pinned as the weight's own setting.

use super::desk::Work;

/// The setting.
pub const LOCKED: &str = "locked";

/// The names of the locked weights.
pub fn locked(work: &Work) -> impl Iterator<Item = &str> {
    work.setting(LOCKED)
        .into_iter()
        .flat_map(|names| names.split(','))
}

/// Whether a weight is locked.
pub fn is_locked(work: &Work, name: &str) -> bool {
    locked(work).any(|locked| locked == name)
}

/// Locks a weight at a value.
pub fn lock(work: &mut Work, name: &str, value: String) {
    if !is_locked(work, name) {
        let names = work.setting(LOCKED).map(|names| format!("{names},{name}"));
        work.set(LOCKED, Some(names.unwrap_or_else(|| name.to_owned())));
    }
    work.set(name, Some(value));
}

/// Unlocks a weight. It keeps its value, unless that is its original one.
pub fn unlock(work: &mut Work, name: &str, original: f64) {
    let names: Vec<&str> = locked(work).filter(|locked| *locked != name).collect();
    let names = (!names.is_empty()).then(|| names.join(","));
    work.set(LOCKED, names);
    let value = work.setting(name).and_then(|raw| raw.trim().parse().ok());
    if value == Some(original) {
        work.set(name, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_pins_the_value_and_is_one_setting() {
        let mut work = Work::default();
        lock(&mut work, "w_base", "0.5".into());
        lock(&mut work, "w_risk", "0.7".into());
        lock(&mut work, "w_risk", "0.7".into());
        assert_eq!(work.setting(LOCKED), Some("w_base,w_risk"));
        assert!(is_locked(&work, "w_risk") && !is_locked(&work, "w"));
        assert_eq!(work.setting("w_base"), Some("0.5"));
    }

    #[test]
    fn an_unlocked_weight_leaves_no_trace_of_its_original() {
        let mut work = Work::default();
        lock(&mut work, "w_base", "0.5".into());
        lock(&mut work, "w_risk", "0.9".into());
        unlock(&mut work, "w_base", 0.5);
        assert_eq!(work.setting("w_base"), None);
        unlock(&mut work, "w_risk", 0.7);
        assert_eq!(work.setting("w_risk"), Some("0.9"));
        assert_eq!(work.setting(LOCKED), None);
        assert_eq!(locked(&work).count(), 0);
    }
}
