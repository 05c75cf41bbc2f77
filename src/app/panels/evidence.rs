//! A text with the words marked that a score stands on.

use leptos::prelude::*;

use crate::text::sort_by_key;

/// A stretch of a text that means something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// First character.
    pub start: usize,
    /// The one after the last.
    pub end: usize,
    /// Its class in evidence.css.
    pub class: &'static str,
    /// What it means, in words.
    pub title: String,
    /// What is shown beside it while it is pointed at or has the focus, which it then takes.
    pub tip: Option<String>,
}

/// A stretch of text with all the marks that cover it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The text.
    pub text: String,
    /// Indices of the marks.
    pub marks: Vec<usize>,
}

/// Cuts a text wherever a mark starts or ends; marks may overlap.
pub fn cut(text: &str, marks: &[Mark]) -> Vec<Piece> {
    let characters: Vec<char> = text.chars().collect();
    let mut cuts: Vec<usize> = marks
        .iter()
        .flat_map(|mark| [mark.start, mark.end])
        .chain([0, characters.len()])
        .map(|cut| cut.min(characters.len()))
        .collect();
    sort_by_key(&mut cuts, |cut| *cut);
    cuts.dedup();
    cuts.windows(2)
        .map(|pair| Piece {
            text: characters[pair[0]..pair[1]].iter().collect(),
            marks: (0..marks.len())
                .filter(|&index| marks[index].start <= pair[0] && pair[1] <= marks[index].end)
                .collect(),
        })
        .collect()
}

/// Draws a text with its marks.
pub fn marked(text: &str, marks: &[Mark]) -> impl IntoView + use<> {
    let mut end = 0;
    let pieces = cut(text, marks).into_iter().map(|piece| {
        let start = end;
        end += piece.text.chars().count();
        if piece.marks.is_empty() {
            return view! { <span>{piece.text}</span> }.into_any();
        }
        let covering = || piece.marks.iter().map(|&index| &marks[index]);
        let class = covering()
            .map(|mark| mark.class)
            .collect::<Vec<_>>()
            .join(" ");
        let title = covering()
            .map(|mark| mark.title.clone())
            .collect::<Vec<_>>()
            .join("; ");
        // said once of what others cut apart
        let tips = covering().filter(|mark| mark.start == start);
        let tips: Vec<&str> = tips.filter_map(|mark| mark.tip.as_deref()).collect();
        if tips.is_empty() {
            return view! { <mark class=class title=title>{piece.text}</mark> }.into_any();
        }
        let tip = view! { <span class="tip">{tips.join("; ")}</span> };
        view! { <mark class=class class:tipped=true tabindex="0">{piece.text}{tip}</mark> }
            .into_any()
    });
    view! { <p class="marked">{pieces.collect_view()}</p> }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(start: usize, end: usize) -> Mark {
        Mark {
            start,
            end,
            class: "",
            title: String::new(),
            tip: None,
        }
    }

    #[test]
    fn overlapping_marks_are_cut_apart() {
        let pieces = cut("aéio😀", &[mark(0, 3), mark(2, 5)]);
        let texts: Vec<_> = pieces.iter().map(|piece| piece.text.as_str()).collect();
        assert_eq!(texts, ["aé", "i", "o😀"]);
        assert_eq!(pieces[1].marks, vec![0, 1]);
    }

    #[test]
    fn marks_beyond_the_text_are_no_crash() {
        assert_eq!(cut("ab", &[mark(1, 99)]).len(), 2);
        assert_eq!(cut("", &[mark(0, 1)]), vec![]);
        assert_eq!(cut("ab", &[mark(5, 2)]).concat_text(), "ab");
    }

    trait Concat {
        fn concat_text(&self) -> String;
    }
    impl Concat for Vec<Piece> {
        fn concat_text(&self) -> String {
            self.iter().map(|piece| piece.text.as_str()).collect()
        }
    }
}
