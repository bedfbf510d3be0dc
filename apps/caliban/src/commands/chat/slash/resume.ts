import { listSessions, type SessionSummary } from "@caliban/sessions/node";
import { openSessions } from "../../sessions/open-sessions.ts";
import { sessionLabel } from "./session-label.ts";
import type { SlashInput, SlashResult } from "./slash-command.ts";

/** `/resume [ID]`: an earlier conversation, by its id or from a list. */
export async function resume(input: SlashInput): Promise<SlashResult> {
  const { conversation, words } = input;
  const [id] = words;
  if (words.length > 1) {
    return { kind: "mistake", text: "It is /resume <id>, with nothing behind it." };
  }
  if (id !== undefined) return await goOn(input, id);
  const sessions = (await storedSessions(input)).filter((each) => each.id !== conversation.id());
  if (sessions.length === 0) {
    return { kind: "mistake", text: "There is no earlier conversation in this project." };
  }
  const nowMs = input.invocation.host.now();
  const items = sessions.map((session) => sessionLabel(session, nowMs));
  const picked = await input.person.pick("Go on with which conversation? (Esc: none)", items);
  return picked === undefined ? { kind: "text", text: "" } : await goOn(input, picked);
}

async function goOn({ conversation }: SlashInput, id: string): Promise<SlashResult> {
  await conversation.resume(id);
  const text = `Back in the conversation ${conversation.id()}. Memory was read again.`;
  return { kind: "renewed", text };
}

async function storedSessions({ invocation }: SlashInput): Promise<readonly SessionSummary[]> {
  return listSessions((await openSessions(invocation)).directory).sessions;
}
