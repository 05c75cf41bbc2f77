//! The embedding job as a state machine without a browser: events in, commands
//! out. [`super::pool`] carries the commands out.
//!
//! What was computed before is recalled first; a run that is known needs no
//! worker. Then one worker is started, and once it works the others of the
//! pool. A worker's start may take a download, of its program; the page then speaks
//! for the worker that is not yet there. Each has one text in flight. A worker that
//! dies is replaced and its text tried once more; the others go on meanwhile. A
//! worker that cannot be started beside others makes the pool smaller.

use crate::embedding::protocol::{FromWorker, Stage, ToWorker, VERSION};

/// The most workers. Beyond four, memory is what is scarce.
const MOST_WORKERS: usize = 4;
/// Texts that make it worth while to start one more worker: to load the model
/// takes about as long as to embed this many.
const TEXTS_PER_WORKER: usize = 8;
/// So many deaths in a row, without a vector between them, are no accident.
const MOST_DEATHS: usize = 3;
/// For how long a worker may say nothing, in milliseconds: while it starts, where the
/// slowest machine unpacks the model; before the first text tells what texts take; and
/// then so many times what its text should take, but never less than this.
const SILENT_START: f64 = 120_000.0;
const SILENT_FIRST: f64 = 120_000.0;
const SILENT_TIMES: f64 = 20.0;
const SILENT_LEAST: f64 = 20_000.0;
/// For how long a worker may go on with its text when the user has had enough.
const LINGER: f64 = 3_000.0;
/// Nothing is silent while the page sleeps: a longer gap between two looks is none.
const GAP: f64 = 5_000.0;
/// Bytes of the weights that a worker of the page's own model holds.
const OWN_BYTES: u64 = 90_000_000;
/// When a download that brings nothing is called so.
pub const STALLED: f64 = 10_000.0;
/// Longer texts are cut by the model, so they take no longer: 256 word pieces in bytes.
const LONGEST: usize = 1200;
/// What every text takes, as bytes of text.
const LEAST: usize = 20;

/// How many workers a machine bears: one per core, and one per GB of memory, of
/// which each takes a quarter to a third. A browser that does not tell its
/// memory may be a phone's: two.
pub fn pool_size(cores: f64, gigabytes: Option<f64>) -> usize {
    let by_memory = gigabytes.unwrap_or(2.0);
    (cores.min(by_memory) as usize).clamp(1, MOST_WORKERS)
}

/// How many workers hold a model of so many bytes: one of the page's own size counts as one, and
/// a larger one as several.
pub fn pool_for(pool: usize, bytes: u64) -> usize {
    (OWN_BYTES * pool as u64 / bytes.max(OWN_BYTES)).max(1) as usize
}

/// What the job is doing.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Phase {
    /// Nothing to do.
    #[default]
    Idle,
    /// What was computed before is looked up.
    Recalling,
    /// The first worker is being started.
    Starting,
    /// The first worker's program is being downloaded, or it is loading the model.
    Loading(Loading),
    /// Texts are being embedded.
    Working,
    /// The user has had enough: nothing starts without being asked for.
    Cancelled,
    /// It did not work, or not for all texts; in words.
    Failed(String),
    /// The worker on the server is of another version than this page.
    Outdated(String),
}

/// How far loading has come.
#[derive(Clone, Debug, PartialEq)]
pub struct Loading {
    /// What is being done.
    pub stage: Stage,
    /// Bytes so far.
    pub received: f64,
    /// Bytes in all.
    pub total: f64,
    /// What else there is to say: why it waits.
    pub remark: Option<String>,
    /// When this stage was first heard of, in milliseconds, and its bytes then.
    since: (f64, f64),
    /// When there was last more of it.
    pub heard: f64,
}

impl Loading {
    /// Bytes per second and milliseconds to go; none before there is something to divide by.
    pub fn speed(&self, now: f64) -> Option<(f64, f64)> {
        let (elapsed, bytes) = (now - self.since.0, self.received - self.since.1);
        (elapsed > 0.0 && bytes > 0.0).then(|| {
            (
                bytes / elapsed * 1000.0,
                (self.total - self.received) * elapsed / bytes,
            )
        })
    }
}

/// What happens to a job.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// These texts have no vector and need one. They replace what was wanted before.
    Want {
        /// The texts, each once.
        texts: Vec<String>,
        /// How many workers there may be.
        pool: usize,
    },
    /// What was computed before has been looked up.
    Recalled {
        /// The number of the [`Command::Recall`].
        ticket: u32,
        /// The texts that still have no vector, or why nothing can be done.
        missing: Result<Vec<String>, String>,
    },
    /// A worker said something, or the page in its name: how far its program is, or
    /// why there is none.
    Message(u32, FromWorker),
    /// A worker broke; in words.
    Died(u32, String),
    /// The user has had enough.
    Cancel,
    /// There is another model: what was wanted of the one before, and its workers, are of no use.
    Reset,
    /// Some time has passed.
    Tick,
}

/// What is to be done about it.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Look up these texts; answered by [`Event::Recalled`].
    Recall {
        /// Names the request in the answer.
        ticket: u32,
        /// The texts, each once.
        texts: Vec<String>,
    },
    /// Start a worker of this number, once there is its program.
    Start(u32),
    /// End this worker at once, or the download of its program.
    Stop(u32),
    /// Ask this worker to load the model.
    Load(u32),
    /// Tell this worker.
    Send(u32, ToWorker),
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

/// A text that is to be embedded.
#[derive(Clone, Debug, PartialEq)]
struct Wish {
    text: String,
    /// Whether a worker died of it.
    tried: bool,
}

#[derive(Clone, Debug, PartialEq)]
enum Doing {
    Starting,
    Resting,
    Embedding(u32, Wish),
}

#[derive(Clone, Debug, PartialEq)]
struct Member {
    worker: u32,
    doing: Doing,
    /// When it was last heard, or given something.
    since: f64,
    /// Until when it may go on, since the user had enough of what it does.
    until: Option<f64>,
}

/// An embedding job.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Job {
    phase: Phase,
    pool: usize,
    /// What the pool shrank to when the browser refused another worker.
    most: Option<usize>,
    members: Vec<Member>,
    last_worker: u32,
    queue: Vec<Wish>,
    ticket: u32,
    recalling: bool,
    last_id: u32,
    /// Deaths without a vector in between.
    deaths: usize,
    /// Texts that could not be embedded.
    lost: usize,
    failure: Option<String>,
    done: usize,
    done_cost: usize,
    /// Milliseconds that workers took for all that is done.
    done_time: f64,
    /// When it was last looked whether a worker is silent.
    looked: Option<f64>,
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
    /// Milliseconds since the first text was sent.
    pub elapsed: f64,
}

/// What a text costs to embed, nearly in proportion: long texts come first, so
/// the number of texts alone would promise too long a time.
fn cost(text: &str) -> usize {
    text.len().min(LONGEST) + LEAST
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
            Phase::Recalling | Phase::Starting | Phase::Loading(_) | Phase::Working
        )
    }

    /// How far it has come at a time in milliseconds.
    pub fn pace(&self, now: f64) -> Pace {
        let open = || self.queue.iter().chain(self.in_flight());
        let elapsed = self.started.map_or(0.0, |started| now - started);
        let is_known = self.done > 0 && elapsed > 0.0;
        let cost: usize = open().map(|wish| cost(&wish.text)).sum();
        Pace {
            done: self.done,
            total: self.done + open().count(),
            rate: is_known.then(|| self.done as f64 / elapsed * 1000.0),
            left: is_known.then(|| elapsed * cost as f64 / self.done_cost as f64),
            elapsed,
        }
    }

    /// Takes an event at a time in milliseconds, and says what is to be done.
    pub fn step(&mut self, event: Event, now: f64) -> Vec<Command> {
        let mut commands = Vec::new();
        match event {
            Event::Want { texts, pool } => self.want(texts, pool, &mut commands),
            Event::Recalled { ticket, missing } => self.recalled(ticket, missing, &mut commands),
            Event::Message(worker, message) => self.message(worker, message, now, &mut commands),
            Event::Died(worker, message) => self.died(worker, &message, &mut commands),
            Event::Cancel => self.cancel(now, &mut commands),
            Event::Reset => self.reset(&mut commands),
            Event::Tick => self.tick(now, &mut commands),
        }
        self.pump(now, &mut commands);
        if !self.is_waiting() {
            // nobody looks until there is somebody again: that is no gap
            self.looked = None;
        }
        commands
    }

    fn want(&mut self, mut texts: Vec<String>, pool: usize, commands: &mut Vec<Command>) {
        if !self.is_busy() {
            (self.done, self.done_cost, self.started) = (0, 0, None);
            self.done_time = 0.0;
            (self.deaths, self.lost, self.failure) = (0, 0, None);
        }
        self.pool = pool;
        self.queue.clear();
        if self.phase == Phase::Cancelled && texts.iter().any(|text| self.is_in_flight(text)) {
            // it is waited for again, for as long as the cancel gave it
            self.phase = Phase::Working;
        }
        texts.retain(|text| !self.is_in_flight(text));
        self.recalling = !texts.is_empty();
        self.ticket += 1;
        if self.recalling {
            if self.in_flight().next().is_none() {
                self.phase = Phase::Recalling;
            }
            commands.push(Command::Recall {
                ticket: self.ticket,
                texts,
            });
        }
    }

    fn recalled(
        &mut self,
        ticket: u32,
        missing: Result<Vec<String>, String>,
        commands: &mut Vec<Command>,
    ) {
        if !self.recalling || ticket != self.ticket {
            return; // what newer wishes have overtaken
        }
        self.recalling = false;
        match missing {
            Ok(missing) => {
                let wishes = missing.into_iter().map(|text| Wish { text, tried: false });
                self.queue.extend(wishes);
                if !self.queue.is_empty() {
                    self.phase = self.phase_of_work();
                }
            }
            Err(message) => self.fail(message, commands),
        }
    }

    /// Whether a message says that something went on: a download says how far it is also
    /// when nothing has come.
    fn is_news(&self, message: &FromWorker) -> bool {
        match (message, &self.phase) {
            (
                FromWorker::Progress {
                    received, stage, ..
                },
                Phase::Loading(before),
            ) => before.stage != *stage || *received > before.received,
            _ => true,
        }
    }

    #[expect(clippy::too_many_lines, reason = "a case for each message")]
    fn message(&mut self, worker: u32, message: FromWorker, now: f64, commands: &mut Vec<Command>) {
        let Some(place) = self.place(worker) else {
            return; // from a worker that was ended
        };
        let took = now - self.members[place].since;
        if self.is_news(&message) {
            self.members[place].since = now;
        }
        match message {
            FromWorker::Hello { version } if version == VERSION => {
                commands.push(Command::Load(worker));
            }
            FromWorker::Hello { version } => {
                self.end_members(|_| true, commands);
                self.queue.clear();
                self.phase = Phase::Outdated(version);
            }
            FromWorker::Progress {
                received,
                total,
                stage,
                remark,
            } => {
                if !self.has_worker() {
                    self.loading(stage, received, total, remark, now);
                }
            }
            FromWorker::Card { .. } => {} // the page knows the model that it asks for
            FromWorker::Ready {} => {
                self.members[place].doing = Doing::Resting;
                self.phase = Phase::Working;
            }
            FromWorker::Vector { id, vector } => {
                if let Some(wish) = self.take(place, id) {
                    self.done += 1;
                    self.done_time += took;
                    self.done_cost += cost(&wish.text);
                    self.deaths = 0;
                    commands.push(Command::Keep {
                        text: wish.text,
                        vector,
                    });
                }
            }
            FromWorker::Failed { id: None, message } => {
                self.members.remove(place);
                commands.push(Command::Stop(worker));
                if self.members.is_empty() {
                    self.fail(message, commands);
                } else {
                    self.shrink(&message, commands);
                }
            }
            FromWorker::Failed {
                id: Some(id),
                message,
            } => {
                if self.take(place, id).is_some() {
                    self.lose(&message);
                }
            }
        }
    }

    fn loading(
        &mut self,
        stage: Stage,
        received: f64,
        total: f64,
        remark: Option<String>,
        now: f64,
    ) {
        let (since, heard) = match &self.phase {
            Phase::Loading(before) if before.stage == stage && received >= before.received => {
                let is_more = received > before.received;
                (before.since, if is_more { now } else { before.heard })
            }
            _ => ((now, received), now),
        };
        self.phase = Phase::Loading(Loading {
            stage,
            received,
            total,
            remark,
            since,
            heard,
        });
    }

    fn died(&mut self, worker: u32, message: &str, commands: &mut Vec<Command>) {
        let Some(place) = self.place(worker) else {
            return;
        };
        let member = self.members.remove(place);
        commands.push(Command::Stop(worker));
        self.deaths += 1;
        let was_starting = member.doing == Doing::Starting;
        if let Doing::Embedding(_, mut wish) = member.doing {
            if wish.tried {
                self.lose(message);
            } else {
                wish.tried = true;
                self.queue.push(wish);
            }
        }
        if self.queue.is_empty() && !self.recalling {
            return;
        }
        if was_starting && !self.members.is_empty() {
            self.shrink(message, commands);
        } else if self.deaths >= MOST_DEATHS || was_starting && self.deaths > 1 {
            self.fail(
                format!(
                    "the embedder stopped again and again ({message}). Close other tabs if memory is short, check the connection, then try again"
                ),
                commands,
            );
        } else {
            commands.push(Command::Say(format!(
                "An embedding worker stopped ({message}) and was replaced; its text is tried once more."
            )));
            if !self.has_worker() {
                self.phase = Phase::Starting;
            }
        }
    }

    /// One worker less than wanted: the others do its work.
    fn shrink(&mut self, message: &str, commands: &mut Vec<Command>) {
        self.most = Some(self.members.len());
        commands.push(Command::Say(format!(
            "Another embedding worker could not be started ({message}). It goes on with {}.",
            self.members.len()
        )));
    }

    fn lose(&mut self, message: &str) {
        self.lost += 1;
        self.failure = Some(format!(
            "{} of the texts could not be embedded ({message}); the others were",
            self.lost
        ));
    }

    /// Nothing more can be done; what is in flight is still kept.
    fn fail(&mut self, message: String, commands: &mut Vec<Command>) {
        self.queue.clear();
        self.recalling = false;
        self.end_members(|member| member.doing == Doing::Starting, commands);
        self.phase = Phase::Failed(message);
    }

    /// Gives up workers that are silent for too long for what they do.
    fn tick(&mut self, now: f64, commands: &mut Vec<Command>) {
        let gap = now - self.looked.replace(now).unwrap_or(now);
        if gap > GAP {
            for member in &mut self.members {
                member.since = (member.since + gap).min(now);
                member.until = member.until.map(|until| until + gap);
            }
        }
        let silent = self.members.iter().filter_map(|member| {
            let limit = match (&member.doing, member.until) {
                (Doing::Resting, _) => return None,
                (_, Some(until)) => return (now > until).then_some((member.worker, LINGER)),
                (Doing::Starting, None) => SILENT_START,
                (Doing::Embedding(..), None) if self.done_cost == 0 => SILENT_FIRST,
                (Doing::Embedding(_, wish), None) => {
                    let expected = self.done_time * cost(&wish.text) as f64 / self.done_cost as f64;
                    (SILENT_TIMES * expected).max(SILENT_LEAST)
                }
            };
            (now - member.since > limit).then_some((member.worker, limit))
        });
        for (worker, limit) in silent.collect::<Vec<_>>() {
            let words = format!("nothing was heard of it for {:.0} s", limit / 1000.0);
            if self.phase == Phase::Cancelled {
                self.end_members(|member| member.worker == worker, commands);
            } else {
                self.died(worker, &words, commands);
            }
        }
    }

    /// Whether there is somebody of whom something is to be heard.
    pub fn is_waiting(&self) -> bool {
        self.members
            .iter()
            .any(|member| member.doing != Doing::Resting)
    }

    fn cancel(&mut self, now: f64, commands: &mut Vec<Command>) {
        self.queue.clear();
        (self.recalling, self.failure) = (false, None);
        for member in &mut self.members {
            member.until = Some(now + LINGER);
        }
        // a text in flight comes to its end and is kept
        self.end_members(|member| member.doing == Doing::Starting, commands);
        self.phase = Phase::Cancelled;
    }

    fn reset(&mut self, commands: &mut Vec<Command>) {
        self.end_members(|_| true, commands);
        *self = Self {
            // numbers go on: what an ended worker still says is nobody's
            last_worker: self.last_worker,
            last_id: self.last_id,
            ticket: self.ticket + 1,
            ..Self::default()
        };
    }

    /// Gives the workers that rest their next text, starts those that are worth
    /// while, and sees when the batch is done.
    fn pump(&mut self, now: f64, commands: &mut Vec<Command>) {
        if self.recalling {
            return;
        }
        for place in 0..self.members.len() {
            if self.members[place].doing != Doing::Resting {
                continue;
            }
            let Some(wish) = self.next() else { break };
            self.started.get_or_insert(now);
            self.last_id += 1;
            commands.push(Command::Send(
                self.members[place].worker,
                ToWorker::Embed {
                    id: self.last_id,
                    text: wish.text.clone(),
                },
            ));
            let member = &mut self.members[place];
            member.doing = Doing::Embedding(self.last_id, wish);
            (member.since, member.until) = (now, None);
        }
        let open = self.queue.len() + self.in_flight().count();
        if open == 0 {
            self.rest(commands);
        } else if !self.queue.is_empty() {
            let most = self.most.unwrap_or(usize::MAX).min(self.pool);
            let useful = if self.has_worker() {
                open.div_ceil(TEXTS_PER_WORKER)
            } else {
                1
            };
            while self.members.len() < useful.min(most).max(1) {
                self.last_worker += 1;
                commands.push(Command::Start(self.last_worker));
                self.members.push(Member {
                    worker: self.last_worker,
                    doing: Doing::Starting,
                    since: now,
                    until: None,
                });
            }
        }
    }

    /// Takes a text from the queue: what a worker died of, then the longest, so
    /// that at the end there are short ones and the workers end together. The first
    /// of all is the shortest, so that something is seen soon.
    fn next(&mut self) -> Option<Wish> {
        let is_first = self.started.is_none();
        let rank = |place: &usize| {
            let wish = &self.queue[*place];
            let length = wish.text.len();
            let length = if is_first {
                usize::MAX - length
            } else {
                length
            };
            (wish.tried, length)
        };
        let place = (0..self.queue.len()).max_by_key(rank)?;
        Some(self.queue.swap_remove(place))
    }

    /// Nothing is open: one worker stays for the next texts, the memory of the others is given back.
    fn rest(&mut self, commands: &mut Vec<Command>) {
        if !self.is_busy() && self.members.len() < 2 {
            return;
        }
        let stays = self.members.iter().find(|m| m.doing != Doing::Starting);
        let stays = stays.map(|member| member.worker);
        self.end_members(|member| Some(member.worker) != stays, commands);
        if self.is_busy() {
            self.phase = self.failure.take().map_or(Phase::Idle, Phase::Failed);
        }
    }

    fn end_members(&mut self, which: impl Fn(&Member) -> bool, commands: &mut Vec<Command>) {
        self.members.retain(|member| {
            let ends = which(member);
            if ends {
                commands.push(Command::Stop(member.worker));
            }
            !ends
        });
    }

    fn place(&self, worker: u32) -> Option<usize> {
        self.members.iter().position(|m| m.worker == worker)
    }

    /// Whether there is a worker that has loaded the model.
    fn has_worker(&self) -> bool {
        self.members.iter().any(|m| m.doing != Doing::Starting)
    }

    fn phase_of_work(&self) -> Phase {
        if self.has_worker() {
            Phase::Working
        } else {
            Phase::Starting
        }
    }

    fn in_flight(&self) -> impl Iterator<Item = &Wish> {
        self.members
            .iter()
            .filter_map(|member| match &member.doing {
                Doing::Embedding(_, wish) => Some(wish),
                _ => None,
            })
    }

    fn is_in_flight(&self, text: &str) -> bool {
        self.in_flight().any(|wish| wish.text == text)
    }

    /// The text that a worker was given under this id; the worker then rests.
    fn take(&mut self, place: usize, id: u32) -> Option<Wish> {
        let doing = &mut self.members[place].doing;
        match std::mem::replace(doing, Doing::Resting) {
            Doing::Embedding(expected, wish) if expected == id => {
                self.members[place].until = None;
                Some(wish)
            }
            other => {
                *doing = other;
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// A job with one worker that was given a text at this time.
    fn at_work(now: f64) -> Job {
        let mut job = Job::default();
        job.step(want(&["a", "bb", "ccc"], 1), 0.0);
        let missing = Ok(["a", "bb", "ccc"].map(str::to_owned).to_vec());
        job.step(Event::Recalled { ticket: 1, missing }, 0.0);
        job.step(hello(1), now);
        job.step(ready(1), now);
        job
    }

    /// Looks every second, as the page does.
    fn wait(job: &mut Job, from: f64, to: f64) -> Vec<Command> {
        let mut commands = Vec::new();
        let mut now = from;
        while now < to {
            now += 1_000.0;
            commands.extend(job.step(Event::Tick, now));
        }
        commands
    }

    #[test]
    fn a_worker_that_is_silent_too_long_for_its_text_is_replaced() {
        let mut job = at_work(0.0);
        job.step(vector(1, 1), 10.0);
        assert_eq!(wait(&mut job, 10.0, 19_000.0), vec![]);
        let commands = wait(&mut job, 19_000.0, 23_000.0);
        assert_eq!(commands[0], Command::Stop(1));
        assert!(commands.contains(&Command::Start(2)), "{commands:?}");
        // and the run ends
        job.step(hello(2), 24_000.0);
        job.step(ready(2), 24_000.0);
        job.step(vector(2, 3), 24_010.0);
        job.step(vector(2, 4), 24_020.0);
        assert_eq!(job.phase(), &Phase::Idle);
    }

    #[test]
    fn slow_texts_have_their_time() {
        let mut job = at_work(0.0);
        job.step(vector(1, 1), 8_000.0);
        assert_eq!(wait(&mut job, 8_000.0, 150_000.0), vec![]);
        assert!(!wait(&mut job, 150_000.0, 200_000.0).is_empty());
    }

    #[test]
    fn sleep_is_not_silence() {
        let mut job = at_work(0.0);
        job.step(vector(1, 1), 10.0);
        job.step(Event::Tick, 1_000.0);
        assert_eq!(job.step(Event::Tick, 9_000_000.0), vec![]);
        assert!(!wait(&mut job, 9_000_000.0, 9_030_000.0).is_empty());
    }

    #[test]
    fn a_start_that_stalls_comes_to_an_end_in_words() {
        let mut job = Job::default();
        job.step(want(&["a"], 1), 0.0);
        let missing = Ok(vec!["a".to_owned()]);
        job.step(Event::Recalled { ticket: 1, missing }, 0.0);
        let commands = wait(&mut job, 0.0, 500_000.0);
        let Phase::Failed(words) = job.phase() else {
            panic!("{:?} after {commands:?}", job.phase())
        };
        assert!(
            words.contains("nothing was heard of it for 120 s"),
            "{words}"
        );
    }

    #[test]
    fn a_worker_that_does_not_listen_is_ended_after_a_cancel() {
        let mut job = at_work(0.0);
        job.step(vector(1, 1), 10.0);
        job.step(Event::Cancel, 20.0);
        assert_eq!(wait(&mut job, 20.0, 2_000.0), vec![]);
        assert!(wait(&mut job, 2_000.0, 5_000.0).contains(&Command::Stop(1)));
        assert_eq!(job.phase(), &Phase::Cancelled);
        assert!(!job.is_waiting());
    }

    #[test]
    fn whoever_asks_again_after_a_cancel_need_not_wait_for_it() {
        let mut job = at_work(0.0);
        job.step(vector(1, 1), 10.0);
        job.step(Event::Cancel, 20.0);
        job.step(want(&["a", "bb", "ccc"], 1), 30.0);
        let missing = Ok(vec!["bb".to_owned()]);
        job.step(Event::Recalled { ticket: 2, missing }, 30.0);
        assert_eq!(wait(&mut job, 30.0, 2_000.0), vec![]);
        let commands = wait(&mut job, 2_000.0, 5_000.0);
        assert!(commands.contains(&Command::Start(2)), "{commands:?}");
        // the text that it had is made as well
        job.step(hello(2), 5_000.0);
        let sent = job.step(ready(2), 5_000.0);
        let is_embed =
            |command: &Command| matches!(command, Command::Send(2, ToWorker::Embed { .. }));
        assert!(sent.iter().any(is_embed), "{sent:?}");
    }

    fn hello(worker: u32) -> Event {
        let version = VERSION.into();
        Event::Message(worker, FromWorker::Hello { version })
    }

    fn ready(worker: u32) -> Event {
        Event::Message(worker, FromWorker::Ready {})
    }

    fn vector(worker: u32, id: u32) -> Event {
        let vector = vec![1.0];
        Event::Message(worker, FromWorker::Vector { id, vector })
    }

    fn died(worker: u32) -> Event {
        Event::Died(worker, "boom".into())
    }

    fn failed(worker: u32, id: Option<u32>) -> Event {
        let message = "no".into();
        Event::Message(worker, FromWorker::Failed { id, message })
    }

    fn want(texts: &[&str], pool: usize) -> Event {
        let texts = texts.iter().map(|&text| text.to_owned()).collect();
        Event::Want { texts, pool }
    }

    /// What a job sent to its workers: worker, id, text.
    fn sent(commands: &[Command]) -> Vec<(u32, u32, &str)> {
        let sent = commands.iter().filter_map(|command| match command {
            Command::Send(worker, ToWorker::Embed { id, text }) => {
                Some((*worker, *id, text.as_str()))
            }
            _ => None,
        });
        sent.collect()
    }

    fn recall(commands: &[Command]) -> (u32, Vec<String>) {
        let found = commands.iter().find_map(|command| match command {
            Command::Recall { ticket, texts } => Some((*ticket, texts.clone())),
            _ => None,
        });
        found.expect("asks for what was computed before")
    }

    /// A wish for texts of which nothing is known yet.
    fn wish(job: &mut Job, texts: &[&str], pool: usize, now: f64) -> Vec<Command> {
        let (ticket, texts) = recall(&job.step(want(texts, pool), now));
        let missing = Ok(texts);
        job.step(Event::Recalled { ticket, missing }, now)
    }

    /// A job whose first worker has loaded the model at 1000 ms.
    fn loaded(texts: &[&str], pool: usize) -> (Job, Vec<Command>) {
        let mut job = Job::default();
        assert_eq!(wish(&mut job, texts, pool, 0.0), [Command::Start(1)]);
        assert_eq!(job.step(hello(1), 0.0), [Command::Load(1)]);
        let commands = job.step(ready(1), 1000.0);
        (job, commands)
    }

    fn numbered(count: usize) -> Vec<String> {
        (0..count)
            .map(|n| "x".repeat(n % 50 + 1) + &n.to_string())
            .collect()
    }

    #[test]
    fn a_pool_has_the_size_that_the_machine_bears() {
        assert_eq!(pool_size(2.0, Some(8.0)), 2);
        assert_eq!(pool_size(16.0, Some(8.0)), MOST_WORKERS);
        assert_eq!(pool_size(8.0, Some(0.5)), 1);
        assert_eq!(pool_size(8.0, None), 2);
        assert_eq!(pool_size(f64::NAN, None), 2);
        assert_eq!(pool_size(0.0, Some(4.0)), 1);
        assert_eq!(pool_for(4, 23_000_000), 4);
        assert_eq!(pool_for(4, 180_000_000), 2);
        assert_eq!(pool_for(4, 470_000_000), 1);
    }

    #[test]
    fn a_known_run_needs_no_worker() {
        let mut job = Job::default();
        let (ticket, texts) = recall(&job.step(want(&["b", "a"], 2), 0.0));
        assert_eq!(texts, ["b", "a"]);
        assert!(job.is_busy());
        let missing = Ok(Vec::new());
        assert_eq!(job.step(Event::Recalled { ticket, missing }, 0.0), []);
        assert_eq!(*job.phase(), Phase::Idle);
    }

    #[test]
    fn without_a_model_there_is_nothing_to_start() {
        let mut job = Job::default();
        let (ticket, _) = recall(&job.step(want(&["a"], 2), 0.0));
        let missing = Err("no model".to_owned());
        assert_eq!(job.step(Event::Recalled { ticket, missing }, 0.0), []);
        assert_eq!(*job.phase(), Phase::Failed("no model".into()));
        // and the user may try again
        assert_eq!(wish(&mut job, &["a"], 2, 0.0), [Command::Start(1)]);
    }

    #[test]
    fn the_first_text_is_the_shortest_and_then_the_longest_come_first() {
        let (mut job, commands) = loaded(&["aa", "bbbb", "c", "ddd"], 1);
        assert_eq!(sent(&commands), [(1, 1, "c")]);
        let pace = job.pace(1000.0);
        assert_eq!((pace.done, pace.total, pace.rate), (0, 4, None));
        let commands = job.step(vector(1, 1), 1500.0);
        assert_eq!(sent(&commands), [(1, 2, "bbbb")]);
        assert!(matches!(&commands[0], Command::Keep { text, .. } if text == "c"));
        let pace = job.pace(1500.0);
        assert_eq!(pace.rate, Some(2.0));
        // 21 of the 90 bytes that the four texts count as are done
        assert!((pace.left.expect("one is done") - 500.0 * 69.0 / 21.0).abs() < 1e-9);
        assert_eq!(sent(&job.step(vector(1, 2), 1600.0)), [(1, 3, "ddd")]);
        assert_eq!(sent(&job.step(vector(1, 3), 1700.0)), [(1, 4, "aa")]);
        job.step(vector(1, 4), 2000.0);
        assert_eq!(*job.phase(), Phase::Idle);
        // the worker stays: the next texts go at once
        assert_eq!(sent(&wish(&mut job, &["e"], 1, 3000.0)), [(1, 5, "e")]);
    }

    #[test]
    fn the_pool_grows_once_the_first_worker_works_and_only_as_far_as_it_is_of_use() {
        let texts = numbered(17);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let (mut job, commands) = loaded(&texts, 4);
        assert_eq!(sent(&commands).len(), 1, "the first text waits for nobody");
        let started = |commands: &[Command]| {
            let is_start = |command: &&Command| matches!(command, Command::Start(_));
            commands.iter().filter(is_start).count()
        };
        assert_eq!(started(&commands), 2, "17 texts are work for three");
        job.step(hello(2), 1000.0);
        assert_eq!(sent(&job.step(ready(2), 1100.0)).len(), 1);
        let (_, commands) = loaded(&texts[..TEXTS_PER_WORKER], 4);
        assert_eq!(started(&commands), 0);
    }

    #[test]
    fn at_the_end_one_worker_stays() {
        let texts = numbered(9);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let (mut job, _) = loaded(&texts, 2);
        job.step(ready(2), 1000.0);
        // worker 1 answers 1, 3, 4, ...; worker 2 holds text 2 all the time
        let mut id = 1;
        while let [(1, next, _)] = sent(&job.step(vector(1, id), 2000.0))[..] {
            id = next;
        }
        assert!(job.is_busy());
        assert_eq!(job.step(vector(2, 2), 3000.0)[1..], [Command::Stop(2)]);
        assert_eq!(*job.phase(), Phase::Idle);
    }

    /// Runs a job to its end with workers that take turns by chance, and gives
    /// what it kept.
    fn run(texts: &[String], pool: usize, seed: u64) -> BTreeMap<String, Vec<f32>> {
        let mut chance = seed;
        let mut job = Job::default();
        let mut kept = BTreeMap::new();
        let mut open: Vec<Event> = Vec::new();
        let mut event = Event::Want {
            texts: texts.to_vec(),
            pool,
        };
        loop {
            for command in job.step(event, 0.0) {
                match command {
                    Command::Recall { ticket, texts } => {
                        let missing = Ok(texts);
                        open.push(Event::Recalled { ticket, missing });
                    }
                    Command::Start(worker) => open.push(hello(worker)),
                    Command::Load(worker) => open.push(ready(worker)),
                    Command::Send(worker, ToWorker::Embed { id, text }) => {
                        let vector = vec![text.len() as f32];
                        open.push(Event::Message(worker, FromWorker::Vector { id, vector }));
                    }
                    Command::Keep { text, vector } => {
                        assert!(kept.insert(text, vector).is_none(), "embedded twice");
                    }
                    Command::Stop(worker) => {
                        let is_its =
                            |event: &Event| matches!(event, Event::Message(w, _) if *w == worker);
                        open.retain(|event| !is_its(event));
                    }
                    other => panic!("{other:?}"),
                }
            }
            if open.is_empty() {
                assert_eq!(*job.phase(), Phase::Idle);
                return kept;
            }
            chance = chance
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            event = open.swap_remove((chance >> 33) as usize % open.len());
        }
    }

    #[test]
    fn the_vectors_depend_neither_on_the_pool_nor_on_the_order() {
        let mut texts = numbered(40);
        let expected: BTreeMap<_, _> = numbered(40)
            .into_iter()
            .map(|text| (text.clone(), vec![text.len() as f32]))
            .collect();
        for pool in 0..=4 {
            for seed in 0..50 {
                texts.rotate_left(7);
                assert_eq!(run(&texts, pool, seed), expected, "{pool} workers");
            }
        }
    }

    #[test]
    fn another_model_ends_all_that_was_wanted_of_the_one_before() {
        let (mut job, _) = loaded(&["a", "bb"], 1);
        let (ticket, _) = recall(&job.step(want(&["a", "ccc"], 1), 0.0));
        assert_eq!(job.step(Event::Reset, 0.0), [Command::Stop(1)]);
        assert_eq!(*job.phase(), Phase::Idle);
        let missing = Ok(vec!["ccc".to_owned()]);
        assert_eq!(job.step(Event::Recalled { ticket, missing }, 0.0), []);
        assert_eq!(job.step(vector(1, 1), 0.0), []);
        assert_eq!(wish(&mut job, &["a"], 1, 0.0), [Command::Start(2)]);
    }

    #[test]
    fn another_version_ends_the_job() {
        let mut job = Job::default();
        wish(&mut job, &["a"], 2, 0.0);
        let version = "0/0".into();
        let other = Event::Message(1, FromWorker::Hello { version });
        assert_eq!(job.step(other, 0.0), [Command::Stop(1)]);
        assert_eq!(*job.phase(), Phase::Outdated("0/0".into()));
    }

    #[test]
    fn a_dead_worker_is_replaced_and_its_text_tried_once_more() {
        let (mut job, _) = loaded(&["aa", "b"], 1);
        let commands = job.step(died(1), 0.0);
        assert_eq!(commands[0], Command::Stop(1));
        assert!(matches!(&commands[1], Command::Say(words) if words.contains("boom")));
        assert_eq!(commands[2], Command::Start(2));
        assert_eq!(*job.phase(), Phase::Starting);
        job.step(hello(2), 0.0);
        assert_eq!(sent(&job.step(ready(2), 0.0)), [(2, 2, "b")]);
        // it dies of the same text again: that one is set aside, the other goes on
        assert!(job.step(died(2), 0.0).contains(&Command::Start(3)));
        assert_eq!(sent(&job.step(ready(3), 0.0)), [(3, 3, "aa")]);
        job.step(vector(3, 3), 0.0);
        let Phase::Failed(words) = job.phase() else {
            panic!("{:?}", job.phase());
        };
        assert!(words.contains("1 of the texts"), "{words}");
        // and the user may try again
        assert_eq!(sent(&wish(&mut job, &["b"], 1, 0.0)), [(3, 4, "b")]);
        job.step(vector(3, 4), 0.0);
        assert_eq!(*job.phase(), Phase::Idle);
    }

    #[test]
    fn the_others_go_on_when_one_dies() {
        let texts = numbered(20);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let (mut job, _) = loaded(&texts, 2);
        let of_second = sent(&job.step(ready(2), 1000.0))[0].2.to_owned();
        let commands = job.step(died(2), 1000.0);
        assert!(commands.contains(&Command::Start(3)), "{commands:?}");
        assert_eq!(*job.phase(), Phase::Working);
        // the text of the dead one is next
        let commands = job.step(vector(1, 1), 1100.0);
        assert_eq!(sent(&commands), [(1, 3, of_second.as_str())]);
    }

    #[test]
    fn who_dies_again_and_again_is_given_up() {
        let (mut job, _) = loaded(&["a", "bb", "ccc"], 1);
        for worker in 1..=2 {
            assert!(
                job.step(died(worker), 0.0)
                    .contains(&Command::Start(worker + 1))
            );
            job.step(ready(worker + 1), 0.0);
        }
        assert_eq!(job.step(died(3), 0.0), [Command::Stop(3)]);
        assert!(matches!(job.phase(), Phase::Failed(words) if words.contains("memory")));
        // one that never comes up is tried twice
        let mut job = Job::default();
        wish(&mut job, &["a"], 1, 0.0);
        assert!(job.step(died(1), 0.0).contains(&Command::Start(2)));
        assert_eq!(job.step(died(2), 0.0), [Command::Stop(2)]);
        assert!(matches!(job.phase(), Phase::Failed(_)));
    }

    #[test]
    fn where_no_other_worker_can_be_started_the_pool_is_smaller() {
        let texts = numbered(40);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        for refusal in [died(2), failed(2, None)] {
            let (mut job, _) = loaded(&texts, 2);
            let commands = job.step(refusal, 1000.0);
            assert_eq!(commands[0], Command::Stop(2));
            assert!(
                matches!(&commands[1], Command::Say(words) if words.contains("goes on with 1"))
            );
            assert_eq!(commands.len(), 2, "it is not tried again");
            assert_eq!(sent(&job.step(vector(1, 1), 1100.0)).len(), 1);
        }
    }

    #[test]
    fn a_worker_that_cannot_load_says_why() {
        let mut job = Job::default();
        wish(&mut job, &["a"], 2, 0.0);
        assert_eq!(job.step(failed(1, None), 0.0), [Command::Stop(1)]);
        assert_eq!(*job.phase(), Phase::Failed("no".into()));
    }

    fn downloading(worker: u32) -> Event {
        let progress = FromWorker::Progress {
            received: 1.0,
            total: 7.0,
            stage: Stage::Program,
            remark: None,
        };
        Event::Message(worker, progress)
    }

    #[test]
    fn a_program_that_cannot_be_had_is_said_and_can_be_tried_again() {
        let mut job = Job::default();
        wish(&mut job, &["a"], 2, 0.0);
        job.step(downloading(1), 0.0);
        assert!(matches!(job.phase(), Phase::Loading(l) if l.stage == Stage::Program));
        assert!(job.is_busy());
        assert_eq!(job.step(failed(1, None), 0.0), [Command::Stop(1)]);
        assert_eq!(*job.phase(), Phase::Failed("no".into()));
        assert_eq!(wish(&mut job, &["a"], 2, 0.0), [Command::Start(2)]);
    }

    #[test]
    fn a_cancelled_download_of_the_program_starts_nothing() {
        let mut job = Job::default();
        wish(&mut job, &["a"], 2, 0.0);
        job.step(downloading(1), 0.0);
        assert_eq!(job.step(Event::Cancel, 0.0), [Command::Stop(1)]);
        for late in [downloading(1), hello(1), failed(1, None)] {
            assert_eq!(job.step(late, 0.0), []);
            assert_eq!(*job.phase(), Phase::Cancelled);
        }
        // and another one is of no consequence to the next
        assert_eq!(wish(&mut job, &["a"], 2, 0.0), [Command::Start(2)]);
        job.step(downloading(1), 0.0);
        assert_eq!(*job.phase(), Phase::Starting);
        assert_eq!(job.step(hello(2), 0.0), [Command::Load(2)]);
    }

    #[test]
    fn a_text_that_fails_leaves_the_worker_alive() {
        let (mut job, _) = loaded(&["a", "bb"], 1);
        assert_eq!(sent(&job.step(failed(1, Some(1)), 0.0)), [(1, 2, "bb")]);
        job.step(vector(1, 2), 0.0);
        assert!(matches!(job.phase(), Phase::Failed(words) if words.contains("no")));
        assert_eq!(sent(&wish(&mut job, &["c"], 1, 0.0)), [(1, 3, "c")]);
    }

    #[test]
    fn cancelling_stops_a_loading_worker_and_keeps_what_is_done() {
        let mut job = Job::default();
        wish(&mut job, &["a"], 2, 0.0);
        assert_eq!(job.step(Event::Cancel, 0.0), [Command::Stop(1)]);
        assert_eq!(job.step(ready(1), 0.0), [], "it is gone");
        let texts = numbered(20);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let (mut job, _) = loaded(&texts, 2);
        assert_eq!(job.step(Event::Cancel, 0.0), [Command::Stop(2)]);
        assert!(!job.is_busy());
        let commands = job.step(vector(1, 1), 0.0);
        assert!(matches!(&commands[..], [Command::Keep { .. }]));
        assert_eq!(
            *job.phase(),
            Phase::Cancelled,
            "it starts nothing by itself"
        );
        assert_eq!(job.step(vector(1, 99), 0.0), []);
        // cancelled while looking up: what is found then starts nothing
        let (ticket, texts) = recall(&job.step(want(&["new"], 2), 0.0));
        job.step(Event::Cancel, 0.0);
        let missing = Ok(texts);
        assert_eq!(job.step(Event::Recalled { ticket, missing }, 0.0), []);
    }

    #[test]
    fn a_text_that_was_cancelled_and_is_wanted_again_is_waited_for() {
        let (mut job, _) = loaded(&["a"], 1);
        job.step(Event::Cancel, 0.0);
        assert_eq!(job.step(want(&["a"], 1), 100.0), []);
        assert_eq!(*job.phase(), Phase::Working);
        // its worker stays silent: the text is tried with another one
        assert!(wait(&mut job, 100.0, 5_000.0).contains(&Command::Start(2)));
    }

    #[test]
    fn a_worker_that_is_silent_long_after_the_last_run_is_replaced_as_soon() {
        let (mut job, _) = loaded(&["a"], 1);
        job.step(Event::Tick, 1_000.0);
        job.step(vector(1, 1), 2_000.0);
        let hour = 3_600_000.0;
        wish(&mut job, &["b"], 1, hour);
        assert!(wait(&mut job, hour, hour + 125_000.0).contains(&Command::Start(2)));
    }

    #[test]
    fn newer_wishes_replace_older_ones() {
        let (mut job, _) = loaded(&["a", "bb", "ccc"], 1);
        let (ticket, texts) = recall(&job.step(want(&["a", "d"], 1), 0.0));
        assert_eq!(texts, ["d"], "a is in flight");
        assert_eq!(
            job.step(vector(1, 1), 0.0).len(),
            1,
            "kept; the rest is looked up"
        );
        let missing = Ok(texts);
        assert_eq!(
            sent(&job.step(Event::Recalled { ticket, missing }, 0.0)),
            [(1, 2, "d")]
        );
        job.step(vector(1, 2), 0.0);
        assert_eq!(*job.phase(), Phase::Idle);
    }

    #[test]
    fn loading_has_a_speed() {
        let mut job = Job::default();
        wish(&mut job, &["a"], 1, 0.0);
        let mut progress = |received: f64, now: f64| {
            let (stage, total, remark) = (Stage::Download, 20.0, None);
            let progress = FromWorker::Progress {
                received,
                total,
                stage,
                remark,
            };
            job.step(Event::Message(1, progress), now);
            match job.phase() {
                Phase::Loading(loading) => loading.speed(now),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(progress(2.0, 1000.0), None);
        assert_eq!(progress(4.0, 3000.0), Some((1.0, 16_000.0)));
        assert_eq!(progress(0.0, 4000.0), None, "from the start again");
        assert_eq!(progress(5.0, 5000.0), Some((5.0, 3000.0)));
    }
}
