import type { SeenText, Tool, ToolContext, ToolResult } from "../tool.ts";

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
}

const MAX_RECENT_CALLS = 50;
const MAX_SEEN = 200;

/** Collects what the model reads and does. The texts are those of the conversation, so that this takes no space. */
export function createConversationRecord(
  before: SeenText = { userTexts: [], results: [] },
  continued: Pick<ToolContext, "userText" | "recentCalls"> = {},
): ConversationRecord {
  let { userTexts, results } = before;
  let { userText, recentCalls = [] } = continued;
  return {
    current: () => ({ userText, recentCalls, seen: { userTexts, results } }),
    addMessage: (text, startsTurn) => {
      userText = text;
      if (text !== undefined) userTexts = [...userTexts, text].slice(-MAX_SEEN);
      if (!startsTurn) return;
      recentCalls = recentCalls.map((call) => Object.assign({}, call, { isInTurn: false }));
    },
    addCall: ({ tool: { name, permission }, subject, result, isTrusted }) => {
      if (!isTrusted) {
        results = [...results, { tool: name, permission, text: result.text }].slice(-MAX_SEEN);
      }
      if (result.isError === true) return;
      const recent = { tool: name, permission, subject, isInTurn: true };
      recentCalls = [...recentCalls, recent].slice(-MAX_RECENT_CALLS);
    },
  };
}
