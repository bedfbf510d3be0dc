// `node run-examples.mjs RESULTS FILE…`: runs the files one after the other in this process, and writes to RESULTS what each of
// them printed on stderr or threw. Starting a process for each of them would take most of the time.
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [results = "", ...files] = process.argv.slice(2);
/** @type {Record<string, string>} */
const errors = {};
let current = "";
process.stderr.write = (text) => {
  errors[current] += String(text);
  return true;
};
// A file that ends the process, or never finishes, keeps the later ones out of the results.
process.on("exit", () => writeFileSync(results, JSON.stringify(errors)));
for (current of files) {
  errors[current] = "";
  try {
    await import(pathToFileURL(resolve(current)).href);
  } catch (error) {
    process.stderr.write(error instanceof Error ? String(error.stack) : String(error));
  }
}
