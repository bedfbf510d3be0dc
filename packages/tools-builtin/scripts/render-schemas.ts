import { z } from "zod";
import { MEMORY_INPUTS } from "../src/memory/schemas/memory-input.ts";
import { MEMORY_OUTPUTS } from "../src/memory/schemas/memory-output.ts";
import { FILE_INPUTS } from "../src/node/schemas/file-input.ts";

/** What a model is shown of the inputs of the memory tools, made from the schemas that check them. */
export function memorySchemas(): Readonly<Record<string, object>> {
  return jsonSchemas(MEMORY_INPUTS);
}

/** What programs are promised of the results of the memory tools. */
export function memoryOutputSchemas(): Readonly<Record<string, object>> {
  return jsonSchemas(MEMORY_OUTPUTS);
}

/** The same for the inputs of the file tools. */
export function fileSchemas(): Readonly<Record<string, object>> {
  return jsonSchemas(FILE_INPUTS);
}

/** The files with these schemas in them, so that nobody has to load zod to show them. */
export function renderSchemas(): Readonly<Record<string, string>> {
  return {
    "memory/memory-schemas.ts": renderFile(
      { from: "memory-input.ts", name: "MEMORY_SCHEMAS", keys: "MemoryToolName" },
      "What a model is shown of the inputs of the memory tools.",
      memorySchemas(),
    ),
    "memory/memory-output-schemas.ts": renderFile(
      { from: "memory-output.ts", name: "MEMORY_OUTPUT_SCHEMAS", keys: "MemoryToolName" },
      "What programs are promised of the results of the memory tools.",
      memoryOutputSchemas(),
    ),
    "node/file-schemas.ts": renderFile(
      { from: "file-input.ts", name: "FILE_SCHEMAS", keys: "FileToolName" },
      "What a model is shown of the inputs of the file tools.",
      fileSchemas(),
    ),
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

interface SchemaFile {
  /** The file with the schemas that check. */
  readonly from: string;
  readonly name: string;
  /** The type of the names of the tools, which stands beside the schemas of their inputs. */
  readonly keys: "MemoryToolName" | "FileToolName";
}

function renderFile({ from, name, keys }: SchemaFile, doc: string, schemas: object): string {
  const names = keys === "MemoryToolName" ? "memory-input.ts" : "file-input.ts";
  return `// Made from ${from} by \`pnpm --filter @caliban/tools-builtin schemas\`: change it there.
import type { JsonSchema } from "@caliban/agent-core";
import type { ${keys} } from "./${names}";

/** ${doc} */
export const ${name}: Readonly<Record<${keys}, JsonSchema>> = ${JSON.stringify(schemas)};
`;
}
