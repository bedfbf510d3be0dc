import { decidePermission } from "@caliban/agent-core";
import { errorCode } from "@caliban/common/node";
import { isMemoryError, recalledSlugs } from "@caliban/memory";
import type { OpenedMemorySearch } from "@caliban/memory/node";
import { ALL_MEMORY, memoryPermission } from "@caliban/tools-builtin";
import { type ConversationState, policyOf } from "./state.ts";

/** Finds the topics that may apply to a message, and formats them as a note: a list of one or none. */
export async function recallFor(
  state: ConversationState,
  text: string,
): Promise<readonly string[]> {
  const search = recallSearch(state);
  if (search === undefined || text.trim() === "") return [];
  const known = new Set([...state.recalled, ...state.messages.flatMap(slugsIn)]);
  try {
    const isKnown = (slug: string): boolean =>
      known.has(slug) || memoryPermission(`memory://topics/${slug}`, policyOf(state)) !== "allow";
    const note = await search.recall({ message: text, isKnown });
    if (note === undefined) return [];
    state.recalled = [...known, ...recalledSlugs(note)];
    return [note];
  } catch (error) {
    // The user waits for the answer, which does not need the note.
    if (isMemoryError(error) || errorCode(error) !== undefined) return [];
    throw error;
  }
}

/** Updates the index while the model answers, for the next message. */
export function prepareRecall(state: ConversationState): void {
  recallSearch(state)?.prepare();
}

function slugsIn(message: ConversationState["messages"][number]): readonly string[] {
  return message.role === "user" ? recalledSlugs(message.note ?? "") : [];
}

/** Absent unless auto-memory and recall are on, and the agent may search and read topics without asking. */
function recallSearch(state: ConversationState): OpenedMemorySearch | undefined {
  const { search, project } = state.agent;
  if (project.settings.values["memory.recall"] === "off") return undefined;
  const policy = policyOf(state);
  const maySearch = decidePermission(SEARCH, policy).kind === "allow";
  return maySearch && memoryPermission(ALL_MEMORY, policy) === "allow" ? search : undefined;
}

const SEARCH = { tool: "MemorySearch", permission: "memory.search", isReadOnly: true };
