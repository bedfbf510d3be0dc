import { readFirstMessage } from "../../apps/caliban/src/commands/chat/headless/input-messages.ts";
import { framedHookText } from "../../apps/caliban/src/hooks/hook-text.ts";
import { type Message, seenInMessages } from "../../packages/agent-core/src/index.ts";
import { renderCommandText, writtenPart } from "../../packages/common/src/index.ts";
import { createCalibanReader } from "../../packages/sessions/src/readers/caliban-reader.ts";
import { typedText } from "../../packages/tools-builtin/src/memory/review/user-words.ts";

type UserMessage = Extract<Message, { readonly role: "user" }>;

/** What the user types in each of the messages. */
export const OWN_TEXT = "Keep the build green.";

const COMMAND = { kind: "command", name: "x", source: "x.md" } as const;
const HOOK = { name: "x", event: "UserPromptSubmit", isRequested: false } as const;

async function piped(typed: string, input: string): Promise<string> {
  const host: Parameters<typeof readFirstMessage>[1] = {
    inputKind: () => "pipe",
    readInputWithin: async () => input,
    command: (words) => words,
  };
  return (await readFirstMessage({ print: true, text: typed }, host)).text ?? "";
}

/** The ways on which a text of others becomes a part of a message. */
export const CHANNELS: Readonly<Record<string, (text: string) => Promise<UserMessage>>> = {
  command: async (body) => ({
    role: "user",
    text: renderCommandText({ ...COMMAND, typed: `/x ${OWN_TEXT}`, body }),
  }),
  "piped input": async (text) => ({ role: "user", text: await piped(OWN_TEXT, text) }),
  "piped input of a command": async (text) => ({
    role: "user",
    text: renderCommandText({ ...COMMAND, typed: await piped(`/x ${OWN_TEXT}`, text), body: text }),
  }),
  "attached file": async (text) => ({
    role: "user",
    text: OWN_TEXT,
    attachments: [{ type: "text", path: "a", text, size: "1 line", tool: "Read" }],
  }),
  hook: async (text) => ({ role: "user", text: OWN_TEXT, note: framedHookText(HOOK, text) }),
};

/** What counts as written by the user: for memory, for files to attach, and for what is learned from the session. */
export function findOwnTexts(message: UserMessage): readonly string[] {
  const { userTexts } = seenInMessages([message], []);
  const record = { type: "message", id: "m1", at: "2026-11-18T12:00:00.000Z", message };
  const learned = createCalibanReader()
    .readLine(JSON.stringify(record))
    .flatMap((each) => (each.role === "user" ? [typedText(each.text)] : []));
  return [...userTexts.map(typedText), writtenPart(message.text), ...learned];
}

/** Whether the conversation counts as one that has read texts of others, in a resumed session and for the pipeline. */
export function isKnownAsForeign(message: UserMessage): boolean {
  const record = { type: "message", id: "m1", at: "2026-11-18T12:00:00.000Z", message };
  const results = createCalibanReader()
    .readLine(JSON.stringify(record))
    .filter(({ role }) => role === "tool");
  const isMarked = message.text.includes("<stdin>");
  const isSeen = seenInMessages([message], []).results.length > 0;
  return isMarked || (results.length > 0 && isSeen);
}
