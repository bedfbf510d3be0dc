import type { Notice, PermissionPolicy, ToolCall, ToolRunner } from "@caliban/agent-core";
import type { MemorySearch } from "@caliban/memory/search";
import type { ToolSet } from "ai";
import type { MemoryToolsInput } from "../memory/memory-tool.ts";
import { createMemoryTools } from "../memory/memory-tools.ts";
import { toAiSdkTools } from "./ai-sdk-tools.ts";

export interface AiSdkMemoryOptions {
  /** Rules besides the default, which allows memory. Pass a function if they can change. */
  readonly policy?: PermissionPolicy | (() => PermissionPolicy) | undefined;
  /** Reports each change to the user. */
  readonly notify?: ((notice: Notice) => void) | undefined;
  /** The session that the history names as the origin of a change. */
  readonly session?: string | undefined;
  /** The search behind MemorySearch. Searches the topics of the store by default. */
  readonly search?: MemorySearch | undefined;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  /** Whether the model only gets the tools that change nothing. */
  readonly readOnly?: boolean | undefined;
}

/**
 * Creates the memory tools for `generateText`, `streamText` and `ToolLoopAgent`, including permissions. Loads what it
 * needs with the first call.
 *
 * @example
 * import { createMapTopicStore } from "@caliban/memory";
 * import { memoryTools } from "@caliban/tools-builtin/ai-sdk";
 *
 * const tools = memoryTools(createMapTopicStore());
 * console.log(Object.keys(tools).join(" "));
 * // ReadMemoryTopic WriteMemoryTopic DeleteMemoryTopic MemorySearch
 */
export function memoryTools(
  store: MemoryToolsInput["store"],
  options: AiSdkMemoryOptions = {},
): ToolSet {
  const { policy, notify, session, search, now, readOnly = false } = options;
  const all = createMemoryTools({ store, search, now, policy });
  const tools = readOnly ? all.filter(({ isReadOnly }) => isReadOnly) : all;
  let runner: Promise<ToolRunner> | undefined;
  const open = async (): Promise<ToolRunner> => {
    const { createToolRunner } = await import("@caliban/agent-core");
    return createToolRunner({ tools, policy, notify, session });
  };
  const run = async (call: ToolCall): ReturnType<ToolRunner["run"]> => {
    const opened = await (runner ??= open());
    return await opened.run(call);
  };
  return toAiSdkTools(tools, run);
}
