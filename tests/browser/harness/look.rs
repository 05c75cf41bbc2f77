//! What is in the window while a weight is dragged, and what moves there.

use super::driver::Browser;
use serde::Deserialize;
use serde_json::json;
use std::error::Error;

/// The least of a whole drag.
#[derive(Debug, Deserialize)]
pub struct Look {
    /// Whether the verdict is all in the window.
    pub verdict: bool,
    /// How many of the weights are, and how many there are.
    pub weights: (usize, usize),
    /// How many rows are.
    pub rows: usize,
    /// How many pixels of the chart are, and how high it is.
    pub chart: (f64, f64),
    /// By how many pixels sliders, bars and everything beside them move at most.
    pub shift: f64,
}

const LOOK: &str = "
    const slider = document.querySelector(`[data-testid=\"weight-${arguments[0]}-range\"]`);
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;
    const frame = () => new Promise(next => requestAnimationFrame(next));
    const head = document.querySelector('.instrument-head');
    const chart = document.querySelector('.instrument .anatomy');
    const all = css => [...document.querySelectorAll(css)];
    const box = element => element.getBoundingClientRect();
    // as a person does where the window is low: the verdict at its top
    if (box(chart).top > innerHeight - 120) document.querySelector('.instrument').scrollIntoView();
    slider.scrollIntoView({ block: 'nearest' });
    await frame();
    // what lies under the head that stays is not seen
    const top = () => Math.max(0, getComputedStyle(head).position === 'sticky' ? box(head).bottom : 0);
    const isIn = (element, from = 0) => box(element).top >= from - 1 && box(element).bottom <= innerHeight + 1;
    const seen = () => ({
        verdict: isIn(document.querySelector('.verdict h2')),
        weights: all('.knob').filter(knob => isIn(knob)).length,
        rows: all('.anatomy-row').filter(row => isIn(row, top())).length,
        chart: Math.max(0, Math.min(innerHeight, box(chart).bottom) - Math.max(top(), box(chart).top)),
        places: [slider, document.querySelector('.strip'), document.querySelector('.anatomy-row'), chart]
            .map(element => box(element).top),
    });
    const looks = [];
    for (let n = 0; n <= 40; n++) {
        set.call(slider, String(slider.max * n / 40));
        slider.dispatchEvent(new InputEvent('input', { bubbles: true }));
        await frame();
        looks.push(seen());
    }
    const least = of => Math.min(...looks.map(of));
    const moved = looks[0].places.map((_, at) => {
        const places = looks.map(look => look.places[at]);
        return Math.max(...places) - Math.min(...places);
    });
    return {
        verdict: looks.every(look => look.verdict),
        weights: [least(look => look.weights), all('.knob').length],
        rows: least(look => look.rows),
        chart: [least(look => look.chart), box(chart).height],
        shift: Math.max(...moved),
    };";

/// Drags the slider of a weight from one end to the other and looks at every step.
pub fn look(browser: &Browser, weight: &str) -> Result<Look, Box<dyn Error>> {
    let seen = browser.run_async(LOOK, &[json!(weight)])?;
    Ok(serde_json::from_value(seen)?)
}
