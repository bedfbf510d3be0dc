// `pnpm --filter @caliban/tools-builtin schemas`: writes the JSON Schemas into the source.
import { writeFileSync } from "node:fs";
import { renderSchemas } from "./render-schemas.ts";

writeFileSync(new URL("../src/memory/memory-schemas.ts", import.meta.url), renderSchemas());
