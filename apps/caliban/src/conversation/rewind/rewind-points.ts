import { isSummary } from "@caliban/agent-core";
import { parseUserCommand, typedPart } from "@caliban/common";
import type { RewoundWhat } from "@caliban/sessions";
import { createInspection, type FilesPlan } from "../../checkpoints/inspect-files.ts";
import type { ConversationSetup, ConversationState } from "../turn/state.ts";

/** A point to which the user can go back. */
export interface RewindChoice {
  /** `m3` for the moment before a message, `r1` for the moment before a rewind. */
  readonly id: string;
  /** What the user typed then; empty for a rewind. */
  readonly text: string;
  /** `undefined` if it is not known. */
  readonly atMs: number | undefined;
  /** What a rewind restored, if the point is before a rewind. */
  readonly undoes?: RewoundWhat | undefined;
  /** What going back would do to files. */
  readonly files: FilesPlan;
}

/** The points of a conversation, newest first: the last rewind, which can be undone, and the messages of the user. */
export async function rewindChoices(
  { log, agent }: Pick<ConversationState, "log" | "agent">,
  { checkpoints }: Pick<ConversationSetup, "checkpoints">,
): Promise<readonly RewindChoice[]> {
  const timeline = log.timeline();
  const inspect = createInspection(agent.project, (await checkpoints?.load())?.open());
  const messages = timeline
    .points()
    .filter(({ text }) => !isSummary({ role: "user", text }))
    .toReversed();
  const choices: RewindChoice[] = [];
  for (const { id, at, text, what } of [...timeline.rewinds().slice(-1), ...messages]) {
    const atMs = Number.isNaN(Date.parse(at)) ? undefined : Date.parse(at);
    choices.push({ id, atMs, text: typedText(text), undoes: what, files: await inspect(id) });
  }
  return choices;
}

/** What the user typed: without the output or the text of a command. */
function typedText(text: string): string {
  const ran = parseUserCommand(text);
  return ran === undefined ? typedPart(text) : `!${ran.command}`;
}
