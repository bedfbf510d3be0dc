import { splitArguments, terminalSafeLine } from "@caliban/common";
import type { ArgumentCompletion, CompletionCommand } from "@caliban/tui";
import { errorCode } from "@caliban/common/node";
import type { Invocation } from "../../../command.ts";
import type { Conversation } from "../../../conversation/conversation.ts";
import type { SlashRow } from "../slash/slash-command.ts";
import { isBuiltIn, SLASH_COMMANDS } from "../slash/slash-table.ts";

interface SlashCompletionInput {
  readonly conversation: Conversation;
  readonly invocation: Invocation;
}

/** Lists are made again when they are older than this: each key would read the same files. */
const MAX_AGE_MS = 3000;

/** Completes slash commands and their arguments. Nothing is loaded or read before someone types there. */
export function slashCompletion(input: SlashCompletionInput): {
  readonly commands: readonly CompletionCommand[];
  readonly listMore: () => Promise<readonly CompletionCommand[]>;
} {
  const { now } = input.invocation.host;
  return {
    commands: SLASH_COMMANDS.map((row) => withArguments(row, input)),
    listMore: cached(now, async () => await namedCommands(input)),
  };
}

function withArguments(row: SlashRow, input: SlashCompletionInput): CompletionCommand {
  const { complete: load, ...command } = row;
  if (load === undefined) return command;
  const { now } = input.invocation.host;
  const lists = new Map<string, () => Promise<readonly { name: string; doc: string }[]>>();
  const complete = async (rest: string): Promise<ArgumentCompletion> => {
    const partial = /\S*$/.exec(rest)?.[0] ?? "";
    const lead = rest.slice(0, rest.length - partial.length);
    const key = `${lead}\n${partial.startsWith("-")}`;
    const list =
      lists.get(key) ??
      cached(now, async () => {
        const run = await load();
        return await run({ ...input, words: splitArguments(lead), partial });
      });
    lists.set(key, list);
    return { lead, items: await withoutFailure(list) };
  };
  return { ...command, complete };
}

/** A suggestion that fails is none: the command itself reports what is wrong. */
async function withoutFailure<Item>(
  list: () => Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  try {
    return await list();
  } catch (error) {
    const isExpected =
      error instanceof Error && ("code" in error || errorCode(error) !== undefined);
    if (!isExpected) throw error;
    return [];
  }
}

async function namedCommands(input: SlashCompletionInput): Promise<readonly CompletionCommand[]> {
  const [{ loadNamedTexts }, { namedRows }] = await Promise.all([
    import("../custom/load-named-texts.ts"),
    import("../custom/find-command.ts"),
  ]);
  const texts = await loadNamedTexts({ ...input, isBuiltIn });
  return namedRows(texts, isBuiltIn).map(({ name, argumentHint, description, mark }) => ({
    name,
    operands: argumentHint,
    doc: `(${mark}) ${terminalSafeLine(description)}`,
  }));
}

function cached<Value>(now: () => number, make: () => Promise<Value>): () => Promise<Value> {
  let last: { readonly at: number; readonly value: Promise<Value> } | undefined;
  return async () => {
    if (last === undefined || now() - last.at > MAX_AGE_MS) last = { at: now(), value: make() };
    return await last.value;
  };
}
