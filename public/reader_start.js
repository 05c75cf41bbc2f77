// Starts the program that reads files in its worker. What the page says before the program runs
// waits; a program that cannot be started is an error that the page hears of.
const waiting = [];
onmessage = (event) => waiting.push(event);
importScripts("./reader.js");
wasm_bindgen({ module_or_path: "./reader_bg.wasm" })
  .then(() => {
    for (const event of waiting.splice(0)) {
      onmessage(event);
    }
  })
  .catch((error) =>
    setTimeout(() => {
      throw error;
    }),
  );
