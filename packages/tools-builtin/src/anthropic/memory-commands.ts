import { isMemoryError } from "@caliban/memory";
import { createWriteLimit } from "../memory/write-limit.ts";
import type { AnthropicMemoryOptions, AnthropicMemoryStore } from "./anthropic-memory-handler.ts";
import { changeFile, createFile, withWarning } from "./change-file.ts";
import { deletePath, renamePath } from "./change-paths.ts";
import { type CommandCall, readLine, readRange, readText } from "./command-input.ts";
import { insertAfter, replaceOnce } from "./edit-text.ts";
import { changedLines } from "./file-lines.ts";
import type { MemoryHandlerContext } from "./handler-context.ts";
import { isMemoryCommandError, MemoryCommandError, quoteLine } from "./memory-command-error.ts";
import { createView } from "./view-memory.ts";

export function createHandlerContext(
  store: AnthropicMemoryStore,
  options: AnthropicMemoryOptions,
): MemoryHandlerContext {
  // oxlint-disable-next-line no-restricted-properties -- as in the other memory tools
  const now = Date.now;
  return {
    ...options,
    store,
    view: createView(store),
    now,
    countChange: createWriteLimit({ now }),
  };
}

interface MemoryCommand {
  readonly isReadOnly: boolean;
  readonly run: (call: CommandCall, memory: MemoryHandlerContext) => Promise<string>;
}

/** The commands of the tool. Each takes unvalidated fields and returns text for the model. */
const COMMANDS: ReadonlyMap<string, MemoryCommand> = new Map<string, MemoryCommand>([
  ["view", { isReadOnly: true, run: view }],
  ["create", { isReadOnly: false, run: create }],
  ["str_replace", { isReadOnly: false, run: replace }],
  ["insert", { isReadOnly: false, run: insert }],
  [
    "delete",
    { isReadOnly: false, run: async (call, memory) => deletePath(memory, readText(call, "path")) },
  ],
  ["rename", { isReadOnly: false, run: rename }],
]);

/**
 * Runs one command. If no name is given, it is in the input.
 * @throws MemoryCommandError for everything that the model should know; anything else is a bug
 */
export async function runMemoryCommand(
  { command, input }: { readonly command: string | undefined; readonly input: unknown },
  memory: MemoryHandlerContext,
): Promise<string> {
  try {
    const fields = toFields(input);
    const name = command ?? readText({ command: "the memory tool", fields }, "command");
    return await findCommand(name, memory).run({ command: name, fields }, memory);
  } catch (error) {
    const failure = toCommandError(error);
    // The Anthropic SDK adds the same word to the message of an error.
    if (memory.onError === "return") return `Error: ${failure.message}`;
    throw failure;
  }
}

/** The store rejects a change before it changes anything. */
function toCommandError(error: unknown): MemoryCommandError {
  if (isMemoryCommandError(error)) return error;
  if (!isMemoryError(error)) throw error;
  const { message } = error;
  return new MemoryCommandError(message.endsWith(".") ? message : `${message}.`, { cause: error });
}

function findCommand(name: string, { readOnly }: MemoryHandlerContext): MemoryCommand {
  const command = COMMANDS.get(name);
  if (command === undefined) {
    const names = [...COMMANDS.keys()].join(", ");
    throw new MemoryCommandError(`Unknown command ${quoteLine(name)}. Use one of: ${names}`);
  }
  if (readOnly === true && !command.isReadOnly) {
    throw new MemoryCommandError(
      `This memory is read-only, so ${name} changed nothing. Continue without it`,
    );
  }
  return command;
}

function toFields(input: unknown): Readonly<Record<string, unknown>> {
  if (typeof input === "object" && input !== null && !Array.isArray(input)) {
    return Object.fromEntries(Object.entries(input));
  }
  throw new MemoryCommandError("The input must be an object with a command and a path");
}

async function view(call: CommandCall, memory: MemoryHandlerContext): Promise<string> {
  return await memory.view({
    path: readText(call, "path"),
    range: readRange(call, "view_range"),
  });
}

async function create(call: CommandCall, memory: MemoryHandlerContext): Promise<string> {
  return await createFile(memory, {
    path: readText(call, "path"),
    text: readText(call, "file_text"),
  });
}

async function replace(call: CommandCall, memory: MemoryHandlerContext): Promise<string> {
  const [path, oldText] = [readText(call, "path"), readText(call, "old_str")];
  // Omitting it deletes the text.
  const newText = call.fields["new_str"] === undefined ? "" : readText(call, "new_str");
  const { text, line, warning } = await changeFile(memory, {
    path,
    command: "str_replace",
    change: (before) => replaceOnce(before, { path, oldText, newText }),
  });
  const snippet = changedLines(text, line);
  return withWarning(
    `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${snippet}`,
    warning,
  );
}

async function insert(call: CommandCall, memory: MemoryHandlerContext): Promise<string> {
  const [path, line] = [readText(call, "path"), readLine(call, "insert_line")];
  const inserted = readText(call, "insert_text");
  const { warning } = await changeFile(memory, {
    path,
    command: "insert",
    change: (before) => insertAfter(before, line, inserted),
  });
  return withWarning(`The file ${quoteLine(path)} has been edited.`, warning);
}

async function rename(call: CommandCall, memory: MemoryHandlerContext): Promise<string> {
  return await renamePath(memory, {
    from: readText(call, "old_path"),
    to: readText(call, "new_path"),
  });
}
