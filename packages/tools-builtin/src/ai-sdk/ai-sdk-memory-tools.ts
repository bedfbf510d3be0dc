import type { PermissionPolicy, ToolCall, ToolRunner } from "@caliban/agent-core";
import type { MemorySearch } from "@caliban/memory/search";
import type { ToolSet } from "ai";
import type { MemoryToolsInput } from "../memory/memory-tool.ts";
import { createMemoryTools } from "../memory/memory-tools.ts";
import { toAiSdkTools } from "./ai-sdk-tools.ts";

export interface AiSdkMemoryOptions {
  /** Rules beyond that memory is allowed; a function where they can change. */
  readonly policy?: PermissionPolicy | (() => PermissionPolicy) | undefined;
  /** Says one line to the person about each change. */
  readonly notify?: ((line: string) => void) | undefined;
  /** What the history names as the session that made a change. */
  readonly session?: string | undefined;
  /** What MemorySearch looks through; the topics of the store when left out. */
  readonly search?: MemorySearch | undefined;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  /** Whether the model gets only the tools that look. */
  readonly readOnly?: boolean | undefined;
}

/**
 * The memory tools for `generateText`, `streamText` and `ToolLoopAgent`, with what decides over their calls. What that
 * takes is loaded with the first call.
 */
export function memoryTools(
  store: MemoryToolsInput["store"],
  options: AiSdkMemoryOptions = {},
): ToolSet {
  // oxlint-disable-next-line no-restricted-properties -- the default of an argument, for those who need no other clock
  const { policy, notify, session, search, now = Date.now, readOnly = false } = options;
  const all = createMemoryTools({ store, search, now });
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
