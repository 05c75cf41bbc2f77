//! Where sessions depart from the persona: the computing behind [`Drift`].

use std::sync::Arc;

use super::drift::{Drift, STYLE, Stretch};
use super::style::Similarities;
use super::transcript::Session;
use super::voice;
use crate::analysis::change_point::{Departure, departure, hold_together};
use crate::steps::Pause;

/// The drift of each session of two replies or more; a shuffle is a step.
pub async fn drifts(
    sessions: &[Session],
    similarities: &Similarities,
    seed: u64,
    pause: Pause<'_>,
) -> Vec<Option<Arc<Drift>>> {
    let mut all = Vec::new();
    for (number, session) in sessions.iter().enumerate() {
        let mut drift = distances(number, session, similarities);
        if let Some(drift) = &mut drift {
            let whole: Option<Vec<f64>> = drift.to_persona.iter().copied().collect();
            let found = match &whole {
                Some(distances) => departure(distances, seed, pause).await,
                None => None,
            };
            drift.stretch = found.map(|found| stretch(found, session));
        }
        all.push(drift);
    }
    let stretches = || all.iter().flatten().filter_map(|drift| drift.stretch);
    let hold = hold_together(&stretches().map(|stretch| stretch.p).collect::<Vec<_>>());
    let of_all = all.iter_mut().flatten();
    let of_all = of_all.filter_map(|drift| drift.stretch.as_mut());
    for (stretch, holds) in of_all.zip(hold) {
        stretch.is_departure = holds;
    }
    let shared = |drift: Option<Drift>| drift.map(Arc::new);
    all.into_iter().map(shared).collect()
}

fn distances(number: usize, session: &Session, similarities: &Similarities) -> Option<Drift> {
    let places = 0..session.responses.len();
    let has_voice = !similarities.voices.is_empty();
    let to_persona = places.clone().map(|at| {
        if has_voice {
            Some(1.0 - similarities.voice(number, at)?.value)
        } else {
            Some(1.0 - similarities.style(number, at)?.0)
        }
    });
    let to_persona: Vec<Option<f64>> = to_persona.collect();
    let to_start = similarities.to_start.get(number);
    let to_start = places.map(|at| *to_start?.get(at)?).collect();
    let measured = to_persona.iter().flatten().count();
    (measured > 1).then_some(Drift {
        by: if has_voice { voice::FORMULA } else { STYLE },
        to_persona,
        to_start,
        stretch: None,
    })
}

fn stretch(found: Departure, session: &Session) -> Stretch {
    let index = |at: usize| session.responses.get(at).map(|response| response.index);
    Stretch {
        from: found.from,
        to: found.to,
        // it begins at a reply of the session
        departs_at: index(found.from).unwrap_or_default(),
        returns_at: index(found.to),
        before: found.outside,
        within: found.within,
        p: found.p,
        is_departure: false,
    }
}
