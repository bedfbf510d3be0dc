import { typedPart } from "@caliban/common";
import { seenInCommand } from "../prompt/seen-command.ts";
import type { RecentCall, SeenResult, SeenText, Tool, ToolContext, ToolResult } from "../tool.ts";

/** A call that has run. */
interface RecordedCall {
  readonly tool: Tool;
  readonly subject: string | undefined;
  readonly result: ToolResult;
  readonly isTrusted: boolean;
}

/** What a tool may know about the conversation so far. */
interface ConversationRecord {
  readonly current: () => Pick<ToolContext, "userText" | "recentCalls" | "seen">;
  readonly addMessage: (text: string | undefined, startsTurn: boolean) => void;
  readonly addCall: (call: RecordedCall) => void;
  /** Adds a text that neither the user nor a tool wrote. */
  readonly addText: (result: SeenResult) => void;
}

const MAX_RECENT_CALLS = 50;
const MAX_SEEN = 200;

/** Collects what the model reads and does. The texts are those of the conversation, so that this takes no space. */
export function createConversationRecord(
  before: SeenText = { userTexts: [], results: [] },
): ConversationRecord {
  let { userTexts, results } = before;
  let userText: string | undefined;
  let recentCalls: readonly RecentCall[] = [];
  const addText = (result: SeenResult): void => {
    results = [...results, result].slice(-MAX_SEEN);
  };
  return {
    current: () => ({ userText, recentCalls, seen: { userTexts, results } }),
    addMessage: (text, startsTurn) => {
      userText = text === undefined ? undefined : typedPart(text);
      if (userText !== undefined) userTexts = [...userTexts, userText].slice(-MAX_SEEN);
      const read = text === undefined ? undefined : seenInCommand(text);
      if (read !== undefined) results = [...results, read].slice(-MAX_SEEN);
      if (!startsTurn) return;
      recentCalls = recentCalls.map((call) => Object.assign({}, call, { isInTurn: false }));
    },
    addCall: ({ tool: { name, permission }, subject, result, isTrusted }) => {
      if (!isTrusted) addText({ tool: name, permission, text: result.text });
      if (result.isError === true) return;
      const recent = { tool: name, permission, subject, isInTurn: true };
      recentCalls = [...recentCalls, recent].slice(-MAX_RECENT_CALLS);
    },
    addText,
  };
}
