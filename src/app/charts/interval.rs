//! A value in [0, 1] with its interval on a track.

use leptos::prelude::*;

/// A value with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// The value.
    pub mean: Option<f64>,
    /// Its 95 % interval.
    pub interval: Option<[f64; 2]>,
}

/// Where things are on the track, in percent of its width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marks {
    /// The value.
    pub mean: f64,
    /// Left edge and width of the interval.
    pub interval: Option<(f64, f64)>,
}

/// The marks of a reading; none when nothing was measured.
pub fn marks(reading: Reading) -> Option<Marks> {
    let percent = |value: f64| value.clamp(0.0, 1.0) * 100.0;
    Some(Marks {
        mean: percent(reading.mean?),
        interval: reading
            .interval
            .map(|[low, high]| (percent(low), (percent(high) - percent(low)).max(0.0))),
    })
}

/// Draws the track with small lines at some values.
pub fn view(reading: Reading, lines: &[f64]) -> impl IntoView + use<> {
    let percent = |value: f64| format!("{value:.3}%");
    let lines = lines
        .iter()
        .map(|line| {
            let x = percent(line * 100.0);
            view! { <line class="threshold" x1=x.clone() x2=x y1="2" y2="22" /> }
        })
        .collect_view();
    let drawn = marks(reading).map(|marks| {
        let interval = marks.interval.map(|(x, width)| {
            view! { <rect class="interval" x=percent(x) width=percent(width) y="7" height="10" rx="5" /> }
        });
        view! {
            {interval}
            <circle class="mean" cx=percent(marks.mean) cy="12" r="5" />
        }
    });
    view! {
        <svg class="track" width="100%" height="24" aria-hidden="true">
            <line class="rail" x1="0" x2="100%" y1="12" y2="12" />
            {lines}
            {drawn}
        </svg>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_in_percent_and_stay_on_the_track() {
        let reading = Reading {
            mean: Some(0.5),
            interval: Some([0.25, 1.5]),
        };
        assert_eq!(
            marks(reading),
            Some(Marks {
                mean: 50.0,
                interval: Some((25.0, 75.0))
            })
        );
    }

    #[test]
    fn what_was_not_measured_has_no_mark() {
        let reading = |mean, interval| Reading { mean, interval };
        assert_eq!(marks(reading(None, Some([0.2, 0.4]))), None);
        let alone = marks(reading(Some(-1.0), None));
        assert_eq!(
            alone,
            Some(Marks {
                mean: 0.0,
                interval: None
            })
        );
    }
}
