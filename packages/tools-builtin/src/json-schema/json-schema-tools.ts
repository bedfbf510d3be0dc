import type { JsonSchema, ToolResult } from "@caliban/agent-core";
import { isRecord } from "@caliban/common";
import { createMemoryHost, type MemoryHostOptions } from "../memory/memory-host.ts";
import type { MemoryToolsStore } from "../memory/memory-tool.ts";
import { type StrictObjectSchema, strictSchema } from "./strict-schema.ts";

/** A memory tool as plain data and two functions, for any SDK and any API that takes a JSON Schema. */
export interface JsonSchemaTool {
  readonly name: string;
  readonly description: string;
  /** Every field is required, and a field that can be left out accepts null, as strict modes demand. */
  readonly parameters: StrictObjectSchema;
  readonly strict: true;
  /** False for a tool that changes memory, which a program may want to ask about. */
  readonly isReadOnly: boolean;
  /** Runs a call and returns the text for the model, also for a refusal. Takes an object or its JSON. */
  readonly execute: (input: unknown) => Promise<string>;
  /** The same with data for programs, and with `isError` for a refusal. */
  readonly run: (input: unknown) => Promise<ToolResult>;
}

/**
 * Creates the memory tools for OpenAI's strict mode and for every API that takes a JSON Schema.
 *
 * @example
 * import { createMapTopicStore } from "@caliban/memory";
 * import { memoryTools } from "@caliban/tools-builtin/json-schema";
 *
 * const [read] = memoryTools(createMapTopicStore());
 * console.log(read?.name, read?.parameters.required); // ReadMemoryTopic [ 'name' ]
 * console.log(await read?.execute('{"name":"deploy"}')); // There are no topics yet. Continue without memory.
 */
export function memoryTools(
  store: MemoryToolsStore,
  options: MemoryHostOptions = {},
): readonly JsonSchemaTool[] {
  const { tools, run } = createMemoryHost(store, options);
  return tools.map(({ name, description, inputSchema, isReadOnly }) => {
    const runCall = async (input: unknown): Promise<ToolResult> => {
      const parsed = parseJson(input);
      if (parsed === INVALID) {
        return { text: `${name} was not run: its arguments are not valid JSON.`, isError: true };
      }
      return await run({ name, input: withoutNulls(parsed, inputSchema) });
    };
    return {
      name,
      description,
      parameters: strictSchema(inputSchema),
      strict: true,
      isReadOnly,
      run: runCall,
      execute: async (input) => (await runCall(input)).text,
    };
  });
}

const INVALID: unique symbol = Symbol("invalid JSON");

function parseJson(input: unknown): unknown {
  if (typeof input !== "string") return input;
  try {
    return JSON.parse(input);
  } catch (error) {
    if (error instanceof SyntaxError) return INVALID;
    throw error;
  }
}

/** A strict mode has no optional fields, so null means that one is left out. */
function withoutNulls(input: unknown, schema: JsonSchema): unknown {
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  if (!isRecord(input)) return input;
  const kept = Object.entries(input).filter(([key, value]) => value !== null || required.has(key));
  return Object.fromEntries(kept);
}
