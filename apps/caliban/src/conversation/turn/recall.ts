import { errorCode } from "@caliban/common/node";
import { isMemoryError, recalledSlugs } from "@caliban/memory";
import { memoryPermission } from "@caliban/tools-builtin";
import { recallSearch } from "../notes/recall-search.ts";
import { type ConversationState, notesContext, policyOf } from "./state.ts";

/**
 * The memory that applies to a message, as a list of one note or none: its own words if the index is loaded, otherwise the
 * names of topics.
 */
export async function recallFor(
  state: ConversationState,
  text: string,
): Promise<readonly string[]> {
  try {
    return [(await state.notes.forMessage(text)) ?? (await recallTopics(state, text)) ?? []].flat();
  } catch (error) {
    // The user waits for the answer, which does not need the note.
    if (isMemoryError(error) || errorCode(error) !== undefined) return [];
    throw error;
  }
}

async function recallTopics(state: ConversationState, text: string): Promise<string | undefined> {
  const search = recallSearch(notesContext(state), "message");
  if (search === undefined || text.trim() === "") return undefined;
  const policy = policyOf(state);
  const named = new Set([...state.recalled, ...state.messages.flatMap(slugsIn)]);
  const isKnown = (slug: string): boolean => {
    const address = `memory://topics/${slug}`;
    const isShown = named.has(slug) || state.notes.has(address);
    return isShown || memoryPermission(address, policy) !== "allow";
  };
  const note = await search.recall({ message: text, isKnown });
  if (note !== undefined) state.recalled = [...named, ...recalledSlugs(note)];
  return note;
}

/** Updates the index while the model answers. */
export interface RecallPreparation {
  /** For the next message. Waits a moment, because the program may end with this answer. */
  readonly onAnswer: () => void;
  /** For the calls of this turn, so without a moment to lose. */
  readonly onToolCall: () => void;
}

/** Prepares recall once in a turn: what the turn itself changes is not news to the model. */
export function createRecallPreparation(state: ConversationState): RecallPreparation {
  let isStarted = false;
  const prepare = (when: "soon" | "now"): void => {
    const search = recallSearch(notesContext(state), when === "now" ? "call" : "message");
    if (isStarted || search === undefined) return;
    isStarted = when === "now";
    search.prepare(when);
    state.notes.onPreparing();
  };
  return { onAnswer: () => prepare("soon"), onToolCall: () => prepare("now") };
}

function slugsIn(message: ConversationState["messages"][number]): readonly string[] {
  return message.role === "user" ? recalledSlugs(message.note ?? "") : [];
}
