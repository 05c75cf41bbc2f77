//! The embedder's plumbing in a real browser: its program, the pool, what is kept
//! between visits, and everything that can go wrong with a download or a worker.

use crate::app::{App, in_app, in_trouble, mark, say};
use crate::harness::site::{Fault, Request};
use crate::persona::{agrees, computed, inputs, open_example};
use serde_json::{Value, json};

/// Long enough for the model on a busy machine.
const PATIENCE: u64 = 300;

/// Gives the page a machine with so many cores and plenty of memory, and notes
/// its workers, the vectors they send and the tasks that held up the page.
pub fn machine(app: &App, cores: u32) {
    let script = "
        const set = (name, value) => Object.defineProperty(navigator, name, { value, configurable: true });
        set('hardwareConcurrency', arguments[0]);
        set('deviceMemory', 8);
        const Real = Worker;
        Object.assign(window, { workers: [], vectors: 0, tasks: [], first: 0, last: 0 });
        window.Worker = class extends Real {
            constructor(...parameters) {
                super(...parameters);
                workers.push(this);
                this.addEventListener('message', event => {
                    if (!event.data.vector) return;
                    window.vectors++;
                    window.last = performance.now();
                    window.first ||= window.last;
                });
            }
        };
        new PerformanceObserver(list => tasks.push(...list.getEntries()))
            .observe({ entryTypes: ['longtask'] });";
    app.browser.run(script, &[json!(cores)]).unwrap();
}

fn number(app: &App, expression: &str) -> u64 {
    let value = app.browser.run(&format!("return {expression}"), &[]);
    value.unwrap().as_u64().unwrap()
}

/// The vectors that the browser keeps, by their key, once there are as many as
/// the workers have sent.
fn kept_vectors(app: &App) -> Vec<String> {
    let script = "
        const settled = request => new Promise((resolve, reject) => {
            request.onsuccess = () => resolve(request.result);
            request.onerror = () => reject(request.error);
        });
        const hex = view => [...new Uint8Array(view.buffer, view.byteOffset, view.byteLength)]
            .map(byte => byte.toString(16).padStart(2, '0')).join('');
        for (const end = performance.now() + 30000; performance.now() < end;) {
            const database = await settled(indexedDB.open('assay', 1));
            const records = await settled(database.transaction('vectors').objectStore('vectors').getAll());
            database.close();
            if (records.length >= vectors)
                return records.map(record => hex(record.key) + ' ' + hex(record.vector)).sort();
            await new Promise(next => setTimeout(next, 50));
        }
        throw new Error('the vectors were not kept');";
    let kept = app.browser.run_async(script, &[]).unwrap();
    serde_json::from_value(kept).unwrap()
}

/// The requests for a file of this ending, in their order.
fn requests(app: &App, ending: &str) -> Vec<Request> {
    let all = app.site.requests().into_iter();
    let path = |path: &str| path.split('?').next().unwrap().to_owned();
    all.filter(|request| path(&request.path).ends_with(ending))
        .collect()
}

/// Both builds of the program; a browser fetches one of them.
const PROGRAMS: [&str; 2] = ["embedder_bg.wasm", "embedder-relaxed_bg.wasm"];

/// What goes wrong with the next requests for the program.
fn fail_program(app: &App, faults: &[Fault]) {
    for program in PROGRAMS {
        app.site.fail(program, faults);
    }
}

/// The requests for the program, in their order.
fn program_requests(app: &App) -> Vec<Request> {
    PROGRAMS
        .iter()
        .flat_map(|program| requests(app, program))
        .collect()
}

/// Opens the example, which is then to be embedded, and gives its figures.
fn open_and_start(app: &App) -> Value {
    app.click("open-example-persona");
    app.text("bench-persona");
    let expected = computed(&inputs(app), &[]);
    app.start_embedding();
    expected
}

/// Waits until these words stand in the panel of the embedding work, or in the notice;
/// with others between them where there is `...`.
fn says(app: &App, words: &str) {
    let script = "
        const places = document.querySelectorAll('.embedding, [data-testid=\"notice\"]');
        const text = [...places].map(place => place.innerText).join(' ');
        const place = (from, words) => from < 0 ? from : text.indexOf(words, from);
        if (arguments[0].split('...').reduce(place, 0) >= 0) return true;
        throw new Error(text);";
    app.browser
        .wait(PATIENCE, words, script, &[json!(words)])
        .unwrap();
}

#[test]
fn a_pool_gives_the_vectors_of_one_worker_and_the_figures_of_the_command_line() {
    let mut kept = Vec::new();
    for (cores, workers) in [(1, 1), (3, 3)] {
        in_app("embedding-pool", "", |app| {
            machine(app, cores);
            open_example(app);
            assert_eq!(number(app, "workers.length"), workers);
            assert_eq!(
                requests(app, ".pack").len(),
                1,
                "the model is fetched once for all workers"
            );
            assert_eq!(program_requests(app).len(), 1, "and so is their program");
            // reported, not asserted: the machine may be busy with other things
            let script = "
                const during = tasks.filter(task => task.startTime + task.duration > first && task.startTime < last);
                const longest = Math.max(0, ...during.map(task => task.duration));
                return [((last - first) / 1000).toFixed(1), Math.round(longest)];";
            let figures = app.browser.run(script, &[]).unwrap();
            say(&format!(
                "{workers} workers, {} texts; seconds, and the page's longest task over 50 ms: {figures}",
                number(app, "vectors")
            ));
            kept.push(kept_vectors(app));
        });
    }
    assert!(kept[0].len() > 16, "too few texts for three workers");
    assert_eq!(kept[0], kept[1]);
}

/// Waits for the browser's copies, which come a moment after the files are used.
fn files_are_kept(app: &App) {
    let script = "
        for (const end = performance.now() + 30000; performance.now() < end;) {
            const count = async name => (await (await caches.open(name)).keys()).length;
            const files = await Promise.all(['assay-model', 'assay-embedder'].map(count));
            if (files.join() === '1,1') return;
            await new Promise(next => setTimeout(next, 50));
        }
        throw new Error('the files were not kept');";
    app.browser.run_async(script, &[]).unwrap();
}

#[test]
fn a_second_visit_needs_no_model() {
    in_app("embedding-second-visit", "", |app| {
        machine(app, 2);
        let expected = open_example(app);
        let texts = kept_vectors(app).len();
        files_are_kept(app);
        let before = app.site.requests().len();
        app.browser
            .run_async("await caches.delete('assay-model')", &[])
            .unwrap();
        app.browser.reload().unwrap();
        machine(app, 2);
        agrees(app, &expected);
        let paths: Vec<String> = app.site.requests()[before..]
            .iter()
            .map(|request| request.path.clone())
            .collect();
        assert!(
            !paths
                .iter()
                .any(|path| path.contains("embedder") || path.contains(".pack")),
            "{paths:?}"
        );

        // as if 50,000 had come since: the oldest make room for a new one
        let fill = "
            const database = await new Promise(resolve => {
                indexedDB.open('assay', 1).onsuccess = event => resolve(event.target.result);
            });
            const work = database.transaction('vectors', 'readwrite');
            work.objectStore('vectors').put({}, 50000 + arguments[0]);
            await new Promise(resolve => { work.oncomplete = resolve; });
            database.close();";
        app.browser.run_async(fill, &[json!(texts)]).unwrap();
        let more = "{\"session_id\":\"new\",\"turn_index\":1,\"role\":\"assistant\",\"text\":\"A text that nobody knows.\"}";
        let [persona, transcript] = inputs(app);
        let transcript = format!("{}\n{more}\n", transcript.trim_end());
        app.fill("input-transcript", &transcript);
        agrees(app, &computed(&[persona, transcript], &[]));
        let left = "
            const database = await new Promise(resolve => {
                indexedDB.open('assay', 1).onsuccess = event => resolve(event.target.result);
            });
            for (const end = performance.now() + 30000; performance.now() < end;) {
                const store = database.transaction('vectors').objectStore('vectors');
                const keys = await new Promise(resolve => {
                    store.getAllKeys().onsuccess = event => resolve(event.target.result);
                });
                if (keys[0] > 1) return keys;
                await new Promise(next => setTimeout(next, 50));
            }
            throw new Error('the oldest are still there');";
        let left = app.browser.run_async(left, &[]).unwrap();
        // number 50,001 + texts is the newest; what is 50,000 older has gone
        assert_eq!(left, json!([50_000 + texts, 50_001 + texts]));
        // that took a worker: its program was kept
        assert_eq!(number(app, "workers.length"), 1);
        assert_eq!(program_requests(app).len(), 1);
    });
}

#[test]
fn a_kept_file_that_is_damaged_is_fetched_again() {
    in_app("embedding-kept-damaged", "", |app| {
        let expected = open_example(app);
        let damage = "
            for (const name of ['assay-model', 'assay-embedder']) {
                const cache = await caches.open(name);
                const keys = await cache.keys();
                if (keys.length !== 1) throw new Error(`${name} has ${keys.length} files`);
                let kept, bytes, middle;
                // what was fetched anew is kept a moment after it is used
                do {
                    kept = await cache.match(keys[0]);
                    bytes = new Uint8Array(await kept.arrayBuffer());
                    middle = bytes.length >> 1;
                } while (String(bytes[middle]) === sessionStorage.getItem(name));
                if (arguments[0]) sessionStorage.setItem(name, bytes[middle] ^ arguments[0]);
                bytes[middle] ^= arguments[0];
                await cache.put(keys[0], new Response(bytes, kept));
            }
            await new Promise((resolve, reject) => {
                Object.assign(indexedDB.deleteDatabase('assay'), { onsuccess: resolve, onerror: reject });
            });";
        // the second time nothing is changed: what was fetched was kept in the place of the other
        for bits in [1, 0] {
            app.browser.run_async(damage, &[json!(bits)]).unwrap();
            app.browser.reload().unwrap();
            app.start_embedding();
            agrees(app, &expected);
            let requests = [requests(app, ".pack"), program_requests(app)];
            assert_eq!(requests.each_ref().map(Vec::len), [2, 2], "{requests:?}");
        }
    });
}

#[test]
fn a_download_that_breaks_goes_on_where_it_was() {
    in_trouble("embedding-broken-download", "", |app| {
        let breaks = |first, second| [first, second].map(Fault::BreaksAfter);
        fail_program(app, &breaks(3_000_000, 3_000_000));
        app.site.fail(".pack", &breaks(5_000_000, 7_000_000));
        let expected = open_and_start(app);
        says(app, "Downloading the embedder: ...(try 2 of 5)");
        says(app, "Downloading the model: ...(try 2 of 5)");
        agrees(app, &expected);
        goes_on(&program_requests(app), 3_000_000, 3_000_000);
        goes_on(&requests(app, ".pack"), 5_000_000, 7_000_000);
    });
}

/// Whether a download that broke after so many bytes, and so many more, went on from there.
fn goes_on(requests: &[Request], first: usize, second: usize) {
    let statuses: Vec<u16> = requests.iter().map(|request| request.status).collect();
    assert_eq!(statuses, [200, 206, 206]);
    assert_eq!(requests[0].range, None);
    let begins = requests[1..].iter().map(|request| {
        let range = request.range.as_deref().expect("a part is asked for");
        let begin = range.strip_prefix("bytes=").unwrap();
        begin.trim_end_matches('-').parse::<usize>().unwrap()
    });
    let begins: Vec<usize> = begins.collect();
    // a browser may drop what it had not handed on when the connection broke
    assert!(0 < begins[0] && begins[0] <= first, "{begins:?}");
    assert!(
        begins[0] < begins[1] && begins[1] <= begins[0] + second,
        "{begins:?}"
    );
}

#[test]
fn a_download_that_is_cancelled_starts_nothing() {
    in_trouble("embedding-cancelled-download", "", |app| {
        machine(app, 1);
        // the second download takes 1 + 2 + 4 s longer, in which the first would go on after its 4 s
        let mut faults = [Fault::Silence; 6];
        faults[0] = Fault::BreaksAfter(3_000_000);
        fail_program(app, &faults);
        let expected = open_and_start(app);
        says(app, "Downloading the embedder: ...(try 4 of 5)");
        app.browser
            .click(&format!("{} button", mark("embed-progress")))
            .unwrap();
        app.text("embed-start");
        assert_eq!(number(app, "workers.length"), 0);
        app.start_embedding();
        agrees(app, &expected);
        let ranges = program_requests(app);
        let ranges: Vec<bool> = ranges.iter().map(|r| r.range.is_some()).collect();
        let (first, second) = ([false, true, true], [false; 4]);
        assert_eq!(ranges, [&first[..], &second].concat(), "it was begun anew");
        assert_eq!(number(app, "workers.length"), 1);
    });
}

#[test]
fn a_damaged_file_is_fetched_again_and_then_said() {
    in_trouble("embedding-damaged", "", |app| {
        fail_program(app, &[Fault::Flipped(5_000_000); 3]);
        app.site.fail(".pack", &[Fault::Flipped(20_000_000); 2]);
        let expected = open_and_start(app);
        says(app, "the embedder file on the server is damaged");
        assert_eq!(program_requests(app).len(), 2);
        // the server is mended: it can be tried again without a reload
        app.start_embedding();
        says(app, "the model file on the server is damaged");
        assert_eq!(program_requests(app).len(), 4, "damaged once, then right");
        assert_eq!(requests(app, ".pack").len(), 2);
        // what needs no embedding is there
        let first = &expected["sessions"][0];
        let row = format!("row-{}", first["session_id"].as_str().unwrap());
        app.click("table-sessions");
        for (heading, figure) in [
            ("Traits", "traits"),
            ("Lexicon", "lexicon"),
            ("Safety", "safety"),
        ] {
            app.cell_computes(&row, heading, first[figure].as_f64().unwrap());
        }
        app.start_embedding();
        agrees(app, &expected);
        assert_eq!(program_requests(app).len(), 4);
    });
}

/// The listing of a file is missing, then there is no connection to it, then the file
/// itself is missing: each is said, other benches work, and in the end it goes on.
fn each_trouble_is_said(app: &App, listing: &'static str, file: &str) {
    app.site.fail(listing, &[Fault::Missing, Fault::Silence]);
    let expected = open_and_start(app);
    says(app, &format!("{listing} could not be loaded (status 404)"));
    app.start_embedding();
    says(app, "no connection to the server");
    app.start_embedding();
    says(app, &format!("{file} is not on the server"));
    app.go("#/");
    app.click("open-example-debate");
    app.text("verdict");
    app.go("#/persona");
    app.start_embedding();
    agrees(app, &expected);
}

#[test]
fn a_missing_model_is_said_and_other_benches_work() {
    in_trouble("embedding-missing", "", |app| {
        app.site.fail(".pack", &[Fault::Missing]);
        each_trouble_is_said(app, "model.json", "the model");
    });
}

#[test]
fn a_missing_embedder_is_said_and_other_benches_work() {
    in_trouble("embedding-no-program", "", |app| {
        fail_program(app, &[Fault::Missing]);
        each_trouble_is_said(app, "embedder.json", "the embedder");
    });
}

#[test]
fn an_embedder_that_does_not_start_is_said() {
    in_trouble("embedding-no-start", "", |app| {
        let refuse = "
            window.compile = window.WebAssembly.compile;
            window.WebAssembly.compile = () => Promise.reject(new RangeError('could not allocate memory'));";
        app.browser.run(refuse, &[]).unwrap();
        let expected = open_and_start(app);
        says(
            app,
            "the embedder could not be compiled (could not allocate memory)",
        );
        app.browser
            .run("window.WebAssembly.compile = window.compile", &[])
            .unwrap();
        app.site.fail("embedder_start.js", &[Fault::Missing; 2]);
        app.start_embedding();
        says(app, "the embedder stopped again and again");
        app.start_embedding();
        agrees(app, &expected);
    });
}

#[test]
fn where_the_browser_keeps_nothing_the_workers_share_one_download() {
    in_trouble("embedding-no-cache", "", |app| {
        machine(app, 2);
        let refuse = "Object.defineProperty(window, 'indexedDB', {
            get() { window.refused = true; throw new DOMException('refused', 'SecurityError'); },
        });
        window.kept = caches;
        Object.defineProperty(window, 'caches', { value: undefined });";
        app.browser.run(refuse, &[]).unwrap();
        let refuse = Fault::Begins("Object.defineProperty(self, 'caches', { value: undefined });");
        app.site.fail("embedder_start.js", &[refuse; 2]);
        let expected = open_and_start(app);
        agrees(app, &expected);
        assert_eq!(number(app, "workers.length"), 2);
        let refused = app.browser.run("return window.refused", &[]).unwrap();
        assert_eq!(refused, true, "nobody asked for kept vectors");
        assert_eq!(requests(app, "embedder_start.js").len(), 2);
        assert_eq!(requests(app, ".pack").len(), 1);
        assert_eq!(program_requests(app).len(), 1);
        let caches = app
            .browser
            .run_async("return (await kept.keys()).length", &[]);
        assert_eq!(caches.unwrap(), 0, "something was kept all the same");
    });
}

#[test]
fn a_store_that_never_answers_is_one_that_has_nothing() {
    in_app("embedding-silent-store", "", |app| {
        machine(app, 1);
        let silent = "Object.defineProperty(window, 'indexedDB', {
            get: () => ({ open() { window.asked = true; return new EventTarget(); } }),
        });";
        app.browser.run(silent, &[]).unwrap();
        let expected = open_and_start(app);
        agrees(app, &expected);
        let asked = app.browser.run("return window.asked", &[]).unwrap();
        assert_eq!(asked, true, "nobody asked for kept vectors");
    });
}

#[test]
fn where_memory_is_short_fewer_workers_do_it() {
    in_trouble("embedding-memory", "", |app| {
        machine(app, 2);
        // the second worker gets no memory
        let refuse = "WebAssembly.instantiateStreaming = () => Promise.reject(new RangeError('could not allocate memory'));
            WebAssembly.instantiate = WebAssembly.instantiateStreaming;";
        app.site
            .fail("embedder_start.js", &[Fault::None, Fault::Begins(refuse)]);
        let expected = open_and_start(app);
        says(app, "could not allocate memory). It goes on with 1");
        agrees(app, &expected);
        assert_eq!(number(app, "workers.length"), 2);
    });
}

#[test]
fn what_is_done_is_kept_when_the_rest_is_cancelled() {
    in_app("embedding-cancel", "", |app| {
        machine(app, 1);
        let expected = open_and_start(app);
        let some = "return vectors > 2";
        app.browser.wait(PATIENCE, "vectors", some, &[]).unwrap();
        app.browser
            .click(&format!("{} button", mark("embed-progress")))
            .unwrap();
        app.text("embed-start");
        let done = kept_vectors(app).len() as u64;
        assert!(done >= 3, "{done}");
        app.start_embedding();
        agrees(app, &expected);
        // the text in flight when it was cancelled may have been kept since
        let in_all = kept_vectors(app).len() as u64;
        assert_eq!(number(app, "vectors"), in_all, "none was embedded twice");
        assert_eq!(number(app, "workers.length"), 1, "the worker was kept");
    });
}
