// Loaded before the program with `--import`. Notes what it loads and reads until its first request, or until it exits,
// and writes that to the file that COUNT_START_TO names. Nothing of it depends on the speed of the machine.
import { subscribe } from "node:diagnostics_channel";
import fs from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

const target = process.env["COUNT_START_TO"] ?? "";
const { writeFileSync } = fs;
/** @type {Record<string, number>} */
const modules = {};
/** @type {[path: string, bytes: number][]} */
const files = [];
const opened = new Map();
let isCounting = true;

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    const { source } = loaded;
    if (isCounting && url.startsWith("file:"))
      modules[fileURLToPath(url)] = Buffer.byteLength(source ?? "");
    return loaded;
  },
});

// The program takes these functions when its modules are evaluated, which is later.
watch("openSync", (path, descriptor) => void opened.set(descriptor, path));
watch("readSync", (descriptor, bytes) => note(opened.get(descriptor), Number(bytes)));
watch("readFileSync", (path, content) => note(path, Buffer.byteLength(String(content))));

/** @type {(name: "openSync" | "readSync" | "readFileSync", seen: (file: unknown, result: unknown) => void) => void} */
function watch(name, seen) {
  const watched = new Proxy(fs[name], {
    apply: (original, self, args) => {
      const result = Reflect.apply(original, self, args);
      seen(args[0], result);
      return result;
    },
  });
  Object.assign(fs, { [name]: watched });
}

/** @type {(path: unknown, bytes: number) => void} */
function note(path, bytes) {
  // Node's loader reads modules by their URL.
  if (isCounting && typeof path === "string") files.push([path, bytes]);
}

const before = new Set(loadedBuiltins());

function loadedBuiltins() {
  // Not in the types of Node.
  return /** @type {{ moduleLoadList: readonly string[] }} */ (/** @type {unknown} */ (process))
    .moduleLoadList;
}

function finish() {
  if (!isCounting) return;
  isCounting = false;
  const builtins = loadedBuiltins().filter((name) => !before.has(name));
  writeFileSync(target, JSON.stringify({ modules, files, builtins }));
}

subscribe("http.client.request.start", finish);
process.on("exit", finish);
