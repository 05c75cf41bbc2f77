//! Runs of LangSmith: `{"id", "trace_id", "run_type", "inputs": {"messages"}, "outputs":
//! {"choices" | "message" | "generations"}, "feedback_stats"}`, a run in each row or item.
//! Messages may be as LangChain writes them: `{"lc", "type", "id", "kwargs": {"content"}}`.

use super::super::content::Content;
use super::super::conversation::Outcome;
use super::super::format::{Context, Format, Group};
use super::super::notes::Notes;
use super::super::shape::Shape;
use super::spans::{self, Span, Step, tokens, word};
use crate::document::Node;

pub(super) const FORMAT: Format = Format {
    key: "langsmith",
    noun: "runs of LangSmith",
    shapes: &[Shape {
        has: &["run_type:text", "inputs", "id:text"],
        lacks: &[],
    }],
    group: |row| Group::Named(session(row).unwrap_or_else(|| trace(row)).to_owned()),
    read,
};

fn trace(row: &Node) -> &str {
    word(row, "trace_id")
        .or_else(|| word(row, "id"))
        .unwrap_or_default()
}

/// The thread of a run, by any of the keys that LangSmith reads it from.
fn session(row: &Node) -> Option<&str> {
    let metadata = row.find("extra.metadata")?;
    let keys = ["thread_id", "session_id", "conversation_id"];
    keys.iter().find_map(|key| word(metadata, key))
}

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let spans = rows.iter().filter_map(|row| span(row, &mut context.notes));
    let conversations = spans::conversations(spans.collect()).into_iter();
    conversations.map(Content::Conversation).collect()
}

fn span(row: &Node, notes: &mut Notes) -> Option<Span> {
    let kind = word(row, "run_type").unwrap_or_default();
    let is_root = row.get("parent_run_id").and_then(Node::text).is_none();
    let step = match kind {
        "tool" => Step::Outcome(Outcome {
            id: None,
            failed: word(row, "error")
                .is_some_and(|error| !error.is_empty())
                .then_some(true),
        }),
        "llm" => exchange(row, notes),
        _ if is_root => exchange(row, notes),
        _ => {
            notes.drop("runs around calls of models", row.place.line);
            return None;
        }
    };
    Some(Span {
        session: session(row).map(str::to_owned),
        trace: trace(row).to_owned(),
        at: word(row, "start_time").unwrap_or_default().to_owned(),
        is_around: kind != "llm" && kind != "tool",
        step,
    })
}

fn exchange(row: &Node, notes: &mut Notes) -> Step {
    let model = [
        "extra.metadata.ls_model_name",
        "extra.invocation_params.model",
    ];
    let model = model.iter().find_map(|path| row.find(path)?.text());
    let used = [
        "prompt_tokens",
        "outputs.usage.prompt_tokens",
        "outputs.usage.input_tokens",
    ];
    let used = used.iter().find_map(|path| tokens(row.find(path)));
    let about = (model.map(str::to_owned), used);
    spans::exchange(row.get("inputs"), row.get("outputs"), about, notes)
}
