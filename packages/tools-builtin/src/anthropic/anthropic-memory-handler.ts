import type { TopicStore } from "@caliban/memory";

/** What of a store the handler needs. */
export type AnthropicMemoryStore = Pick<
  TopicStore,
  "list" | "read" | "edit" | "rename" | "remove" | "index"
>;

export interface AnthropicMemoryOptions {
  /** What the history names as the session that made a change. */
  readonly session?: string | undefined;
  /** Says one line to the person about each change. */
  readonly notify?: ((line: string) => void) | undefined;
  /** Whether the memory can only be looked at. */
  readonly readOnly?: boolean | undefined;
}

/**
 * Anthropic's memory tool (`memory_20250818`) on a store of topics. What comes in is what a model made up, so nothing of
 * it is believed; what comes back is for the model, refusals as well. An exception is a bug.
 */
export interface AnthropicMemoryHandler {
  /** Any of the commands: what `execute` of `anthropic.tools.memory_20250818` in `@ai-sdk/anthropic` wants. */
  readonly execute: (input: unknown) => Promise<string>;
  readonly view: (input: unknown) => Promise<string>;
  readonly create: (input: unknown) => Promise<string>;
  readonly str_replace: (input: unknown) => Promise<string>;
  readonly insert: (input: unknown) => Promise<string>;
  readonly delete: (input: unknown) => Promise<string>;
  readonly rename: (input: unknown) => Promise<string>;
}

/**
 * Serves the memory tool. The handler itself is what `betaMemoryTool` of `@anthropic-ai/sdk` wants. Everything that it
 * takes is loaded with the first call.
 */
export function anthropicMemoryHandler(
  store: AnthropicMemoryStore,
  options: AnthropicMemoryOptions = {},
): AnthropicMemoryHandler {
  const memory = { ...options, store };
  let last: Promise<unknown> = Promise.resolve();
  const run = async (command: string | undefined, input: unknown): Promise<string> => {
    const { runMemoryCommand } = await import("./memory-commands.ts");
    return await runMemoryCommand({ command, input }, memory);
  };
  // A model that creates a file and adds to it in one breath means them in this order.
  const inTurn =
    (command?: string) =>
    (input: unknown): Promise<string> => {
      const turn = last.then(() => run(command, input));
      last = turn.catch(() => undefined);
      return turn;
    };
  return {
    execute: inTurn(),
    view: inTurn("view"),
    create: inTurn("create"),
    str_replace: inTurn("str_replace"),
    insert: inTurn("insert"),
    delete: inTurn("delete"),
    rename: inTurn("rename"),
  };
}
