import type { Tool, ToolExecuteFunction } from "ai";
import {
  createMemoryHost,
  type MemoryHostOptions,
  type MemoryToolResult,
  type ReadingTool,
  type WritingTool,
} from "../memory/memory-host.ts";
import type { MemoryToolsStore } from "../memory/memory-tool.ts";
import type { MemoryInputs, MemoryToolName } from "../memory/schemas/memory-input.ts";
import { toStaticTools } from "./ai-sdk-tools.ts";

export type AiSdkMemoryOptions<
  Prefix extends string = string,
  ReadOnly extends boolean = boolean,
> = MemoryHostOptions<Prefix, ReadOnly>;

/** A memory tool with the types of its input and its result. */
export type AiSdkMemoryTool<Name extends MemoryToolName> = Tool<
  MemoryInputs[Name],
  MemoryToolResult<Name>,
  Record<string, unknown>
> & {
  readonly execute: ToolExecuteFunction<
    MemoryInputs[Name],
    MemoryToolResult<Name>,
    Record<string, unknown>
  >;
};

/** The memory tools by name. If `readOnly` is not known to the compiler, only those that are always there. */
export type AiSdkMemoryTools<Prefix extends string = "", ReadOnly extends boolean = false> = {
  [
    Name in ReadingTool | ([ReadOnly] extends [false] ? WritingTool : never) as `${Prefix}${Name}`
  ]: AiSdkMemoryTool<Name>;
};

/**
 * Creates the memory tools for `generateText`, `streamText` and `ToolLoopAgent`, including permissions. Loads what it
 * needs with the first call.
 *
 * @example
 * import { createMapTopicStore } from "@caliban/memory";
 * import { memoryTools } from "@caliban/tools-builtin/ai-sdk";
 *
 * const [project, user] = [createMapTopicStore(), createMapTopicStore({ scope: "user" })];
 * const tools = { ...memoryTools(project), ...memoryTools(user, { prefix: "user_", readOnly: true }) };
 * console.log(Object.keys(tools).join(" "));
 * // ReadMemoryTopic WriteMemoryTopic DeleteMemoryTopic MemorySearch user_ReadMemoryTopic user_MemorySearch
 */
export function memoryTools<
  const Prefix extends string = "",
  const ReadOnly extends boolean = false,
>(
  store: MemoryToolsStore,
  options: AiSdkMemoryOptions<Prefix, ReadOnly> = {},
): AiSdkMemoryTools<Prefix, ReadOnly> {
  const { tools, run } = createMemoryHost(store, options);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- names and types come from one definition
  return toStaticTools(tools, run) as unknown as AiSdkMemoryTools<Prefix, ReadOnly>;
}
