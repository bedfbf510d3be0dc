import { isMemoryError } from "@caliban/memory";
import { createWriteLimit } from "../memory/write-limit.ts";
import type { AnthropicMemoryOptions, AnthropicMemoryStore } from "./anthropic-memory-handler.ts";
import {
  changeFile,
  createFile,
  deleteFile,
  type MemoryHandlerContext,
  renameFile,
  withPeriod,
} from "./change-memory.ts";
import { type CommandCall, readLine, readRange, readText } from "./command-input.ts";
import { insertAfter, replaceOnce } from "./edit-text.ts";
import { changedLines } from "./file-lines.ts";
import { MemoryCommandError, isMemoryCommandError, quoteLine } from "./memory-command-error.ts";
import { viewMemory } from "./view-memory.ts";

export function createHandlerContext(
  store: AnthropicMemoryStore,
  options: AnthropicMemoryOptions,
): MemoryHandlerContext {
  // oxlint-disable-next-line no-restricted-properties -- as in the other memory tools
  return { ...options, store, countChange: createWriteLimit({ now: Date.now }) };
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
    { isReadOnly: false, run: async (call, memory) => deleteFile(memory, readText(call, "path")) },
  ],
  ["rename", { isReadOnly: false, run: rename }],
]);

/** Runs one command. If no name is given, it is in the input. */
export async function runMemoryCommand(
  { command, input }: { readonly command: string | undefined; readonly input: unknown },
  memory: MemoryHandlerContext,
): Promise<string> {
  try {
    const fields = toFields(input);
    const name = command ?? readText({ command: "the memory tool", fields }, "command");
    return await findCommand(name, memory).run({ command: name, fields }, memory);
  } catch (error) {
    if (isMemoryCommandError(error)) return error.message;
    // The store rejects a change before it changes anything.
    if (isMemoryError(error)) return `Error: ${withPeriod(error)}`;
    throw error;
  }
}

function findCommand(name: string, { readOnly }: MemoryHandlerContext): MemoryCommand {
  const command = COMMANDS.get(name);
  if (command === undefined) {
    const names = [...COMMANDS.keys()].join(", ");
    throw new MemoryCommandError(`Error: Unknown command ${quoteLine(name)}. Use one of: ${names}`);
  }
  if (readOnly === true && !command.isReadOnly) {
    throw new MemoryCommandError(
      `Error: This memory is read-only, so ${name} changed nothing. Continue without it`,
    );
  }
  return command;
}

function toFields(input: unknown): Readonly<Record<string, unknown>> {
  if (typeof input === "object" && input !== null && !Array.isArray(input)) {
    return Object.fromEntries(Object.entries(input));
  }
  throw new MemoryCommandError("Error: The input must be an object with a command and a path");
}

async function view(call: CommandCall, { store }: MemoryHandlerContext): Promise<string> {
  return await viewMemory(store, {
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
  const { edited, text, notes } = await changeFile(memory, {
    path,
    command: "str_replace",
    missing: `Error: The path ${quoteLine(path)} does not exist. Please provide a valid path.`,
    change: (before) => replaceOnce(before, { path, oldText, newText }),
  });
  const snippet = changedLines(text, edited.firstLine, edited.lines);
  return `The memory file has been edited.\n${snippet}${notes}`;
}

async function insert(call: CommandCall, memory: MemoryHandlerContext): Promise<string> {
  const [path, line] = [readText(call, "path"), readLine(call, "insert_line")];
  const inserted = readText(call, "insert_text");
  const { notes } = await changeFile(memory, {
    path,
    command: "insert",
    missing: `Error: The path ${quoteLine(path)} does not exist`,
    change: (before) => insertAfter(before, line, inserted),
  });
  return `The file ${path} has been edited.${notes}`;
}

async function rename(call: CommandCall, memory: MemoryHandlerContext): Promise<string> {
  return await renameFile(memory, {
    from: readText(call, "old_path"),
    to: readText(call, "new_path"),
  });
}
