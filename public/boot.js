// Starts the page: loads the module named by this script's own attributes, and says so
// when it cannot start, or breaks later. A file and not an inline script, so that the
// page's policy can forbid those.
const banner = document.getElementById("broken");

function tell(text) {
  banner.querySelector("p").textContent = text;
  banner.hidden = false;
}

// Whether what stands in the fields for texts is what the browser keeps: read back, and
// not believed. A field of a form holds a part of a text, as JSON writes it or as it is.
// A long text is in a database, of which there is no answer at this moment: then undefined.
function areKept(fields) {
  const kept = [];
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith("assay.desk.")) {
        kept.push(...Object.values(JSON.parse(localStorage.getItem(key)).work.texts));
      }
    }
  } catch {
    return false;
  }
  const short = kept.filter((text) => typeof text === "string");
  const holds = (text, value) => text.includes(value) || text.includes(JSON.stringify(value).slice(1, -1));
  if (fields.every(({ value }) => short.some((text) => holds(text, value)))) {
    return true;
  }
  return short.length < kept.length ? undefined : false;
}

function broke() {
  const fields = [...document.querySelectorAll("main textarea")].filter((field) => field.value.trim() !== "");
  let words = "Reload the page to go on with what was kept last.";
  if (fields.length > 0) {
    words = {
      true: "What you typed is kept in this browser. Reload the page to go on.",
      false: "The last change was not kept: copy it from its field before you reload the page.",
      undefined: "The last change may not be kept: copy it from its field before you reload the page.",
    }[areKept(fields)];
  }
  tell("Something broke, and this page does not go on. " + words);
}

// A trap of the program is no exception that it could catch. The moment before it is the
// last in which what is shown is sure to be right.
function onTrap(event) {
  const error = event.error ?? event.reason;
  // Firefox has an error of its own for a stack that is full
  const isFull = error instanceof RangeError || error?.name === "InternalError";
  if (error instanceof WebAssembly.RuntimeError || isFull) {
    broke();
  }
}

// Where the browser checks what becomes markup or a script: markup is the framework's own,
// which has no scripts in it, and scripts are files beside this page.
if (globalThis.trustedTypes) {
  const home = new URL("./", document.baseURI).href;
  trustedTypes.createPolicy("default", {
    createHTML(html) {
      if (/<script|<iframe|<object|\son\w+\s*=|javascript:/i.test(html)) {
        throw new TypeError("markup that runs something");
      }
      return html;
    },
    createScriptURL(url) {
      if (!new URL(url, document.baseURI).href.startsWith(home)) {
        throw new TypeError(`a script from elsewhere: ${url}`);
      }
      return url;
    },
  });
}

const { module, wasm, size, early } = document.querySelector("script[data-wasm]").dataset;

// The program. An address that leads to a bench needs files that the program asks for when
// it runs. What all benches share of them is asked for when four fifths of the program are
// there: earlier they would share the wire with it, later the wire would lie idle.
async function program() {
  const response = await fetch(new URL(wasm, document.baseURI));
  if (!response.ok || location.hash.length < 2) {
    return response;
  }
  let left = 0.8 * size;
  const counted = new TransformStream({
    transform(bytes, rest) {
      left -= bytes.length;
      if (left < 0) {
        left = Infinity;
        for (const href of early.split(" ")) {
          const link = Object.assign(document.createElement("link"), { rel: "preload", as: "fetch", href });
          link.crossOrigin = "anonymous";
          document.head.append(link);
        }
      }
      rest.enqueue(bytes);
    },
  });
  return new Response(response.body.pipeThrough(counted), response);
}

if (typeof WebAssembly === "object") {
  addEventListener("error", onTrap);
  addEventListener("unhandledrejection", onTrap);
  try {
    const { default: start } = await import(new URL(module, document.baseURI).href);
    await start({ module_or_path: program() });
  } catch (error) {
    console.error(error);
    tell(
      "Assay could not start: a part of it was not loaded, or this browser is older than 2022. " +
        "Your work is kept. Try again in a while. " + error,
    );
  }
} else {
  tell("Assay could not start. It needs a browser of 2022 or later with WebAssembly.");
}
document.getElementById("late")?.remove();
