// Searches the topics of a directory twice with the built package, and prints how long each search takes. Stores the index in
// a file.
import { peakMegabytes } from "../../pipeline/peak-megabytes.mjs";

const built = new URL("../../../packages/memory/dist/node/index.js", import.meta.url).href;
const { createIndexCache, createMemorySearch, topicDirectorySource } = await import(built);

const [directory = "", file = "", query = ""] = process.argv.slice(2);
const started = performance.now();
const sources = [topicDirectorySource(directory)];
const index = createIndexCache({ file, sources });
const memory = createMemorySearch({ index, sources });
const found = await memory.search({ query });
const firstMs = performance.now() - started;
await index.settled();
const settledMs = performance.now() - started;
const before = performance.now();
await memory.search({ query });
const againMs = performance.now() - before;
const { topics: searched } = found.searched;
const slugs = found.topics.map((/** @type {{ name: string }} */ { name }) => name);
const megabytes = peakMegabytes();
console.log(JSON.stringify({ ms: firstMs, settledMs, againMs, megabytes, searched, slugs }));
