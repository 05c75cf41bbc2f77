//! By what runs are known: a file of them, and to other tabs a change of them.

/// Changes with every change of the library: other tabs hear of it.
pub const STAMP: &str = "assay.runs";

/// Whether a text says that it is a file of runs.
pub fn is_file(text: &str) -> bool {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    let rest = start.strip_prefix('{').map(str::trim_start);
    let rest = rest.and_then(|rest| rest.strip_prefix("\"assay\""));
    let rest = rest.and_then(|rest| rest.trim_start().strip_prefix(':'));
    rest.is_some_and(|rest| rest.trim_start().starts_with(MARK))
}

/// What a file of runs says it is.
pub const MARK: &str = "\"runs/1\"";
