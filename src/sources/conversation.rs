//! Conversations: what chats, exports and logs of agents have in common.

/// Messages in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conversation {
    /// Its id in the file; empty where it has none.
    pub id: String,
    /// What a person would call it; empty where nothing says so.
    pub title: String,
    /// The model that answers, where it is said once for all.
    pub model: Option<String>,
    /// In their order.
    pub messages: Vec<Message>,
    /// What people or a ground truth say of the whole.
    pub labels: Vec<Label>,
}

/// What someone said, or a tool gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Message {
    /// Who it is of.
    pub role: Role,
    /// The name of the one who speaks, where several do.
    pub name: Option<String>,
    /// The text; empty where there is none.
    pub text: String,
    /// The tools that it calls.
    pub calls: Vec<Call>,
    /// What became of calls.
    pub outcomes: Vec<Outcome>,
    /// The tokens that went into the model for it, what was cached included.
    pub input_tokens: Option<u64>,
    /// The model that wrote it.
    pub model: Option<String>,
    /// Other replies that were there at the same place.
    pub alternatives: Vec<String>,
    /// What people or a ground truth say of it.
    pub labels: Vec<Label>,
    /// What someone marked it with.
    pub tags: Vec<String>,
    /// The persona that it is of.
    pub persona_id: Option<String>,
    /// Its line in the file, from 1; 0 where it is not known.
    pub line: u32,
}

/// Who a message is of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// A person, or what stands for one.
    #[default]
    User,
    /// The model.
    Assistant,
    /// Instructions.
    System,
    /// A tool's result.
    Tool,
}

impl Role {
    /// The role of a name that chats have for it; none of an unknown one.
    pub fn named(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "user" | "human" | "interviewer" | "customer" | "client" => Some(Self::User),
            "assistant" | "ai" | "gpt" | "bot" | "model" | "chatgpt" | "agent" => {
                Some(Self::Assistant)
            }
            "system" | "developer" => Some(Self::System),
            "tool" | "function" | "observation" | "function_call_output" => Some(Self::Tool),
            _ => None,
        }
    }
}

/// A call of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// By which its outcome is known.
    pub id: Option<String>,
    /// The tool.
    pub name: String,
}

/// What became of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The call.
    pub id: Option<String>,
    /// Whether it failed, where the source says so: never guessed from words.
    pub failed: Option<bool>,
}

/// What a person or a ground truth says of a reply, a candidate or a whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// What is said: `on_brand`, `reward`, `correctness`.
    pub name: String,
    /// The value as a number, where it is one: 1 is good.
    pub value: Option<f64>,
    /// The value as it stands.
    pub text: String,
    /// Why, in the words of the source.
    pub reason: Option<String>,
}

impl Message {
    /// A message with a text.
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Self {
            role,
            text: text.into(),
            ..Self::default()
        }
    }
}

impl Conversation {
    /// Whether a tool is called in it.
    pub fn has_calls(&self) -> bool {
        self.messages
            .iter()
            .any(|message| !message.calls.is_empty())
    }

    /// The first text of a user, or else of anyone.
    pub fn first_words(&self) -> &str {
        let says = |message: &&Message| !message.text.trim().is_empty();
        let mut messages = self.messages.iter().filter(says);
        let user = messages.clone().find(|message| message.role == Role::User);
        user.or_else(|| messages.next())
            .map_or("", |message| message.text.trim())
    }
}
