import { decidePermission } from "@caliban/agent-core";
import { errorCode } from "@caliban/common/node";
import { MemoryError, recalledSlugs, recallNote } from "@caliban/memory";
import type { DeferredSearch } from "../../project/search/deferred-search.ts";
import { type ConversationState, policyOf } from "../state.ts";
import { topicPermission, topicsPermission } from "../../../../../packages/tools-builtin/src/memory/topic-permission.ts";

/** The note of what is remembered that may apply to a message; a list of one, or of none. */
export async function recallFor(
  state: ConversationState,
  text: string,
): Promise<readonly string[]> {
  const search = searchOf(state);
  if (search === undefined || text.trim() === "") return [];
  const known = new Set([...state.recalled, ...state.messages.flatMap(namedIn)]);
  try {
    const isKnown = (slug: string): boolean =>
      known.has(slug) || topicPermission(slug, policyOf(state)) !== "allow";
    const topics = await search.recall({ message: text, isKnown });
    const note = recallNote(topics);
    if (note === undefined) return [];
    state.recalled = [...known, ...recalledSlugs(note)];
    return [note];
  } catch (error) {
    // The person waits for an answer, and not for what may help with it.
    if (error instanceof MemoryError || errorCode(error) !== undefined) return [];
    throw error;
  }
}

/** Brings the index up to date beside the answer, for the next message. */
export function prepareRecall(state: ConversationState): void {
  searchOf(state)?.prepare();
}

function namedIn(message: ConversationState["messages"][number]): readonly string[] {
  return message.role === "user" ? recalledSlugs(message.note ?? "") : [];
}

/** Only where notes are kept and wished for, and where the agent may look at them without a question. */
function searchOf(state: ConversationState): DeferredSearch | undefined {
  const { search, project } = state.agent;
  if (project.settings.values["memory.recall"] === "off") return undefined;
  const policy = policyOf(state);
  const maySearch = decidePermission(SEARCHING, policy).kind === "allow";
  return maySearch && topicsPermission(policy) === "allow" ? search : undefined;
}

const SEARCHING = { tool: "MemorySearch", permission: "memory.search", isReadOnly: true };
