// An editor that breaks the header of a topic.
import { readFileSync, writeFileSync } from "node:fs";

const path = process.argv.at(-1) ?? "";
writeFileSync(path, readFileSync(path, "utf8").replace("---\n", "--- js\n"));
