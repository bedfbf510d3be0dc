import type { ProposalReason } from "@caliban/memory";
import { FROM_USER, isAboutCode, kindOf, readConversation } from "./conversation-words.ts";
import type { ReadConversation } from "./conversation-words.ts";
import { splitStatements } from "./statements.ts";

/** Why a statement waits for the user; `undefined` if it can be learned. */
export type LearnedReview = (statement: string) => ProposalReason | undefined;

/**
 * Decides what a program may learn from a conversation that has ended. As in a conversation, a statement must be in the
 * user's words or describe code, if there was any text that is not the user's.
 */
export function createLearnedReview(conversation: ReadConversation): LearnedReview {
  const words = readConversation(conversation);
  if (!words.isTainted) return () => undefined;
  return (text) => {
    const kinds = splitStatements(text).map((statement) => kindOf(statement, words));
    if (kinds.length === 0) return undefined;
    if (kinds.includes("security")) return "SECURITY";
    if (kinds.includes("instruction")) return "INSTRUCTION";
    if (kinds.includes("opaque") || kinds.includes("unclear")) return "NOT_REQUESTED";
    const isUsers = kinds.includes("user") && kinds.every((kind) => FROM_USER.has(kind));
    return isUsers || isAboutCode(text, conversation.seen) ? undefined : "NOT_REQUESTED";
  };
}
