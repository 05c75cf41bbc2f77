//! Rollouts of Codex: rows `{"timestamp", "type": "session_meta" | "turn_context" |
//! "response_item" | "event_msg", "payload"}`; older ones have the items by themselves. A file is
//! a session. What is said stands in the items; events repeat it, and add how many tokens went in.

use super::super::content::Content;
use super::super::conversation::{Call, Conversation, Message, Outcome, Role};
use super::super::format::{Context, Format, Group};
use super::super::notes::Notes;
use super::super::shape::Shape;
use super::openai;
use crate::document::{Node, parse_json};

pub(super) const FORMAT: Format = Format {
    key: "codex",
    noun: "a rollout of Codex",
    shapes: &[
        Shape {
            has: &[
                "type=session_meta|response_item|event_msg|turn_context",
                "timestamp",
                "payload:object",
            ],
            lacks: &[],
        },
        Shape {
            has: &[
                "type=message",
                "role=user|assistant|developer|system",
                "content[].type=input_text|output_text",
            ],
            lacks: &["messages"],
        },
    ],
    group: |_| Group::All,
    read,
};

/// How texts begin that the program puts in under the user's name.
const PROGRAM: [&str; 5] = [
    "<environment_context>",
    "<user_instructions>",
    "<permissions instructions>",
    "<turn_aborted>",
    "# AGENTS.md instructions for ",
];

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let notes = &mut context.notes;
    let mut conversation = Conversation::default();
    let mut model: Option<String> = None;
    for row in rows {
        let payload = row.get("payload").unwrap_or(row);
        match word(row, "type").unwrap_or_default() {
            "session_meta" | "" => {
                let id = word(payload, "id").unwrap_or_default();
                // the head of older rollouts has no type; a fork has the head of what it was made from as well
                if conversation.id.is_empty() {
                    id.clone_into(&mut conversation.id);
                }
            }
            "turn_context" => model = word(payload, "model").map(str::to_owned).or(model),
            "event_msg" => event(payload, &mut conversation.messages),
            "compacted" => notes.drop("summaries of what came before", row.place.line),
            _ => {
                let message = item(payload, row.place.line, notes).map(|message| Message {
                    model: model.clone().filter(|_| message.role == Role::Assistant),
                    ..message
                });
                conversation.messages.extend(message);
            }
        }
    }
    vec![Content::Conversation(conversation)]
}

/// What an event adds to the messages before it.
fn event(event: &Node, messages: &mut [Message]) {
    match word(event, "type") {
        Some("token_count") => {
            let tokens = event.find("info.last_token_usage.input_tokens");
            let replies = |message: &&mut Message| message.role == Role::Assistant;
            let last = messages.iter_mut().rev().take(LATELY).find(replies);
            if let (Some(tokens), Some(last)) = (tokens.and_then(Node::number), last) {
                last.input_tokens = Some(tokens.max(0.0) as u64);
            }
        }
        Some("exec_command_end") => {
            let code = event.get("exit_code").and_then(Node::number);
            if let (Some(code), Some(last)) = (code, messages.last_mut()) {
                last.outcomes.push(Outcome {
                    id: word(event, "call_id").map(str::to_owned),
                    failed: Some(code != 0.0),
                });
            }
        }
        _ => {}
    }
}

/// How many messages back a count of tokens is looked for.
const LATELY: usize = 100;

fn item(item: &Node, line: u32, notes: &mut Notes) -> Option<Message> {
    let kind = word(item, "type").unwrap_or_default();
    let id = || word(item, "call_id").or_else(|| word(item, "id"));
    let mut message = Message {
        line,
        ..Message::default()
    };
    match kind {
        "message" => return said(item, line, notes),
        "function_call" | "custom_tool_call" | "local_shell_call" | "web_search_call" => {
            message.role = Role::Assistant;
            let own = kind.trim_end_matches("_call");
            message.calls.push(Call {
                id: id().map(str::to_owned),
                name: word(item, "name").unwrap_or(own).to_owned(),
            });
        }
        "function_call_output" | "custom_tool_call_output" | "local_shell_call_output" => {
            message.role = Role::Tool;
            message.outcomes.push(Outcome {
                id: id().map(str::to_owned),
                failed: item.get("output").and_then(failed),
            });
        }
        "reasoning" => {
            notes.drop("thinking blocks", line);
            return None;
        }
        other => {
            notes.drop(&format!("items of the type {other:?}"), line);
            return None;
        }
    }
    Some(message)
}

fn said(item: &Node, line: u32, notes: &mut Notes) -> Option<Message> {
    let message = openai::messages([item], notes).pop()?;
    let starts = |start: &str| message.text.trim_start().starts_with(start);
    if message.role == Role::User && PROGRAM.iter().any(|start| starts(start)) {
        notes.drop("messages of the program itself", line);
        return None;
    }
    Some(Message { line, ..message })
}

/// Whether an output has an exit code or a flag that says that it failed: it is an object, such
/// an object as a text, or a text that the program heads with the code.
fn failed(output: &Node) -> Option<bool> {
    let of = |output: &Node| {
        let code = ["metadata.exit_code", "exit_code"];
        let code = code.iter().find_map(|path| output.find(path)?.number());
        let success = output.get("success").and_then(Node::flag);
        code.map(|code| code != 0.0)
            .or(success.map(|success| !success))
    };
    let Some(text) = output.text() else {
        return of(output);
    };
    if text.starts_with('{') {
        return parse_json(text).ok().as_ref().and_then(of);
    }
    // the program's own lines end where the output begins
    let mut head = text.lines().take(8).take_while(|line| *line != "Output:");
    let code = head.find_map(|line| {
        let code = line.strip_prefix("Exit code: ");
        code.or_else(|| line.strip_prefix("Process exited with code "))
    });
    let code: i64 = code?.trim().parse().ok()?;
    text.contains("\nOutput:").then_some(code != 0)
}

fn word<'a>(row: &'a Node, key: &str) -> Option<&'a str> {
    row.get(key).and_then(Node::text)
}
