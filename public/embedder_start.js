// Starts the embedder in its worker; the address names the program: embedder_start.js?embedder&version.
// A program that cannot be fetched, compiled or given memory is an error that the page
// hears of; a failed promise would not be.
const [program] = location.search.slice(1).split("&");
importScripts(`./${program}.js`);
wasm_bindgen({ module_or_path: `./${program}_bg.wasm` }).catch((error) =>
  setTimeout(() => {
    throw error;
  }),
);
