// Starts the page: loads the module named by this script's own attributes.
// A file and not an inline script, so that the page's policy can forbid those.
const { module, wasm } = document.querySelector("script[data-wasm]").dataset;
try {
  const { default: start } = await import(new URL(module, document.baseURI).href);
  await start({ module_or_path: new URL(wasm, document.baseURI).href });
} catch (error) {
  console.error(error);
  const broken = document.getElementById("broken");
  broken.querySelector("p").textContent =
    "Assay could not start. It needs a browser of 2022 or later with WebAssembly. " + error;
  broken.hidden = false;
}
