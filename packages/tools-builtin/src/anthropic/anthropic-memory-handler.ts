import type { Notice } from "@caliban/agent-core";
import { createQueue } from "@caliban/common";
import type { TopicStore } from "@caliban/memory";
import type { MemoryHandlerContext } from "./handler-context.ts";

/** The part of a topic store that the handler needs. */
export type AnthropicMemoryStore = Pick<
  TopicStore,
  "list" | "read" | "edit" | "rename" | "remove" | "index"
>;

export interface AnthropicMemoryOptions {
  /** The session that the history names as the origin of a change. */
  readonly session?: string | undefined;
  /** Which agent makes the changes, for the history of a store that several use. */
  readonly agent?: string | undefined;
  /** Which user the agent works for, for the history of a store that several use. */
  readonly user?: string | undefined;
  /** Reports each change to the user. */
  readonly notify?: ((notice: Notice) => void) | undefined;
  /** Whether the memory can only be viewed. */
  readonly readOnly?: boolean | undefined;
  /**
   * What a failed command does; `throw` if left out. Both SDKs turn an error into a result with `is_error`. Use `return` if
   * your own loop sends the text as it is: it then starts with `Error: `.
   */
  readonly onError?: "throw" | "return" | undefined;
}

/**
 * Anthropic's memory tool (`memory_20250818`) on a topic store. The input comes from a model and is fully validated. The
 * returned text is for the model, and so is the message of an error whose `code` is `COMMAND_FAILED`. Any other error is a
 * bug.
 */
export interface AnthropicMemoryHandler {
  /** Runs any of the commands. Pass it as `execute` to `anthropic.tools.memory_20250818` of `@ai-sdk/anthropic`. */
  readonly execute: (input: unknown) => Promise<string>;
  readonly view: (input: unknown) => Promise<string>;
  readonly create: (input: unknown) => Promise<string>;
  readonly str_replace: (input: unknown) => Promise<string>;
  readonly insert: (input: unknown) => Promise<string>;
  readonly delete: (input: unknown) => Promise<string>;
  readonly rename: (input: unknown) => Promise<string>;
}

/**
 * Creates a handler for Anthropic's memory tool. Pass it to `betaMemoryTool` of `@anthropic-ai/sdk`. It behaves like the
 * file system tool of that SDK: files have any name and any text, in any directory. Each is a topic, whose header the model
 * does not see. Loads what it needs with the first call.
 *
 * @example
 * import { createMapTopicStore } from "@caliban/memory";
 * import { anthropicMemoryHandler } from "@caliban/tools-builtin/anthropic";
 *
 * const handler = anthropicMemoryHandler(createMapTopicStore());
 * const path = "/memories/app/deploy.txt";
 * await handler.create({ path, file_text: "Migrations first.\n" });
 * const text = await handler.execute({ command: "view", path });
 * console.log(text.includes("Migrations first.")); // true
 */
export function anthropicMemoryHandler(
  store: AnthropicMemoryStore,
  options: AnthropicMemoryOptions = {},
): AnthropicMemoryHandler {
  // Callers in plain JavaScript get a message they can act on.
  if (store === undefined) throw new Error("anthropicMemoryHandler requires a topic store");
  let context: MemoryHandlerContext | undefined;
  // A model that creates a file and edits it in one message means this order.
  const enqueue = createQueue();
  const runCommand =
    (command?: string) =>
    (input: unknown): Promise<string> =>
      enqueue(async () => {
        const { createHandlerContext, runMemoryCommand } = await import("./memory-commands.ts");
        context ??= createHandlerContext(store, options);
        return await runMemoryCommand({ command, input }, context);
      });
  return {
    execute: runCommand(),
    view: runCommand("view"),
    create: runCommand("create"),
    str_replace: runCommand("str_replace"),
    insert: runCommand("insert"),
    delete: runCommand("delete"),
    rename: runCommand("rename"),
  };
}
