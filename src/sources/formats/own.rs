//! Our own documents as they stand: they are used to the byte.

use super::super::content::{Content, Kind};
use super::super::format::{Format, Group};
use super::super::shape::Shape;

pub(super) const DEBATE: Format = Format {
    key: "assay-debate",
    noun: "a debate of Assay",
    shapes: &[
        Shape {
            has: &["candidates[].reviews:list"],
            lacks: &[],
        },
        Shape {
            has: &["candidates[].id", "candidates[].reviews:list"],
            lacks: &[],
        },
    ],
    group: |_| Group::All,
    read: |rows, _| own(Kind::Debate, rows.len()),
};

pub(super) const TURNS: Format = Format {
    key: "assay-turns",
    noun: "turns of Assay",
    shapes: &[
        Shape {
            has: &["turn_number", "turn_result:object"],
            lacks: &[],
        },
        Shape {
            has: &["turns[].turn_number", "turns[].turn_result:object"],
            lacks: &[],
        },
        Shape {
            has: &["action", "turn_result:object"],
            lacks: &[],
        },
        Shape {
            has: &["turns[].action", "turns[].turn_result:object"],
            lacks: &[],
        },
        Shape {
            has: &["turn_number", "constitutional_scores:object"],
            lacks: &[],
        },
        Shape {
            has: &[
                "marks[].turn_number",
                "marks[].constitutional_scores:object",
            ],
            lacks: &[],
        },
    ],
    group: |_| Group::All,
    read: |rows, _| own(Kind::Turns, rows.len()),
};

pub(super) const TRANSCRIPT: Format = Format {
    key: "assay-transcript",
    noun: "a transcript of Assay",
    shapes: &[
        Shape {
            has: &["session_id", "turn_index", "role:text", "text"],
            lacks: &[],
        },
        Shape {
            has: &["session_id", "turn", "assistant"],
            lacks: &["messages"],
        },
    ],
    group: |_| Group::All,
    read: |rows, _| own(Kind::Transcript, rows.len()),
};

pub(super) const PERSONA: Format = Format {
    key: "assay-persona",
    noun: "a persona of Assay",
    shapes: &[
        Shape {
            has: &["exemplars[]:text"],
            lacks: &["spec", "results", "messages"],
        },
        Shape {
            has: &["examples[]:text"],
            lacks: &["spec", "results", "messages", "models"],
        },
        Shape {
            has: &["lexicon.preferred:list"],
            lacks: &["spec", "results", "messages"],
        },
        Shape {
            has: &["voice.lexicon:object"],
            lacks: &["spec", "results", "messages"],
        },
        Shape {
            has: &["lexicon.avoid:list"],
            lacks: &["spec", "results", "messages"],
        },
        Shape {
            has: &["id", "exemplars[]:text"],
            lacks: &["spec", "results", "messages"],
        },
        Shape {
            has: &["id", "lexicon:object"],
            lacks: &["spec", "results", "messages"],
        },
    ],
    group: |_| Group::All,
    read: |rows, _| own(Kind::Persona, rows.len()),
};

fn own(kind: Kind, records: usize) -> Vec<Content> {
    vec![Content::Own { kind, records }]
}
