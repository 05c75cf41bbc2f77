//! The embedding job as a state machine without a browser: events in, commands
//! out. `browser::worker` carries the commands out.
//!
//! One text is in flight at a time. A worker of another version ends the job; a
//! dead worker is replaced and the pending work is tried once more.

use std::collections::VecDeque;

use crate::embedding::ModelIdentity;
use crate::embedding::protocol::{FromWorker, Stage, ToWorker, VERSION};

/// What the job is doing.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Phase {
    /// Nothing to do.
    #[default]
    Idle,
    /// The worker is being started.
    Starting,
    /// The worker is loading the model.
    Loading {
        /// What it is doing.
        stage: Stage,
        /// Bytes so far.
        received: f64,
        /// Bytes in all, where known.
        total: Option<f64>,
    },
    /// Texts are being embedded.
    Working,
    /// It did not work; in words.
    Failed(String),
    /// The worker on the server is of another version than this page.
    Outdated(String),
}

/// What happens to a job.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// These texts have no vector and need one. They replace what was wanted before.
    Want(Vec<String>),
    /// The worker said something.
    Message(FromWorker),
    /// The worker broke; in words.
    Died(String),
    /// The user has had enough.
    Cancel,
}

/// What is to be done about it.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Start a worker.
    Start,
    /// End the worker at once.
    Stop,
    /// Ask the worker to load the model.
    Load,
    /// Tell the worker.
    Send(ToWorker),
    /// Vectors from now on are this model's.
    Model(ModelIdentity),
    /// Keep a vector.
    Keep {
        /// The text.
        text: String,
        /// Its vector.
        vector: Vec<f32>,
    },
    /// Tell the user.
    Say(String),
}

/// An embedding job.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Job {
    phase: Phase,
    running: bool,
    ready: bool,
    retried: bool,
    queue: VecDeque<String>,
    in_flight: Option<(u32, String)>,
    last_id: u32,
    done: usize,
    /// When the first text of this batch was sent, in milliseconds.
    started: Option<f64>,
}

/// How far a batch has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Texts that have a vector.
    pub done: usize,
    /// Texts in all.
    pub total: usize,
    /// Texts per second; none before the first.
    pub rate: Option<f64>,
    /// Milliseconds to go; none before the first.
    pub left: Option<f64>,
}

impl Job {
    /// What it is doing.
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// Whether it can be cancelled.
    pub fn is_busy(&self) -> bool {
        matches!(
            self.phase,
            Phase::Starting | Phase::Loading { .. } | Phase::Working
        )
    }

    /// How far it has come at a time in milliseconds.
    pub fn pace(&self, now: f64) -> Pace {
        let total = self.done + self.queue.len() + usize::from(self.in_flight.is_some());
        let elapsed = self.started.map_or(0.0, |started| now - started);
        let rate = (self.done > 0 && elapsed > 0.0).then(|| self.done as f64 / elapsed);
        Pace {
            done: self.done,
            total,
            rate: rate.map(|rate| rate * 1000.0),
            left: rate.map(|rate| (total - self.done) as f64 / rate),
        }
    }

    /// Takes an event at a time in milliseconds, and says what is to be done.
    pub fn step(&mut self, event: Event, now: f64) -> Vec<Command> {
        match event {
            Event::Want(texts) => self.want(texts, now),
            Event::Message(message) => self.message(message, now),
            Event::Died(message) => self.died(message),
            Event::Cancel => self.cancel(),
        }
    }

    fn want(&mut self, texts: Vec<String>, now: f64) -> Vec<Command> {
        if !self.is_busy() {
            (self.done, self.started, self.retried) = (0, None, false);
        }
        let in_flight = self.in_flight.as_ref().map(|(_, text)| text.as_str());
        self.queue = texts
            .into_iter()
            .filter(|text| Some(text.as_str()) != in_flight)
            .collect();
        if self.queue.is_empty() {
            return Vec::new();
        }
        if !self.running {
            return self.start();
        }
        if self.ready {
            self.pump(now)
        } else {
            Vec::new()
        }
    }

    fn start(&mut self) -> Vec<Command> {
        (self.running, self.ready, self.phase) = (true, false, Phase::Starting);
        vec![Command::Start]
    }

    fn pump(&mut self, now: f64) -> Vec<Command> {
        if self.in_flight.is_some() {
            return Vec::new();
        }
        let Some(text) = self.queue.pop_front() else {
            (self.phase, self.retried) = (Phase::Idle, false);
            return Vec::new();
        };
        self.phase = Phase::Working;
        self.started.get_or_insert(now);
        self.last_id = self.last_id.wrapping_add(1);
        self.in_flight = Some((self.last_id, text.clone()));
        vec![Command::Send(ToWorker::Embed {
            id: self.last_id,
            text,
        })]
    }

    fn message(&mut self, message: FromWorker, now: f64) -> Vec<Command> {
        match message {
            FromWorker::Hello { version } if version == VERSION => vec![Command::Load],
            FromWorker::Hello { version } => {
                self.forget_worker();
                self.queue.clear();
                self.phase = Phase::Outdated(version);
                vec![Command::Stop]
            }
            FromWorker::Progress {
                received,
                total,
                stage,
            } => {
                self.phase = Phase::Loading {
                    stage,
                    received,
                    total,
                };
                Vec::new()
            }
            FromWorker::Ready { model, .. } => {
                self.ready = true;
                let mut commands = vec![Command::Model(model)];
                commands.extend(self.pump(now));
                commands
            }
            FromWorker::Vector { id, vector } => self.vector(id, vector, now),
            FromWorker::Failed { id: None, message } => self.died(message),
            FromWorker::Failed {
                id: Some(id),
                message,
            } => self.text_failed(id, message),
        }
    }

    fn vector(&mut self, id: u32, vector: Vec<f32>, now: f64) -> Vec<Command> {
        let Some((_, text)) = self.in_flight.take_if(|(expected, _)| *expected == id) else {
            return Vec::new(); // the answer to a request that was given up
        };
        self.done += 1;
        let mut commands = vec![Command::Keep { text, vector }];
        commands.extend(self.pump(now));
        commands
    }

    fn text_failed(&mut self, id: u32, message: String) -> Vec<Command> {
        if self
            .in_flight
            .take_if(|(expected, _)| *expected == id)
            .is_some()
        {
            self.queue.clear();
            self.phase = Phase::Failed(message);
        }
        Vec::new()
    }

    fn died(&mut self, message: String) -> Vec<Command> {
        if let Some((_, text)) = self.in_flight.take() {
            self.queue.push_front(text);
        }
        self.forget_worker();
        let mut commands = vec![Command::Stop];
        if self.queue.is_empty() {
            self.phase = Phase::Idle;
        } else if self.retried {
            self.queue.clear();
            self.phase = Phase::Failed(message);
        } else {
            self.retried = true;
            commands.push(Command::Say(format!(
                "The embedding worker stopped ({message}) and was replaced; the pending texts are tried once more."
            )));
            commands.extend(self.start());
        }
        commands
    }

    fn cancel(&mut self) -> Vec<Command> {
        self.queue.clear();
        let loading = self.running && !self.ready;
        self.phase = Phase::Idle;
        if loading {
            self.forget_worker();
            return vec![Command::Stop];
        }
        Vec::new() // the text in flight comes to its end and is kept
    }

    fn forget_worker(&mut self) {
        (self.running, self.ready, self.in_flight) = (false, false, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hello() -> Event {
        Event::Message(FromWorker::Hello {
            version: VERSION.into(),
        })
    }

    fn ready() -> Event {
        Event::Message(FromWorker::Ready {
            model: ModelIdentity {
                id: "m".into(),
                sha256: "0".into(),
                precision: "p".into(),
            },
            load_ms: 1.0,
        })
    }

    fn vector(id: u32) -> Event {
        Event::Message(FromWorker::Vector {
            id,
            vector: vec![1.0],
        })
    }

    fn texts(texts: &[&str]) -> Event {
        Event::Want(texts.iter().map(|&text| text.to_owned()).collect())
    }

    fn sent(commands: &[Command]) -> Option<(u32, &str)> {
        commands.iter().find_map(|command| match command {
            Command::Send(ToWorker::Embed { id, text }) => Some((*id, text.as_str())),
            _ => None,
        })
    }

    fn loaded(wanted: &[&str]) -> Job {
        let mut job = Job::default();
        assert_eq!(job.step(texts(wanted), 0.0), vec![Command::Start]);
        assert_eq!(job.step(hello(), 0.0), vec![Command::Load]);
        assert_eq!(sent(&job.step(ready(), 1000.0)), Some((1, wanted[0])));
        job
    }

    #[test]
    fn texts_go_one_at_a_time() {
        let mut job = loaded(&["a", "b"]);
        let pace = job.pace(1000.0);
        assert_eq!((pace.done, pace.total, pace.rate), (0, 2, None));
        let commands = job.step(vector(1), 1500.0);
        assert_eq!(sent(&commands), Some((2, "b")));
        assert!(matches!(&commands[0], Command::Keep { text, .. } if text == "a"));
        assert_eq!(job.pace(1500.0).left, Some(500.0));
        job.step(vector(2), 2000.0);
        assert_eq!(*job.phase(), Phase::Idle);
        // the worker stays: the next texts go at once
        assert_eq!(sent(&job.step(texts(&["c"]), 3000.0)), Some((3, "c")));
    }

    #[test]
    fn another_version_ends_the_job() {
        let mut job = Job::default();
        job.step(texts(&["a"]), 0.0);
        let other = Event::Message(FromWorker::Hello {
            version: "0/0".into(),
        });
        assert_eq!(job.step(other, 0.0), vec![Command::Stop]);
        assert_eq!(*job.phase(), Phase::Outdated("0/0".into()));
    }

    #[test]
    fn a_dead_worker_is_replaced_once() {
        let mut job = loaded(&["a", "b"]);
        let commands = job.step(Event::Died("boom".into()), 0.0);
        assert_eq!(commands[0], Command::Stop);
        assert!(commands.contains(&Command::Start));
        job.step(hello(), 0.0);
        assert_eq!(sent(&job.step(ready(), 0.0)), Some((2, "a")));
        let commands = job.step(Event::Died("boom".into()), 0.0);
        assert_eq!(commands, vec![Command::Stop]);
        assert_eq!(*job.phase(), Phase::Failed("boom".into()));
        // and the user may try again
        assert_eq!(job.step(texts(&["a"]), 0.0), vec![Command::Start]);
    }

    #[test]
    fn a_text_that_fails_leaves_the_worker_alive() {
        let mut job = loaded(&["a", "b"]);
        let failed = FromWorker::Failed {
            id: Some(1),
            message: "no".into(),
        };
        assert_eq!(job.step(Event::Message(failed), 0.0), vec![]);
        assert_eq!(*job.phase(), Phase::Failed("no".into()));
        assert_eq!(sent(&job.step(texts(&["c"]), 0.0)), Some((2, "c")));
    }

    #[test]
    fn cancelling_stops_a_loading_worker_and_keeps_a_loaded_one() {
        let mut job = Job::default();
        job.step(texts(&["a"]), 0.0);
        assert_eq!(job.step(Event::Cancel, 0.0), vec![Command::Stop]);
        let mut job = loaded(&["a", "b"]);
        assert_eq!(job.step(Event::Cancel, 0.0), vec![]);
        assert!(!job.is_busy());
        let commands = job.step(vector(1), 0.0);
        assert!(matches!(&commands[..], [Command::Keep { .. }]));
        assert_eq!(job.step(vector(99), 0.0), vec![]);
    }

    #[test]
    fn newer_wishes_replace_older_ones() {
        let mut job = loaded(&["a", "b", "c"]);
        job.step(texts(&["a", "d"]), 0.0);
        assert_eq!(sent(&job.step(vector(1), 0.0)), Some((2, "d")));
        assert_eq!(sent(&job.step(vector(2), 0.0)), None);
        assert_eq!(*job.phase(), Phase::Idle);
    }
}
