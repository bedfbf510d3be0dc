import type { RewoundWhat } from "@caliban/sessions";
import type { ShownStep } from "../../checkpoints/inspect-files.ts";
import type { OpenCheckpoints } from "../../checkpoints/checkpoints.ts";
import type { RewindFilesInput, RewoundFiles } from "../../checkpoints/rewind-files.ts";
import { UsageError } from "../../usage-error.ts";
import { reopenAgent } from "../open/open-agent.ts";
import { continueWith, type ConversationSetup, type ConversationState } from "../turn/state.ts";

export interface RewindRequest {
  /** The id of a point. */
  readonly to: string;
  readonly what: RewoundWhat;
  /** The steps to carry out, as the user has seen them. */
  readonly steps: readonly ShownStep[];
}

export interface RewindResult {
  readonly files: RewoundFiles;
  /** False if it was not requested, or if files could not be brought back. */
  readonly isConversationRewound: boolean;
}

const NO_FILES: RewoundFiles = { restored: [], removed: [], failed: [] };

/**
 * Goes back to an earlier point. Files come first: if one of them cannot be brought back, the conversation stays, so that
 * the same rewind can be repeated.
 * @throws UsageError for a point that is not known
 */
export async function rewind(
  state: ConversationState,
  setup: ConversationSetup,
  { to, what, steps }: RewindRequest,
): Promise<RewindResult> {
  const { log } = state;
  const messages = log.timeline().before(to);
  if (messages === undefined)
    throw new UsageError(`this conversation has no point ${JSON.stringify(to)}`);
  const checkpoints = (await setup.checkpoints?.load())?.open();
  const last = Math.max(log.timeline().position().rewinds, checkpoints?.position().rewinds ?? 0);
  const number = last + 1;
  const nowMs = setup.clock.nowMs();
  const files = await changeFiles(checkpoints, { steps, to, what, number, nowMs });
  const isBlocked = files.failed.length > 0;
  const isConversationRewound = what !== "files" && !isBlocked;
  const isAnyFileChanged = files.restored.length + files.removed.length > 0;
  if (!isConversationRewound && !isAnyFileChanged) return { files, isConversationRewound };
  await state.notes.storeUses();
  const done = isConversationRewound ? what : "files";
  log.record({ type: "rewound", id: `r${number}`, to, what: done });
  await log.ready();
  if (!isConversationRewound) {
    state.pendingNotes = [...state.pendingNotes, filesNote(files)];
    return { files, isConversationRewound };
  }
  // A new prompt, as after a resume: the model no longer knows the files and instructions that it has read since.
  const agent = await reopenAgent(state.agent.project, setup);
  await continueWith(state, setup, { agent, messages });
  return { files, isConversationRewound };
}

async function changeFiles(
  checkpoints: OpenCheckpoints | undefined,
  input: RewindFilesInput,
): Promise<RewoundFiles> {
  if (input.what === "conversation" || input.steps.length === 0 || checkpoints === undefined)
    return NO_FILES;
  const { rewindFiles } = await import("../../checkpoints/rewind-files.ts");
  return await rewindFiles(checkpoints, input);
}

const MAX_NAMED = 20;

/** The model would rely on what it has written. */
function filesNote({ restored, removed }: RewoundFiles): string {
  const all = [...restored, ...removed];
  const named = all.slice(0, MAX_NAMED).map((name) => JSON.stringify(name));
  const more = all.length > MAX_NAMED ? ` and ${all.length - MAX_NAMED} more` : "";
  return `[The user took back changes of these files: ${named.join(", ")}${more}. Read them again before you rely on them.]`;
}
