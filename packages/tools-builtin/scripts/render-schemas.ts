import { z } from "zod";
import { MEMORY_INPUTS } from "../src/memory/memory-input.ts";
import { FILE_INPUTS } from "../src/node/file-input.ts";

/** What a model is shown of the inputs of the memory tools, made from the schemas that check them. */
export function memorySchemas(): Readonly<Record<string, object>> {
  return jsonSchemas(MEMORY_INPUTS);
}

/** The same for the file tools. */
export function fileSchemas(): Readonly<Record<string, object>> {
  return jsonSchemas(FILE_INPUTS);
}

/** The files with these schemas in them, so that nobody has to load zod to show them. */
export function renderSchemas(): Readonly<Record<string, string>> {
  return {
    "memory/memory-schemas.ts": renderFile("memory", "Memory", memorySchemas()),
    "node/file-schemas.ts": renderFile("file", "File", fileSchemas()),
  };
}

function jsonSchemas(
  inputs: Readonly<Record<string, z.ZodType>>,
): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, schema]) => {
      const { $schema: _, ...plain } = z.toJSONSchema(schema);
      return [name, plain];
    }),
  );
}

function renderFile(word: string, type: string, schemas: object): string {
  return `// Made from ${word}-input.ts by \`pnpm --filter @caliban/tools-builtin schemas\`: change it there.
import type { JsonSchema } from "@caliban/agent-core";
import type { ${type}ToolName } from "./${word}-input.ts";

/** What a model is shown of the inputs of the ${word} tools. */
export const ${word.toUpperCase()}_SCHEMAS: Readonly<Record<${type}ToolName, JsonSchema>> = ${JSON.stringify(schemas, undefined, 2)};
`;
}
