// Searches the topics of a directory twice with the built package, and prints how long each search takes. Stores the index
// below a state directory.
import { dirname } from "node:path";
import { peakMegabytes } from "../../pipeline/peak-megabytes.mjs";

const built = new URL("../../../packages/memory/dist/", import.meta.url);
const { openMemorySearch } = await import(new URL("node/index.js", built).href);
// Loads the code of the search, which is not measured.
await import(new URL("open-index.js", built).href);

const [directory = "", state = "", query = ""] = process.argv.slice(2);
const env = { XDG_DATA_HOME: state, XDG_STATE_HOME: state };
const started = performance.now();
const memory = openMemorySearch({ workspace: dirname(directory), env, directory });
const found = await memory.search({ query });
const firstMs = performance.now() - started;
await memory.settled();
const settledMs = performance.now() - started;
const before = performance.now();
await memory.search({ query });
const againMs = performance.now() - before;
const { topics: searched } = found.searched;
const slugs = found.topics.map((/** @type {{ name: string }} */ { name }) => name);
const megabytes = peakMegabytes();
console.log(JSON.stringify({ ms: firstMs, settledMs, againMs, megabytes, searched, slugs }));
