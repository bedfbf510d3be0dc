import { z } from "zod";
import { MEMORY_INPUTS } from "../src/memory/schemas/memory-input.ts";
import { MEMORY_OUTPUTS } from "../src/memory/schemas/memory-output.ts";
import { FILE_INPUTS } from "../src/node/schemas/file-input.ts";

/** The JSON Schemas for the inputs of the memory tools, generated from the validating schemas. */
export function memorySchemas(): Readonly<Record<string, object>> {
  return jsonSchemas(MEMORY_INPUTS);
}

/** The JSON Schemas for the results of the memory tools. */
export function memoryOutputSchemas(): Readonly<Record<string, object>> {
  return jsonSchemas(MEMORY_OUTPUTS);
}

/** The JSON Schemas for the inputs of the file tools. */
export function fileSchemas(): Readonly<Record<string, object>> {
  return jsonSchemas(FILE_INPUTS);
}

/** Renders the source files that contain these schemas, so that nothing has to load zod to show them. */
export function renderSchemas(): Readonly<Record<string, string>> {
  return {
    "memory/schemas/memory-input-schemas.ts": renderFile(
      { from: "memory-input.ts", name: "MEMORY_INPUT_SCHEMAS", keys: "MemoryToolName" },
      "The inputs of the memory tools, as the model sees them.",
      memorySchemas(),
    ),
    "memory/schemas/memory-output-schemas.ts": renderFile(
      { from: "memory-output.ts", name: "MEMORY_OUTPUT_SCHEMAS", keys: "MemoryToolName" },
      "The results of the memory tools, as programs get them.",
      memoryOutputSchemas(),
    ),
    "node/schemas/file-input-schemas.ts": renderFile(
      { from: "file-input.ts", name: "FILE_INPUT_SCHEMAS", keys: "FileToolName" },
      "The inputs of the file tools, as the model sees them.",
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
  /** The file with the validating schemas. */
  readonly from: string;
  readonly name: string;
  /** The type of the tool names, which is defined next to the input schemas. */
  readonly keys: "MemoryToolName" | "FileToolName";
}

function renderFile({ from, name, keys }: SchemaFile, doc: string, schemas: object): string {
  const names = keys === "MemoryToolName" ? "memory-input.ts" : "file-input.ts";
  return `// Generated from ${from} by \`pnpm --filter @caliban/tools-builtin schemas\`. Do not edit.
import type { JsonSchema } from "@caliban/agent-core";
import type { ${keys} } from "./${names}";

/** ${doc} */
export const ${name}: Readonly<Record<${keys}, JsonSchema>> = ${JSON.stringify(schemas)};
`;
}
