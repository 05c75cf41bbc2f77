// Starts the embedder in its worker. A program that cannot be fetched, compiled or
// given memory is an error that the page hears of; a failed promise would not be.
importScripts("./embedder.js");
wasm_bindgen({ module_or_path: "./embedder_bg.wasm" }).catch((error) =>
  setTimeout(() => {
    throw error;
  }),
);
