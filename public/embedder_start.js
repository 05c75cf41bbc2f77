// Starts the embedder in its worker; the address names the program and its hash: embedder_start.js?embedder&hash.
// The page's first message is the compiled program; the next comes when that has said hello.
// A program that cannot be started or given memory is an error that the page hears of; a
// failed promise would not be.
const [program] = location.search.slice(1).split("&");
importScripts(`./${program}.js${location.search}`);
onmessage = ({ data }) =>
  wasm_bindgen({ module_or_path: data }).catch((error) =>
    setTimeout(() => {
      throw error;
    }),
  );
onmessageerror = () => {
  throw new Error("the browser did not hand over the program");
};
