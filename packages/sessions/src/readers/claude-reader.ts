import { isJsonObject, isTooLarge, type JsonObject } from "../json-value.ts";
import type { SessionMessage, SessionPart, SessionToolResult } from "../session-message.ts";
import { type CallNames, createCallNames } from "./call-names.ts";
import { personWords, withoutReminders } from "./person-words.ts";
import { createRecordReader, objectIn, type ReadingState, textIn } from "./record-reader.ts";
import { blockTexts } from "./result-text.ts";
import type { KnownBefore } from "./transcript-facts.ts";
import type { TranscriptReader } from "./transcript-reader.ts";

// Records without anything that was said.
const SILENT: ReadonlySet<string> = new Set([
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
// Blocks without anything that is kept.
const SILENT_BLOCKS: ReadonlySet<unknown> = new Set([
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
export function createClaudeReader(known?: KnownBefore): TranscriptReader {
  const names = createCallNames();
  return createRecordReader((record, state) => {
    state.sessionId ??= textIn(record, "sessionId");
    state.cwd ??= textIn(record, "cwd");
    state.startedAt ??= textIn(record, "timestamp");
    // A session that was branched off begins with copies of what stands in the other file.
    const isCopy = objectIn(record, "forkedFrom") !== undefined;
    if (record["isSidechain"] === true || isCopy) return [];
    const type = textIn(record, "type") ?? "";
    if (type === "attachment") return queuedWords(record);
    if (type === "user" || type === "assistant") return saidIn(record, { type, state, names });
    if (!SILENT.has(type)) state.skipped.unknownRecords++;
    return [];
  }, known);
}

interface Surroundings {
  readonly type: "user" | "assistant";
  readonly state: ReadingState;
  readonly names: CallNames;
}

function saidIn(record: JsonObject, around: Surroundings): readonly SessionMessage[] {
  const message = objectIn(record, "message");
  const content = message?.["content"];
  if (message === undefined || !(typeof content === "string" || Array.isArray(content))) {
    around.state.skipped.damagedLines++;
    return [];
  }
  const blocks: readonly unknown[] =
    typeof content === "string" ? [{ type: "text", text: content }] : content;
  if (around.type === "assistant") return assistantSaid({ record, message, blocks }, around);
  const results = blocks.flatMap((block) => resultIn(block, around));
  const words = isOfPerson(record) ? wordsIn(blocks) : [];
  return [...(results.length === 0 ? [] : [{ role: "tool" as const, results }]), ...words];
}

/** Whether the words of a record are a person's: not a summary, and nothing that Claude Code says in their place. */
function isOfPerson(record: JsonObject): boolean {
  const origin = objectIn(record, "origin")?.["kind"] ?? "human";
  const isMade = ["isMeta", "isCompactSummary", "isVisibleInTranscriptOnly"].some(
    (key) => record[key] === true,
  );
  return !isMade && origin === "human";
}

function wordsIn(content: unknown): readonly SessionMessage[] {
  const words = blockTexts(content).map(personWords);
  const text = words.filter((each) => each !== "").join("\n");
  return text === "" ? [] : [{ role: "user", text }];
}

/** What a person typed while the agent was at work. */
function queuedWords(record: JsonObject): readonly SessionMessage[] {
  const attachment = objectIn(record, "attachment");
  if (attachment?.["type"] !== "queued_command" || !isOfPerson(attachment)) return [];
  const mode = attachment["commandMode"] ?? "prompt";
  return mode === "prompt" ? wordsIn(attachment["prompt"]) : [];
}

function resultIn(block: unknown, { state, names }: Surroundings): readonly SessionToolResult[] {
  const type = isJsonObject(block) ? block["type"] : undefined;
  if (type === "text" || SILENT_BLOCKS.has(type)) return [];
  const id = isJsonObject(block) ? block["tool_use_id"] : undefined;
  if (!isJsonObject(block) || type !== "tool_result" || typeof id !== "string") {
    state.skipped.unknownParts++;
    return [];
  }
  const text = blockTexts(block["content"]).map(withoutReminders).join("\n");
  return [{ id, name: names.take(id), text, isError: block["is_error"] === true }];
}

function assistantSaid(
  said: {
    readonly record: JsonObject;
    readonly message: JsonObject;
    readonly blocks: readonly unknown[];
  },
  around: Surroundings,
): readonly SessionMessage[] {
  const { record, message, blocks } = said;
  const model = textIn(message, "model") ?? "claude";
  // Written by Claude Code and not by a model.
  if (record["isApiErrorMessage"] === true || model === "<synthetic>") return [];
  const parts = blocks.flatMap((block) => partIn(block, around));
  return parts.length === 0 ? [] : [{ role: "assistant", model: `anthropic/${model}`, parts }];
}

function partIn(block: unknown, { state, names }: Surroundings): readonly SessionPart[] {
  const { type, text, id, name, input } = isJsonObject(block) ? block : {};
  if (SILENT_BLOCKS.has(type)) return [];
  if (type === "text" && typeof text === "string") return text === "" ? [] : [{ type, text }];
  const isCall = CALLS.has(type) && typeof id === "string" && typeof name === "string";
  if (!isCall || isTooLarge(input)) {
    state.skipped.unknownParts++;
    return [];
  }
  names.add(id, name);
  return [{ type: "tool-call", id, name, input }];
}
