import { parseJson } from "@caliban/common";
import { isJsonObject, isTooLarge, type JsonObject } from "../record/json-value.ts";
import type { SessionMessage } from "../record/session-message.ts";
import { type CallNames, createCallNames } from "./call-names.ts";
import { userText } from "./user-text.ts";
import { createRecordReader, objectIn, type ReadingState, textIn } from "./record-reader.ts";
import { blockTexts, readResult } from "./result-text.ts";
import type { ReaderContext, TranscriptReader } from "./transcript-reader.ts";

interface ReadingContext {
  readonly state: ReadingState;
  readonly names: CallNames;
  model: string;
}

type ItemReader = (
  item: JsonObject,
  context: ReadingContext,
) => readonly SessionMessage[] | undefined;

const NOTHING: ItemReader = () => [];

const ITEMS: ReadonlyMap<unknown, ItemReader> = new Map<unknown, ItemReader>([
  ["message", readMessage],
  ["function_call", (item, context) => readCall(item, context, inputOf(item["arguments"]))],
  ["custom_tool_call", (item, context) => readCall(item, context, item["input"])],
  ["tool_search_call", (item, context) => readCall(item, context, item["arguments"])],
  ["local_shell_call", (item, context) => readCall(item, context, objectIn(item, "action"))],
  ["web_search_call", (item, context) => readCall(item, context, objectIn(item, "action"))],
  ["function_call_output", (item, context) => readOutput(item, context, item["output"])],
  ["custom_tool_call_output", (item, context) => readOutput(item, context, item["output"])],
  ["tool_search_output", (item, context) => readOutput(item, context, item["output"])],
  ["mcp_tool_call_output", (item, context) => readOutput(item, context, item["result"])],
  ["compaction", NOTHING],
  ["compaction_summary", NOTHING],
  ["context_compaction", NOTHING],
  ["ghost_snapshot", NOTHING],
  ["image_generation_call", NOTHING],
  ["other", NOTHING],
  ["reasoning", NOTHING],
]);
// Names for calls that have none.
const NAMES: Readonly<Record<string, string>> = {
  local_shell_call: "shell",
  tool_search_call: "tool_search",
  web_search_call: "web_search",
};
const WORKING_DIRECTORY =
  /<environment_context>\s*(?:<cwd>([^<\n]{1,4096})<\/cwd>|Current working directory: ([^\n]{1,4096}))/;

/** Reads a rollout of Codex. Events are skipped because they repeat the items, and summaries because they repeat the past. */
export function createCodexReader(known?: ReaderContext): TranscriptReader {
  const names = createCallNames();
  let context: ReadingContext | undefined;
  return createRecordReader((record, state) => {
    context ??= { state, names, model: "codex" };
    const messages = messagesIn(record, context);
    return state.isSubAgent ? [] : messages;
  }, known);
}

function messagesIn(record: JsonObject, context: ReadingContext): readonly SessionMessage[] {
  const { type } = record;
  const payload = objectIn(record, "payload");
  if (payload !== undefined) return messagesInPayload(type, payload, context);
  // Older files contain the items themselves, after a first line without a type.
  if (ITEMS.has(type)) return itemMessages(record, context);
  if (type === undefined && textIn(record, "id") !== undefined) noteMeta(record, context.state);
  else if (record["record_type"] !== "state") context.state.skipped.unknownRecords++;
  return [];
}

function messagesInPayload(
  type: unknown,
  payload: JsonObject,
  context: ReadingContext,
): readonly SessionMessage[] {
  const { state } = context;
  switch (type) {
    case "response_item":
      return itemMessages(payload, context);
    case "session_meta":
      noteMeta(payload, state);
      return [];
    case "turn_context":
      state.cwd ??= textIn(payload, "cwd");
      context.model = textIn(payload, "model") ?? context.model;
      return [];
    case "event_msg":
    case "compacted":
    case "world_state":
      return [];
    default:
      state.skipped.unknownRecords++;
      return [];
  }
}

/** The first one describes the session. A forked session also contains that of the other session, with another id. */
function noteMeta(meta: JsonObject, state: ReadingState): void {
  const id = textIn(meta, "id");
  state.sessionId ??= id;
  if (id !== state.sessionId) return;
  state.cwd ??= textIn(meta, "cwd");
  state.startedAt ??= textIn(meta, "timestamp");
  const { source, thread_source: threadSource, memory_mode: memoryMode } = meta;
  const isStartedByAgent = isJsonObject(source) && "subagent" in source;
  state.isSubAgent ||= isStartedByAgent || threadSource === "subagent";
  // Repeated whenever it changes.
  if (typeof memoryMode === "string") state.optedOut = memoryMode !== "enabled";
}

function itemMessages(item: JsonObject, context: ReadingContext): readonly SessionMessage[] {
  const read = ITEMS.get(item["type"]);
  const { skipped } = context.state;
  if (read === undefined) {
    skipped.unknownRecords++;
    return [];
  }
  const messages = read(item, context);
  if (messages === undefined) skipped.damagedLines++;
  return messages ?? [];
}

function readMessage(
  { role, content }: JsonObject,
  { state, model }: ReadingContext,
): readonly SessionMessage[] {
  const texts = blockTexts(content);
  if (role === "assistant") {
    const text = texts.join("\n");
    const parts = [{ type: "text" as const, text }];
    return text === "" ? [] : [{ role, model: modelName(model), parts }];
  }
  if (role !== "user") return [];
  state.cwd ??= workingDirectoryIn(texts);
  const written = texts.map(userText).filter((each) => each !== "");
  return written.length === 0 ? [] : [{ role, text: written.join("\n") }];
}

function workingDirectoryIn(texts: readonly string[]): string | undefined {
  for (const text of texts) {
    const found = WORKING_DIRECTORY.exec(text);
    if (found !== null) return (found[1] ?? found[2] ?? "").trim();
  }
  return undefined;
}

function readCall(
  item: JsonObject,
  { names, model }: ReadingContext,
  input: unknown,
): readonly SessionMessage[] | undefined {
  const id = textIn(item, "call_id") ?? textIn(item, "id") ?? "";
  const name = textIn(item, "name") ?? NAMES[textIn(item, "type") ?? ""];
  if (name === undefined || isTooLarge(input)) return undefined;
  names.add(id, name);
  const call = { type: "tool-call", id, name, input: input ?? null } as const;
  return [{ role: "assistant", model: modelName(model), parts: [call] }];
}

function readOutput(
  item: JsonObject,
  { names }: ReadingContext,
  output: unknown,
): readonly SessionMessage[] | undefined {
  const id = textIn(item, "call_id");
  if (id === undefined) return undefined;
  const { text, isError } = readResult(output);
  const name = names.take(id);
  return [{ role: "tool", results: [{ id, name, text, isError }] }];
}

/** Arguments are JSON in a string. */
function inputOf(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const parsed = parseJson(value);
  return isJsonObject(parsed) ? parsed : value;
}

function modelName(model: string): string {
  return model === "codex" ? model : `openai/${model}`;
}
