import type { Notice, Tool, ToolCall, ToolResult, ToolRunner } from "@caliban/agent-core";
import type { MemoryToolsInput, MemoryToolsStore } from "./memory-tool.ts";
import { createMemoryTools } from "./memory-tools.ts";
import type { MemoryToolName } from "./schemas/memory-input.ts";
import type { MemoryOutputs } from "./schemas/memory-output.ts";

/** Options of the memory tools in a program that has its own agent loop. */
export interface MemoryHostOptions<
  Prefix extends string = string,
  ReadOnly extends boolean = boolean,
> extends Omit<MemoryToolsInput, "store" | "prefix"> {
  /** Put before the name of every tool, so that an agent can use several stores: `user_`. */
  readonly prefix?: Prefix | undefined;
  /** Whether the model only gets the tools that change nothing. */
  readonly readOnly?: ReadOnly | undefined;
  /** Reports each change to the user. */
  readonly notify?: ((notice: Notice) => void) | undefined;
  /** The session that the history names as the origin of a change. */
  readonly session?: string | undefined;
  /**
   * The tools that the model used since the user's last message. A topic names them as its source. Without it, a topic
   * names none, because the tools of your program are unknown here.
   */
  readonly usedTools?: (() => readonly string[]) | undefined;
}

/** A result with typed data. The data of a refusal only has a code, if any. */
export type MemoryToolResult<Name extends MemoryToolName = MemoryToolName> =
  | {
      /** For the model. */
      readonly text: string;
      readonly isError?: false;
      /** The same information for programs. */
      readonly data: MemoryOutputs[Name];
    }
  | { readonly text: string; readonly isError: true; readonly data?: unknown };

/** The tools that change nothing. */
export type ReadingTool = "ReadMemoryTopic" | "MemorySearch";
export type WritingTool = Exclude<MemoryToolName, ReadingTool>;

export interface MemoryHost {
  readonly tools: readonly Tool[];
  readonly run: (call: ToolCall) => Promise<ToolResult>;
}

/** The memory tools with permissions and order. The runner is loaded with the first call. */
export function createMemoryHost(store: MemoryToolsStore, options: MemoryHostOptions): MemoryHost {
  const { policy, notify, session, readOnly = false, usedTools = () => [] } = options;
  const all = createMemoryTools({ ...options, store });
  const tools = readOnly ? all.filter(({ isReadOnly }) => isReadOnly) : all;
  let runner: Promise<ToolRunner> | undefined;
  const open = async (): Promise<ToolRunner> => {
    const { createToolRunner } = await import("@caliban/agent-core");
    // The runner only sees the memory tools, and no messages of the user.
    return createToolRunner({ tools, policy, notify, session, usedTools });
  };
  return {
    tools,
    run: async (call) => {
      const opened = await (runner ??= open());
      return await opened.run(call);
    },
  };
}
