import { listSessions, type SessionSummary } from "@caliban/sessions/node";
import type { PickItem } from "@caliban/tui";
import { openSessions } from "../../sessions/open-sessions.ts";
import type { SlashInput, SlashResult } from "./slash-command.ts";

/** `/forget TEXT`: sent as a message, because the model finds the topics that say it. */
export async function forget({ rest }: SlashInput): Promise<SlashResult> {
  if (rest === "") return { kind: "error", text: "missing text. Example: /forget how we deploy" };
  return { kind: "send", text: `Forget this: ${rest}` };
}

/** `/clear`: starts a new conversation. */
export async function clear({ conversation }: SlashInput): Promise<SlashResult> {
  await conversation.clear();
  return { kind: "switched", text: "New conversation. Memory reloaded." };
}

/** `/compact [INSTRUCTIONS]`: the conversation reports the outcome itself. */
export async function compact({ conversation, rest }: SlashInput): Promise<SlashResult> {
  if (conversation.messages().length === 0)
    return { kind: "error", text: "nothing to summarize yet" };
  await conversation.compact(rest === "" ? undefined : rest);
  return { kind: "text", text: "" };
}

/** `/resume [ID]`: switches to an earlier conversation, by its id or from a list. */
export async function resume(input: SlashInput): Promise<SlashResult> {
  const { conversation, words } = input;
  const [id] = words;
  if (words.length > 1) {
    return { kind: "error", text: "too many arguments. Usage: /resume <id>" };
  }
  if (id !== undefined) return await switchTo(input, id);
  const sessions = (await storedSessions(input)).filter((each) => each.id !== conversation.id());
  if (sessions.length === 0) {
    return { kind: "error", text: "no earlier conversation in this project" };
  }
  const nowMs = input.invocation.host.now();
  const attended = sessions.filter(({ isUnattended }) => isUnattended !== true);
  // Runs of scripts would bury what the user talked about, unless there is nothing else.
  const listed = attended.length === 0 ? sessions : attended;
  const items = listed.map((session) => sessionItem(session, nowMs));
  const question = `Resume which conversation?${hiddenText(sessions.length - listed.length)}`;
  const picked = await input.user.pick(question, items);
  return picked === undefined ? { kind: "text", text: "" } : await switchTo(input, picked);
}

function hiddenText(count: number): string {
  if (count === 0) return "";
  return ` (not listed: ${count} ${count === 1 ? "run" : "runs"} of caliban -p, see caliban sessions)`;
}

async function switchTo({ conversation }: SlashInput, id: string): Promise<SlashResult> {
  await conversation.resume(id);
  const text = `Resumed conversation ${conversation.id()}. Memory reloaded.`;
  return { kind: "switched", text };
}

async function storedSessions({ invocation }: SlashInput): Promise<readonly SessionSummary[]> {
  return listSessions((await openSessions(invocation)).directory).sessions;
}

/** A stored session as an item to pick. */
export function sessionItem(
  session: Pick<SessionSummary, "id" | "name" | "title" | "updatedMs" | "exchangeCount">,
  nowMs: number,
): PickItem {
  const { id, name, title, updatedMs, exchangeCount: exchanges } = session;
  const count = exchanges === undefined ? "" : `${exchanges} exchange${exchanges === 1 ? "" : "s"}`;
  return {
    value: id,
    // The age comes first, because a narrow screen has no room for the description.
    label: `${shortAge(nowMs - updatedMs).padEnd(4)} ${name ?? title ?? "(untitled)"}`,
    description: count,
  };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** An age in few characters, such as `5m`. A time in the future counts as now. */
export function shortAge(ageMs: number): string {
  if (ageMs < MINUTE_MS) return "now";
  if (ageMs < HOUR_MS) return `${Math.floor(ageMs / MINUTE_MS)}m`;
  if (ageMs < DAY_MS) return `${Math.floor(ageMs / HOUR_MS)}h`;
  return `${Math.floor(ageMs / DAY_MS)}d`;
}
