import type { CancelSignal } from "@caliban/agent-core";
import {
  createMemoryHost,
  type MemoryHostOptions,
  type MemoryToolResult,
  type ReadingTool,
  type WritingTool,
} from "../memory/memory-host.ts";
import type { MemoryToolsStore } from "../memory/memory-tool.ts";
import type { MemoryInputs, MemoryToolName } from "../memory/schemas/memory-input.ts";

export interface MastraMemoryOptions<
  Prefix extends string = string,
  ReadOnly extends boolean = boolean,
> extends MemoryHostOptions<Prefix, ReadOnly> {
  /** The tools that Mastra asks the user about; none if left out. */
  readonly requireApproval?: readonly WritingTool[] | undefined;
}

/** A memory tool that fits `tools` of a Mastra agent. */
export interface MastraMemoryTool<Name extends MemoryToolName> {
  id: string;
  description: string;
  inputSchema: { type: "object"; [key: string]: unknown };
  requireApproval: boolean;
  execute: (
    input: MemoryInputs[Name],
    context?: { readonly abortSignal?: CancelSignal | undefined },
  ) => Promise<MemoryToolResult<Name>>;
  toModelOutput: (output: MemoryToolResult<Name>) => {
    type: "text" | "error-text";
    value: string;
  };
}

/** The memory tools by name. If `readOnly` is not known to the compiler, only those that are always there. */
export type MastraMemoryTools<Prefix extends string = "", ReadOnly extends boolean = false> = {
  [
    Name in ReadingTool | ([ReadOnly] extends [false] ? WritingTool : never) as `${Prefix}${Name}`
  ]: MastraMemoryTool<Name>;
};

/**
 * Creates the memory tools for an agent of Mastra, including permissions. Mastra itself is not loaded.
 *
 * @example
 * import { createMapTopicStore } from "@caliban/memory";
 * import { memoryTools } from "@caliban/tools-builtin/mastra";
 *
 * const tools = memoryTools(createMapTopicStore(), { requireApproval: ["DeleteMemoryTopic"] });
 * console.log(tools.DeleteMemoryTopic.requireApproval); // true
 */
export function memoryTools<
  const Prefix extends string = "",
  const ReadOnly extends boolean = false,
>(
  store: MemoryToolsStore,
  options: MastraMemoryOptions<Prefix, ReadOnly> = {},
): MastraMemoryTools<Prefix, ReadOnly> {
  const { prefix = "", requireApproval = [] } = options;
  const { tools, run } = createMemoryHost(store, options);
  const asked = new Set(requireApproval.map((name) => `${prefix}${name}`));
  const entries = tools.map(({ name, description, inputSchema }) => [
    name,
    {
      id: name,
      description,
      inputSchema: { ...inputSchema, type: "object" },
      requireApproval: asked.has(name),
      execute: (input: unknown, context?: { readonly abortSignal?: CancelSignal | undefined }) =>
        run({ name, input, signal: context?.abortSignal }),
      toModelOutput: ({ text, isError }: MemoryToolResult) => ({
        type: isError === true ? "error-text" : "text",
        value: text,
      }),
    },
  ]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- names and types come from one definition
  return Object.fromEntries(entries) as MastraMemoryTools<Prefix, ReadOnly>;
}
