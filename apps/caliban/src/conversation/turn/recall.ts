import { errorCode } from "@caliban/common/node";
import { isMemoryError } from "@caliban/memory";
import { recallSearch } from "../notes/recall-search.ts";
import { type ConversationState, notesContext } from "./state.ts";

/** The memory that applies to a message, as a list of one note or none. */
export async function recallFor(
  state: ConversationState,
  text: string,
): Promise<readonly string[]> {
  try {
    return [(await state.notes.forMessage(text)) ?? []].flat();
  } catch (error) {
    // The user waits for the answer, which does not need the note.
    if (isMemoryError(error) || errorCode(error) !== undefined) return [];
    throw error;
  }
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
    if (isStarted) return;
    const search = recallSearch(notesContext(state), when === "now" ? "call" : "message");
    if (search === undefined) return;
    isStarted = when === "now";
    search.prepare(when);
    state.notes.onPreparing();
  };
  return { onAnswer: () => prepare("soon"), onToolCall: () => prepare("now") };
}
