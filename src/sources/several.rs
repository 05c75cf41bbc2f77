//! Several files that are one document together: logs of one task, each of another model.

use super::content::Content;
use super::file::File;
use super::format::{Rows, Several};
use super::formats::SEVERAL;
use super::listing::{Item, Listing, item};
use super::notes::Notes;
use crate::steps::Pause;

/// What several files are together, as one file that has no bytes of its own; none where they
/// are of no format of which several go together. Where they do not fit, nothing is in it, and
/// its notes say why.
pub async fn together(files: &[&File], pause: Pause<'_>) -> Option<File> {
    for several in SEVERAL {
        let own = files.iter().filter(|file| file.is_of(several.format));
        let own: Vec<&File> = own.copied().collect();
        if own.len() > 1 {
            return Some(joined(several, &own, pause).await);
        }
    }
    None
}

async fn joined(several: &Several, files: &[&File], pause: Pause<'_>) -> File {
    let (mut notes, mut all) = (Notes::default(), Vec::new());
    for file in files {
        let rows = file.kept(several.format, several.keep, pause).await;
        match rows {
            Ok(rows) => all.push(Rows {
                file: &file.name,
                rows,
            }),
            Err(words) => notes.error(1, "", format!("{}: {words}", file.name)),
        }
    }
    let contents = (several.read)(&all, &mut notes);
    let listing = Listing {
        format: several.format,
        noun: format!("{} {}", all.len(), several.noun),
        because: several.because.to_owned(),
        ties: Vec::new(),
        items: inner(&contents),
        notes,
    };
    let names: Vec<&str> = files.iter().map(|file| file.name_alone()).collect();
    File::of_contents(named(&names), several.key, listing, contents)
}

/// An item for each of the contents.
fn inner(contents: &[Content]) -> Vec<Item> {
    let items = contents.iter().enumerate();
    let items = items.map(|(at, content)| Item {
        inner: Some(at),
        ..item(content)
    });
    items.collect()
}

/// What several files are called: three by name, the others by their number.
fn named(names: &[&str]) -> String {
    const NAMED: usize = 3;
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] if names.len() <= NAMED => format!("{} and {last}", first.join(", ")),
        [first, second, rest @ ..] => format!("{first}, {second} and {} more", rest.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_names_are_one() {
        assert_eq!(named(&["a"]), "a");
        assert_eq!(named(&["a", "b"]), "a and b");
        assert_eq!(named(&["a", "b", "c"]), "a, b and c");
        assert_eq!(named(&["a", "b", "c", "d"]), "a, b and 2 more");
    }
}
