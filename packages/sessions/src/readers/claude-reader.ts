import { isJsonObject, isTooLarge, type JsonObject } from "../record/json-value.ts";
import type { SessionMessage, SessionPart, SessionToolResult } from "../record/session-message.ts";
import { type CallNames, createCallNames } from "./call-names.ts";
import { userText, withoutReminders } from "./user-text.ts";
import { createRecordReader, objectIn, type ReadingState, textIn } from "./record-reader.ts";
import { blockTexts } from "./result-text.ts";
import type { ReaderContext, TranscriptReader } from "./transcript-reader.ts";

// Records without any message.
const IGNORED_RECORDS: ReadonlySet<string> = new Set([
  "agent-name",
  "ai-title",
  "custom-title",
  "file-history-snapshot",
  "last-prompt",
  "mode",
  "permission-mode",
  "pr-link",
  "progress",
  "queue-operation",
  "summary",
  "system",
  "tag",
]);
// Blocks that are not kept.
const IGNORED_BLOCKS: ReadonlySet<unknown> = new Set([
  "document",
  "fallback",
  "image",
  "redacted_thinking",
  "thinking",
  "web_fetch_tool_result",
  "web_search_tool_result",
]);
const CALLS: ReadonlySet<unknown> = new Set(["mcp_tool_use", "server_tool_use", "tool_use"]);

/** Reads a project transcript of Claude Code. */
export function createClaudeReader(known?: ReaderContext): TranscriptReader {
  const names = createCallNames();
  return createRecordReader((record, state) => {
    state.sessionId ??= textIn(record, "sessionId");
    state.cwd ??= textIn(record, "cwd");
    state.startedAt ??= textIn(record, "timestamp");
    // A forked session begins with copies of the other file.
    const isCopy = objectIn(record, "forkedFrom") !== undefined;
    if (record["isSidechain"] === true || isCopy) return [];
    const type = textIn(record, "type") ?? "";
    if (type === "attachment") return queuedMessages(record);
    if (type === "user" || type === "assistant") return messagesIn(record, { type, state, names });
    if (!IGNORED_RECORDS.has(type)) state.skipped.unknownRecords++;
    return [];
  }, known);
}

interface ReadingContext {
  readonly type: "user" | "assistant";
  readonly state: ReadingState;
  readonly names: CallNames;
}

function messagesIn(record: JsonObject, context: ReadingContext): readonly SessionMessage[] {
  const message = objectIn(record, "message");
  const content = message?.["content"];
  if (message === undefined || !(typeof content === "string" || Array.isArray(content))) {
    context.state.skipped.damagedLines++;
    return [];
  }
  const blocks: readonly unknown[] =
    typeof content === "string" ? [{ type: "text", text: content }] : content;
  if (context.type === "assistant") return assistantMessages({ record, message, blocks }, context);
  const results = blocks.flatMap((block) => resultIn(block, context));
  const messages = isFromUser(record) ? userMessages(blocks) : [];
  return [...(results.length === 0 ? [] : [{ role: "tool" as const, results }]), ...messages];
}

/** Whether the user wrote a record: it is not a summary or anything else that Claude Code wrote for the user. */
function isFromUser(record: JsonObject): boolean {
  const origin = objectIn(record, "origin")?.["kind"] ?? "human";
  const isGenerated = ["isMeta", "isCompactSummary", "isVisibleInTranscriptOnly"].some(
    (key) => record[key] === true,
  );
  return !isGenerated && origin === "human";
}

function userMessages(content: unknown): readonly SessionMessage[] {
  const texts = blockTexts(content).map(userText);
  const text = texts.filter((each) => each !== "").join("\n");
  return text === "" ? [] : [{ role: "user", text }];
}

/** What the user typed while the agent was working. */
function queuedMessages(record: JsonObject): readonly SessionMessage[] {
  const attachment = objectIn(record, "attachment");
  if (attachment?.["type"] !== "queued_command" || !isFromUser(attachment)) return [];
  const mode = attachment["commandMode"] ?? "prompt";
  return mode === "prompt" ? userMessages(attachment["prompt"]) : [];
}

function resultIn(block: unknown, { state, names }: ReadingContext): readonly SessionToolResult[] {
  const type = isJsonObject(block) ? block["type"] : undefined;
  if (type === "text" || IGNORED_BLOCKS.has(type)) return [];
  const id = isJsonObject(block) ? block["tool_use_id"] : undefined;
  if (!isJsonObject(block) || type !== "tool_result" || typeof id !== "string") {
    state.skipped.unknownParts++;
    return [];
  }
  const text = blockTexts(block["content"]).map(withoutReminders).join("\n");
  return [{ id, name: names.take(id), text, isError: block["is_error"] === true }];
}

function assistantMessages(
  said: {
    readonly record: JsonObject;
    readonly message: JsonObject;
    readonly blocks: readonly unknown[];
  },
  context: ReadingContext,
): readonly SessionMessage[] {
  const { record, message, blocks } = said;
  const model = textIn(message, "model") ?? "claude";
  // Written by Claude Code, not by a model.
  if (record["isApiErrorMessage"] === true || model === "<synthetic>") return [];
  const parts = blocks.flatMap((block) => partIn(block, context));
  return parts.length === 0 ? [] : [{ role: "assistant", model: `anthropic/${model}`, parts }];
}

function partIn(block: unknown, { state, names }: ReadingContext): readonly SessionPart[] {
  const { type, text, id, name, input } = isJsonObject(block) ? block : {};
  if (IGNORED_BLOCKS.has(type)) return [];
  if (type === "text" && typeof text === "string") return text === "" ? [] : [{ type, text }];
  const isCall = CALLS.has(type) && typeof id === "string" && typeof name === "string";
  if (!isCall || isTooLarge(input)) {
    state.skipped.unknownParts++;
    return [];
  }
  names.add(id, name);
  return [{ type: "tool-call", id, name, input }];
}
