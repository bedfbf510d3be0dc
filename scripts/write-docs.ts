// `pnpm docs`: writes the pages of docs/ and the help, which are made from code.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generatedPages } from "./docs/pages.ts";
import { root } from "./workspace.mjs";

for (const [name, text] of Object.entries(generatedPages())) {
  writeFileSync(join(root, name), text);
  console.log(`wrote ${name}`);
}
