// Calls stat for each file of a directory, then reads each, and prints how long that takes: the cost of the system calls.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const [directory = ""] = process.argv.slice(2);
const paths = readdirSync(directory).map((name) => join(directory, name));
const started = performance.now();
let bytes = 0;
for (const path of paths) bytes += statSync(path).size;
const ms = performance.now() - started;
const before = performance.now();
let characters = 0;
for (const path of paths) characters += readFileSync(path, "utf8").length;
console.log(JSON.stringify({ ms, readMs: performance.now() - before, bytes, characters }));
