import { join } from "node:path";
import { type Invocation, NO_OPTIONS } from "../../../../src/command.ts";
import { parseSlash, type ScreenUser } from "@caliban/tui";
import { atPrompt } from "../../../../src/commands/chat/slash/captured-run.ts";
import { runSlash } from "../../../../src/commands/chat/slash/run-slash.ts";
import type { SlashResult } from "../../../../src/commands/chat/slash/slash-command.ts";
import { SLASH_COMMANDS } from "../../../../src/commands/chat/slash/slash-table.ts";
import type { Machine } from "../../../fake-host.ts";
import { fakeConversation, type FakeInput } from "../fake-conversation.ts";

/** A prompt at which slash commands are typed. */
interface Prompt {
  readonly type: (line: string) => Promise<SlashResult>;
  readonly log: readonly string[];
  readonly asked: readonly string[];
}

/** The result of a command with its text. */
export async function said(
  result: Promise<SlashResult>,
): Promise<{ readonly kind: string; readonly text: string }> {
  return { text: "", ...(await result) };
}

/** A prompt on a machine, with a user who agrees to everything. */
export async function prompt(
  place: Machine,
  answers: Partial<ScreenUser> = {},
  { invocation = {}, ...fake }: FakeInput & { readonly invocation?: Partial<Invocation> } = {},
): Promise<Prompt> {
  const receipt = { workspaceRoot: join(place.home, "app") };
  const { open, log } = fakeConversation({ receipt, ...fake });
  const conversation = await open();
  const asked: string[] = [];
  const user: ScreenUser = {
    progress: () => undefined,
    onInterrupt: () => () => undefined,
    confirm: async (question, text = "") => {
      asked.push(`${text}${question}`);
      return true;
    },
    choose: async () => undefined,
    pick: async () => undefined,
    suspend: async (action) => await action(),
    ...answers,
  };
  const typed = { ...NO_OPTIONS, host: atPrompt(place.host), ...invocation };
  return {
    type: async (line) => {
      const parsed = parseSlash(line, SLASH_COMMANDS);
      if (parsed === undefined) throw new Error(`not a slash command: ${line}`);
      return await runSlash(parsed, { conversation, invocation: typed, user });
    },
    log,
    asked,
  };
}
