import { z } from "zod";
import { MEMORY_INPUTS } from "../src/memory/memory-input.ts";

/** What a model is shown of the inputs, made from the schemas that check them. */
export function jsonSchemas(): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(MEMORY_INPUTS).map(([name, schema]) => {
      const { $schema: _, ...plain } = z.toJSONSchema(schema);
      return [name, plain];
    }),
  );
}

/** The file with these schemas in it, so that nobody has to load zod to show them. */
export function renderSchemas(): string {
  return `// Made from memory-input.ts by \`pnpm --filter @caliban/tools-builtin schemas\`: change it there.
import type { JsonSchema } from "@caliban/agent-core";
import type { MemoryToolName } from "./memory-input.ts";

/** What a model is shown of the inputs of the memory tools. */
export const MEMORY_SCHEMAS: Readonly<Record<MemoryToolName, JsonSchema>> = ${JSON.stringify(jsonSchemas(), undefined, 2)};
`;
}
