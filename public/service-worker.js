// Serves the page without a network: the files of one version, each under its hash. A file is
// of this version or it is not served from here, so what is open is never put together of two.
//
// tools/list-files writes the list at the end of a build: address, SHA-256, bytes, and when a
// file is kept: "page" from the start, "used" when it is first used, or the name of the cache in
// which the page keeps it itself.
const FILES = [];

const CACHE = "assay-files";
const SHARED = "assay-shared";
const home = new URL("./", location.href).href;
const listed = new Map(FILES.map((file) => [home + file[0], file]));

const key = ([address, hash]) => `${home}${address}?${hash}`;
const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

// An answer as it came, with the policy that the host may have sent; unpacked.
function again(bytes, { headers }) {
  const own = new Headers(headers);
  own.delete("Content-Encoding");
  own.delete("Content-Length");
  return new Response(bytes, { headers: own });
}

// A file from the server. One that the browser remembers may be of another version, so the
// server is asked once more before it is given up.
async function fetched([address, hash]) {
  for (const cache of ["default", "reload"]) {
    const response = await fetch(home + address, { cache });
    if (!response.ok) {
      throw new Error(`${address} was answered with ${response.status}`);
    }
    const bytes = await response.arrayBuffer();
    if (hex(await crypto.subtle.digest("SHA-256", bytes)) === hash) {
      return again(bytes, response);
    }
  }
  throw new Error(`${address} is not the file of this version`);
}

// What no version that is open asks for any more.
async function tidy() {
  const open = await clients.matchAll({ includeUncontrolled: true, type: "window" });
  if (open.length > 1) {
    return; // another tab may be of the version before
  }
  const cache = await caches.open(CACHE);
  const wanted = new Set(FILES.map(key));
  const old = (await cache.keys()).filter(({ url }) => !wanted.has(url));
  await Promise.all(old.map((request) => cache.delete(request)));
}

async function answered(request, file, address) {
  const cache = await caches.open(CACHE);
  // what is not of this version may be of the one before, in a tab that was open
  const found = await (file ? cache.match(key(file)) : cache.match(address, { ignoreSearch: true }));
  if (found) {
    return found;
  }
  const response = await fetch(request);
  if (file && response.ok && response.status === 200) {
    // whether it is of this version is looked at beside the answer
    const copy = response.clone();
    copy.arrayBuffer()
      .then(async (bytes) => {
        if (hex(await crypto.subtle.digest("SHA-256", bytes)) === file[1]) {
          await cache.put(key(file), again(bytes, copy));
        }
      })
      .catch(() => {}); // no room, or it broke: it is fetched again when it is asked for
  }
  return response;
}

// What an installed page is given by another program waits until the page has read it.
async function shared(request) {
  const form = await request.formData();
  const cache = await caches.open(SHARED);
  const texts = ["title", "text", "url"].map((name) => form.get(name)).filter(Boolean);
  const given = form.getAll("files").filter((file) => file.size > 0);
  const parts = given.length > 0 ? given : [new File([texts.join("\n")], "what was shared")];
  await Promise.all(
    parts.map((file, at) =>
      cache.put(`${home}shared/${at}/${encodeURIComponent(file.name)}`, new Response(file)),
    ),
  );
  return Response.redirect(`${home}#/shared`, 303);
}

// Where a file is kept: here, or where the page looks for what it keeps itself.
async function place(file) {
  const [address, hash, , when] = file;
  const isOwn = when !== "page" && when !== "used";
  const cache = await caches.open(isOwn ? when : CACHE);
  const name = when === "assay-model" ? home + address : key([address, hash]);
  return { has: await cache.match(name), put: async () => cache.put(name, await fetched(file)) };
}

// Fetches all that the page may need and tells the bytes; of what it is not told to fetch, how
// many would be fetched.
async function keepAll(port, without, isAsked) {
  try {
    const places = [];
    let all = 0;
    for (const file of FILES.filter(([address]) => !without.includes(address))) {
      const { has, put } = await place(file);
      if (!has) {
        places.push([put, file[2]]);
        all += file[2];
      }
    }
    let done = 0;
    port.postMessage({ done, all });
    for (const [put, bytes] of isAsked ? places : []) {
      await put();
      done += bytes;
      port.postMessage({ done, all });
    }
  } catch (error) {
    port.postMessage({ failed: String(error.message ?? error) });
  }
}

addEventListener("install", (event) => {
  const keep = async (file) => {
    const { has, put } = await place(file);
    return has || put();
  };
  event.waitUntil(Promise.all(FILES.filter((file) => file[3] === "page").map(keep)));
});

addEventListener("activate", (event) => {
  event.waitUntil(tidy().then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const address = url.origin + url.pathname;
  if (!address.startsWith(home)) {
    return;
  }
  if (request.method === "POST" && address === `${home}share`) {
    event.respondWith(shared(request));
    return;
  }
  if (request.method !== "GET" || request.headers.has("Range")) {
    return;
  }
  const file = listed.get(address === home ? `${home}index.html` : address);
  const isOwn = file && file[3] !== "page" && file[3] !== "used";
  const isOld = !file && address.startsWith(`${home}assay-app-`);
  // what the page keeps itself goes its own way, and so does what is no part of it
  if ((file && !isOwn) || isOld) {
    event.respondWith(answered(request, file, address));
  }
});

addEventListener("message", (event) => {
  const { data, ports } = event;
  if (data.act === "take over") {
    event.waitUntil(skipWaiting());
  } else {
    event.waitUntil(keepAll(ports[0], data.without, data.act === "keep all"));
  }
});
