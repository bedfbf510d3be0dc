// `pnpm run docs`: writes the pages of docs/ that are generated from code.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generatedPages } from "./docs/pages.ts";
import { root } from "./workspace.mjs";

for (const [name, text] of Object.entries(generatedPages())) {
  writeFileSync(join(root, name), text);
  console.log(`wrote ${name}`);
}
