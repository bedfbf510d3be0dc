import { typedPart } from "@caliban/common";
import type { Attachment } from "../message.ts";
import { seenInCommand } from "../prompt/seen-command.ts";
import { seenInImages } from "../prompt/seen-text.ts";
import type { SeenResult, SeenText, Tool, ToolContext, ToolResult } from "../tool.ts";

/** A call that has run. */
interface RecordedCall {
  readonly tool: Tool;
  readonly subject: string | undefined;
  readonly result: ToolResult;
  readonly isTrusted: boolean;
}

/** What a tool may know about the conversation so far. */
export interface ConversationRecord {
  readonly current: () => Pick<ToolContext, "userText" | "recentCalls" | "seen">;
  readonly addMessage: (text: string | undefined, startsTurn: boolean) => void;
  readonly addCall: (call: RecordedCall) => void;
  /** Adds a text that neither the user nor a tool wrote. */
  readonly addTextOfOthers: (text: string) => void;
  /** Adds what came with a message and was not read by a tool, such as an image that the user pasted. */
  readonly addAttachments: (attachments: readonly Attachment[]) => void;
}

/** For those who judge where the model got its input from. */
const OTHERS = { tool: "hook", permission: "hook.run" } as const;
const MAX_RECENT_CALLS = 50;
const MAX_SEEN = 200;

/** Collects what the model reads and does. The texts are those of the conversation, so that this takes no space. */
export function createConversationRecord(
  before: SeenText = { userTexts: [], results: [] },
  continued: Pick<ToolContext, "userText" | "recentCalls"> = {},
): ConversationRecord {
  let { userTexts, results } = before;
  let { userText, recentCalls = [] } = continued;
  const addResult = (result: SeenResult): void => {
    results = [...results, result].slice(-MAX_SEEN);
  };
  return {
    current: () => ({ userText, recentCalls, seen: { userTexts, results } }),
    addMessage: (text, startsTurn) => {
      userText = text === undefined ? undefined : typedPart(text);
      if (userText !== undefined) userTexts = [...userTexts, userText].slice(-MAX_SEEN);
      const read = text === undefined ? undefined : seenInCommand(text);
      if (read !== undefined) addResult(read);
      if (!startsTurn) return;
      recentCalls = recentCalls.map((call) => Object.assign({}, call, { isInTurn: false }));
    },
    addCall: ({ tool: { name, permission }, subject, result, isTrusted }) => {
      if (!isTrusted) addResult({ tool: name, permission, text: result.text });
      if (result.isError === true) return;
      const recent = { tool: name, permission, subject, isInTurn: true };
      recentCalls = [...recentCalls, recent].slice(-MAX_RECENT_CALLS);
    },
    addTextOfOthers: (text) => addResult({ ...OTHERS, text }),
    addAttachments: (attachments) => {
      for (const seen of seenInImages(attachments)) addResult(seen);
    },
  };
}
