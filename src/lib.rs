//! Assay scores an AI's work: debates between models, constitutional rewards
//! of an agent's turns, and how well replies keep to a persona. Data flows one
//! way: text -> document -> result -> view.
//!
//! - [`steps`]: long computations that can rest between steps
//! - [`text`]: places, offsets, whole words, sorting: what is true of any text
//! - [`document`]: JSON, YAML and JSONL in, values with their place and [`document::Problem`]s out
//! - [`constitution`]: every turn on seven principles (`constitutional-reward/1`)
//! - [`debate`]: candidates and reviews to a ranking and a decision (`rwea/1`)
//! - [`persona`]: transcripts against a persona (`alignmenter-reference/1`)
//! - [`analysis`]: what is true of any weighted score
//! - [`sources`]: what people have in their hands, read into documents of our own formats
//! - [`share`]: permalinks and exports
//! - [`embedding`]: the sentence-embedding model and the protocol of its worker
//! - `reading`: the program that reads files, and its protocol
//! - `app`: the single-page app (feature `app`)
//! - `cli`: the command line (feature `cli-core`)
//!
//! SCORING.md gives every formula, DESIGN.md the reasons behind the layout.
//!
//! # Vocabulary
//!
//! Words that the code uses in a sense of its own. What is not here is the term of
//! the method's own document (candidate, principle, exemplar, violation_rate, ...).
//!
//! Of a text and what is read of it:
//! - **document**: a text as a tree of values, each with its place (line and column)
//! - **piece**: one JSON value in a text of several, or of JSON among words
//! - **problem**: something about an input that its author should know, at its place:
//!   an *error* (there is no result), a *warning* or a *note*
//! - **evaluation**: a result, if there is one, with all problems
//! - **payload**, **log**, **run**: what is read of a debate, of turns, of a persona
//!   with its transcripts; read once and scored as often as a weight changes
//!
//! Of a score:
//! - **term**: one summand of a debate's score, weight x value ([`debate::Term`]);
//!   the other two methods have *principles* and *parts*
//! - **contribution**: weight x value, as it is shown
//! - **ruling**: what a debate comes to: the decision and whom it names
//! - **band**, **grade**: the names of stretches of a total, of turns and of personas
//! - **standing**: a candidate's (or turn's) numbers in so far as its place depends on them
//!
//! Of how firm a score is:
//! - **interval**: the values of one weight, the others kept, within which the
//!   verdict, the bands or the grade *stand*; its **ends** are exact to the float
//! - **flip**: what comes beyond an end, and the first weight at which it does
//! - **firm**: said of a winner that no small change of a weight dethrones
//! - **board**: a debate made ready to be asked how firm it is
//! - **acceptability**, or **share**: the part of all weights with which a candidate is first
//! - **trace**: the reasons of a decision, step by step
//!
//! Of the page:
//! - **bench**: the place of one method: its inputs, settings and result
//! - **door**, **room**: the way into a bench's code, which is fetched when the bench
//!   is first opened, and what the page has of the bench once it is there
//! - **seat**: a bench on the page: its desk, and its room once there is one
//! - **work**: what a person has on a bench: texts and settings, as typed
//! - **desk**: the work on one bench with its history
//! - **setting**: one named choice or number of the work, as typed; left out, it is
//!   the *original* (what the input, the domain or the method says)
//! - **gesture**: changes that undo takes back as one: a drag, a word typed
//! - **ghost**: what was there before the last gesture, drawn behind what is
//! - **locked**: said of a weight that keeps its value when others are reset
//! - **in steps**: said of a computation that rests where its caller says, so that a
//!   page can do something else meanwhile; **at once** is the same without rests
//! - **at rest**: said of what is worked out when nothing has changed for a moment
//! - **anatomy**: the rows of a result with what each is made of
//! - **hook**: a `data-testid`, by which the tests find a part of the page

pub mod analysis;
pub mod constitution;
pub mod debate;
pub mod document;
pub mod embedding;
pub mod persona;
#[cfg(any(feature = "app", feature = "reader", test))]
pub mod reading;
pub mod share;
pub mod sources;
pub mod steps;
pub mod text;

#[cfg(feature = "app")]
pub mod app;

#[cfg(feature = "cli-core")]
pub mod cli;
