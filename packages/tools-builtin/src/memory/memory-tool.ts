import type { Tool, ToolContext, ToolResult } from "@caliban/agent-core";
import { MemoryError, slugKey, type TopicStore } from "@caliban/memory";
import type { MemorySearch } from "@caliban/memory/search";
import type { MemoryInputs, MemoryToolName } from "./schemas/memory-input.ts";
import { MEMORY_OUTPUT_SCHEMAS } from "./schemas/memory-output-schemas.ts";
import { MEMORY_INPUT_SCHEMAS } from "./schemas/memory-input-schemas.ts";

/** What the memory tools work with. */
export interface MemoryToolsInput {
  readonly store: Pick<TopicStore, "list" | "read" | "write" | "remove">;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** What MemorySearch looks through; the topics of the store when left out. */
  readonly search?: MemorySearch | undefined;
}

/** The same with everything that may be left out. */
export type MemoryToolContext = MemoryToolsInput & { readonly search: MemorySearch };

/** A memory tool before it is one: what it does with an input that is proven. */
export interface MemoryToolDefinition<Name extends MemoryToolName> {
  readonly name: Name;
  readonly description: string;
  readonly permission: string;
  readonly isReadOnly: boolean;
  readonly execute: (
    input: MemoryInputs[Name],
    context: ToolContext,
    memory: MemoryToolContext,
  ) => Promise<ToolResult>;
}

/** Makes a tool that checks its input, and turns what the store refuses into sentences for the model. */
export function createMemoryTool<Name extends MemoryToolName>(
  row: MemoryToolDefinition<Name>,
  memory: MemoryToolContext,
): Tool {
  const { name, description, permission, isReadOnly } = row;
  return {
    name,
    description,
    permission,
    isReadOnly,
    inputSchema: MEMORY_INPUT_SCHEMAS[name],
    outputSchema: MEMORY_OUTPUT_SCHEMAS[name],
    orderKey: topicOf,
    run: async (input, context) => {
      // The schemas that check are loaded with the first call; the model is shown plain data.
      const [{ MEMORY_INPUTS }, { parseInput }] = await Promise.all([
        import("./schemas/memory-input.ts"),
        import("../parse-input.ts"),
      ]);
      const parsed = parseInput(MEMORY_INPUTS[name], name, input);
      if ("problem" in parsed) return { text: parsed.problem, isError: true };
      return await refusalAsText(isReadOnly, () => row.execute(parsed.input, context, memory));
    },
  };
}

/** Calls on one topic run in the order in which the model made them. */
function topicOf(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const name: unknown = Reflect.get(input, "name");
  return typeof name === "string" ? slugKey(name) : undefined;
}

async function refusalAsText(
  isReadOnly: boolean,
  action: () => Promise<ToolResult>,
): Promise<ToolResult> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    const what = isReadOnly ? "That did not work" : "Nothing was changed";
    return { text: `${what}: ${error.message}.`, isError: true, data: { code: error.code } };
  }
}
