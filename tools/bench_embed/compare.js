// The page of `make bench-embed`. `?engine=NAME&workers=N` starts one embedder at once and keeps the
// time of its first vector, counted from the navigation; `window.compare` is what the driver calls.

const here = path => new URL(path, location.href).href;

/** Our program, kept and compiled once as the page does it; the page also checks its hash. */
async function compiled(program) {
    const { sha256 } = (await (await fetch(here('app/embedder.json'), { cache: 'no-cache' })).json())[program];
    const address = here(`app/${program}_bg.wasm?${sha256}`);
    const cache = await caches.open('assay-embedder');
    if (!await cache.match(address)) await cache.put(address, await fetch(address, { cache: 'no-store' }));
    return WebAssembly.compile(await (await cache.match(address)).arrayBuffer());
}

/** Our worker, spoken to as the page does it. */
class Worker1 {
    static async start(program, module) {
        const made = new Worker1();
        made.worker = new Worker(here(`app/embedder_start.js?${program}`));
        made.waiting = [];
        made.arrived = [];
        made.worker.onmessage = ({ data }) => made.take(data);
        made.worker.onerror = ({ message }) => made.take({ failed: { message } });
        made.worker.postMessage(module);
        await made.next();
        return made;
    }
    take(message) {
        if (message instanceof Blob || message.progress) return;
        const waiting = this.waiting.shift();
        if (waiting) waiting(message); else this.arrived.push(message);
    }
    async next() {
        const message = this.arrived.shift() ?? await new Promise(next => this.waiting.push(next));
        if (message.failed) throw new Error(message.failed.message);
        return message;
    }
    async ask(message) {
        this.worker.postMessage(JSON.stringify(message));
        return this.next();
    }
    async load() {
        const manifest = await (await fetch(here('app/model/model.json'))).text();
        await this.ask({ load: { base: here('app/model/'), manifest } });
    }
    async embed(text) {
        const { vector: { vector } } = await this.ask({ embed: { id: 1, text } });
        return Array.from(new Float32Array(vector.slice().buffer));
    }
}

/** A pool of them: one text in flight for each, the longest first. */
async function ours(program, count) {
    const module = await compiled(program);
    const pool = [];
    const add = async () => {
        const worker = await Worker1.start(program, module);
        await worker.load();
        pool.push(worker);
    };
    await add();
    const others = Promise.all(Array.from({ length: count - 1 }, add));
    return {
        ready: () => others,
        one: text => pool[0].embed(text),
        all: async texts => {
            const order = texts.map((_, index) => index).sort((a, b) => texts[a].length - texts[b].length);
            const vectors = [];
            await Promise.all(pool.map(async worker => {
                for (let index; (index = order.pop()) !== undefined;) vectors[index] = await worker.embed(texts[index]);
            }));
            return vectors;
        },
    };
}

/** transformers.js as its documentation says, with its files from this server. */
async function transformers(dtype) {
    const { env, pipeline } = await import(here('npm/@huggingface/transformers/dist/transformers.min.js'));
    env.allowRemoteModels = false;
    env.allowLocalModels = true;
    env.localModelPath = new URL('models/', location.href).pathname;
    env.backends.onnx.wasm.wasmPaths = here('npm/onnxruntime-web/dist/');
    const embed = await pipeline('feature-extraction', 'all-MiniLM-L6-v2', { dtype, device: 'wasm' });
    const one = async text => Array.from((await embed(text, { pooling: 'mean', normalize: true })).data);
    return {
        ready: async () => {},
        one,
        all: async texts => {
            const vectors = [];
            for (const text of texts) vectors.push(await one(text));
            return vectors;
        },
    };
}

// one instruction of relaxed SIMD: the build that the page would take (src/app/browser/relaxed.rs)
const relaxed = WebAssembly.validate(new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 15, 1, 13, 0, 65, 1, 253, 15, 65, 2, 253, 15,
    253, 128, 2, 11,
]));

const engines = {
    ours: workers => ours(relaxed ? 'embedder-relaxed' : 'embedder', workers),
    plain: workers => ours('embedder', workers),
    fp32: () => transformers('fp32'),
    q8: () => transformers('q8'),
};

/** Replies of 4 to 160 words, most of them short: the same on every machine. */
function replies(count) {
    const words = ('thank you for your message we have looked into the order and found that it left our warehouse on '
        + 'monday please try again after clearing cache because service was briefly unavailable this morning i am happy '
        + 'to help with anything else here is what changed in latest release faster search fewer errors better contrast '
        + 'let me know if refund arrives within five working days otherwise reply directly so engineer can check logs').split(' ');
    let state = 1;
    const chance = () => (state = state * 48271 % 2147483647) / 2147483647;
    return Array.from({ length: count }, () => {
        const length = Math.round(4 * 40 ** chance());
        const text = Array.from({ length }, () => words[Math.floor(chance() * words.length)]).join(' ');
        return text[0].toUpperCase() + text.slice(1) + '.';
    });
}

const cosine = (a, b) => {
    const dot = (a, b) => a.reduce((sum, value, index) => sum + value * b[index], 0);
    return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
};

window.compare = {
    relaxed,
    /** Peak memory is read after this. */
    async some(engine, workers, count) {
        const started = await (window.started ?? engines[engine](workers));
        await started.ready();
        await started.all(replies(count));
    },
    /** All engines embed the same replies, in turns of `share` replies. */
    async run(names, count, share) {
        const texts = replies(count);
        const all = [];
        for (const { engine, workers } of names) {
            const made = await engines[engine](workers);
            await made.ready();
            await made.all(texts.slice(0, 8));
            all.push({ made, vectors: [], times: [] });
        }
        for (let from = 0, turn = 0; from < texts.length; from += share, turn++) {
            const part = texts.slice(from, from + share);
            for (let i = 0; i < all.length; i++) {
                const one = all[(i + turn) % all.length];
                const began = performance.now();
                one.vectors.push(...await one.made.all(part));
                one.times.push(performance.now() - began);
            }
        }
        const reference = all[names.findIndex(({ engine }) => engine === 'fp32')].vectors;
        return all.map(({ vectors, times }) => {
            const cosines = vectors.map((vector, index) => cosine(vector, reference[index]));
            return { times, lowest: Math.min(...cosines), mean: cosines.reduce((a, b) => a + b) / cosines.length };
        });
    },
};

const asked = new URLSearchParams(location.search);
if (asked.has('engine')) {
    window.started = engines[asked.get('engine')](Number(asked.get('workers') ?? 1));
    window.first = window.started
        .then(engine => engine.one('The first reply.'))
        .then(() => performance.now());
}
