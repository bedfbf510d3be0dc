import { join } from "node:path";
import { type Invocation, NO_OPTIONS } from "../../../../src/command.ts";
import { runSlash } from "../../../../src/commands/chat/slash/run-slash.ts";
import type { SlashResult } from "../../../../src/commands/chat/slash/slash-command.ts";
import type { SlashPerson } from "../../../../src/commands/chat/slash/slash-person.ts";
import type { Machine } from "../../../fake-host.ts";
import { fakeConversation, type FakeInput } from "../fake-conversation.ts";

/** A prompt at which slash commands are typed. */
interface Prompt {
  readonly type: (line: string) => Promise<SlashResult>;
  readonly log: readonly string[];
  readonly asked: readonly string[];
}

/** What a command answered, in words. */
export async function said(
  result: Promise<SlashResult>,
): Promise<{ readonly kind: string; readonly text: string }> {
  return { text: "", ...(await result) };
}

/** A prompt on a machine, with a person who says yes. */
export async function prompt(
  place: Machine,
  answers: Partial<SlashPerson> = {},
  { invocation = {}, ...fake }: FakeInput & { readonly invocation?: Partial<Invocation> } = {},
): Promise<Prompt> {
  const receipt = { workspaceRoot: join(place.home, "app") };
  const { open, log } = fakeConversation({ receipt, ...fake });
  const conversation = await open({
    emit: () => undefined,
    notify: () => undefined,
    ask: async () => "no",
    askImport: async () => "no",
    askServer: async () => "no",
  });
  const asked: string[] = [];
  const person: SlashPerson = {
    progress: () => undefined,
    onInterrupt: () => () => undefined,
    confirm: async (question, text = "") => {
      asked.push(`${text}${question}`);
      return true;
    },
    pick: async () => undefined,
    lend: async (use) => await use(),
    ...answers,
  };
  const typed = { ...NO_OPTIONS, host: place.host, ...invocation };
  return {
    type: async (line) => await runSlash(line, { conversation, invocation: typed, person }),
    log,
    asked,
  };
}
