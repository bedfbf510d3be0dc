// Run with `pnpm --filter @caliban/tools-builtin schemas`: writes the JSON Schemas into the source.
import { writeFileSync } from "node:fs";
import { renderSchemas } from "./render-schemas.ts";

for (const [file, text] of Object.entries(renderSchemas())) {
  writeFileSync(new URL(`../src/${file}`, import.meta.url), text);
}
