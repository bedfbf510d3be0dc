// Searches the topics of a directory twice with the built package, and prints how long each search takes. Stores the index
// below a state directory.
import { dirname } from "node:path";
import { peakMegabytes } from "../../pipeline/peak-megabytes.mjs";

const built = new URL("../../../packages/memory/dist/node/index.js", import.meta.url).href;
const { openMemorySearch } = await import(built);

const [directory = "", state = "", query = ""] = process.argv.slice(2);
const env = { XDG_DATA_HOME: state, XDG_STATE_HOME: state };
const input = { workspace: dirname(directory), env };
// Loads the code, which is not measured.
await openMemorySearch({ ...input, directory: `${directory}/none`, isStored: false }).search({
  query,
});
const started = performance.now();
const memory = openMemorySearch({ ...input, directory });
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
