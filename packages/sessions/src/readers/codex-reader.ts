import { isJsonObject, isTooLarge, type JsonObject, parseJson } from "../json-value.ts";
import type { SessionMessage } from "../session-message.ts";
import { type CallNames, createCallNames } from "./call-names.ts";
import { personWords } from "./person-words.ts";
import { createRecordReader, objectIn, type ReadingState, textIn } from "./record-reader.ts";
import { blockTexts, readResult } from "./result-text.ts";
import type { KnownBefore } from "./transcript-facts.ts";
import type { TranscriptReader } from "./transcript-reader.ts";

interface Surroundings {
  readonly state: ReadingState;
  readonly names: CallNames;
  model: string;
}

type ItemReader = (item: JsonObject, around: Surroundings) => readonly SessionMessage[] | undefined;

const NOTHING: ItemReader = () => [];

const ITEMS: ReadonlyMap<unknown, ItemReader> = new Map<unknown, ItemReader>([
  ["message", readMessage],
  ["function_call", (item, around) => readCall(item, around, inputOf(item["arguments"]))],
  ["custom_tool_call", (item, around) => readCall(item, around, item["input"])],
  ["tool_search_call", (item, around) => readCall(item, around, item["arguments"])],
  ["local_shell_call", (item, around) => readCall(item, around, objectIn(item, "action"))],
  ["web_search_call", (item, around) => readCall(item, around, objectIn(item, "action"))],
  ["function_call_output", (item, around) => readOutput(item, around, item["output"])],
  ["custom_tool_call_output", (item, around) => readOutput(item, around, item["output"])],
  ["tool_search_output", (item, around) => readOutput(item, around, item["output"])],
  ["mcp_tool_call_output", (item, around) => readOutput(item, around, item["result"])],
  ["compaction", NOTHING],
  ["compaction_summary", NOTHING],
  ["context_compaction", NOTHING],
  ["ghost_snapshot", NOTHING],
  ["image_generation_call", NOTHING],
  ["other", NOTHING],
  ["reasoning", NOTHING],
]);
// The names of calls that carry none.
const NAMES: Readonly<Record<string, string>> = {
  local_shell_call: "shell",
  tool_search_call: "tool_search",
  web_search_call: "web_search",
};
const WORKING_DIRECTORY =
  /<environment_context>\s*(?:<cwd>([^<\n]{1,4096})<\/cwd>|Current working directory: ([^\n]{1,4096}))/;

/** Reads a rollout of Codex. Its events say again what its items say, and a summary stands behind what it sums up. */
export function createCodexReader(known?: KnownBefore): TranscriptReader {
  const names = createCallNames();
  let around: Surroundings | undefined;
  return createRecordReader((record, state) => {
    around ??= { state, names, model: "codex" };
    const messages = messagesIn(record, around);
    return state.isSubAgent ? [] : messages;
  }, known);
}

function messagesIn(record: JsonObject, around: Surroundings): readonly SessionMessage[] {
  const { type } = record;
  const payload = objectIn(record, "payload");
  if (payload !== undefined) return messagesInPayload(type, payload, around);
  // Older files hold the items themselves, behind a first line that has no type.
  if (ITEMS.has(type)) return itemMessages(record, around);
  if (type === undefined && textIn(record, "id") !== undefined) noteMeta(record, around.state);
  else if (record["record_type"] !== "state") around.state.skipped.unknownRecords++;
  return [];
}

function messagesInPayload(
  type: unknown,
  payload: JsonObject,
  around: Surroundings,
): readonly SessionMessage[] {
  const { state } = around;
  switch (type) {
    case "response_item":
      return itemMessages(payload, around);
    case "session_meta":
      noteMeta(payload, state);
      return [];
    case "turn_context":
      state.cwd ??= textIn(payload, "cwd");
      around.model = textIn(payload, "model") ?? around.model;
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

/** The first says what the session is. One that was branched off another has the other's as well, with another id. */
function noteMeta(meta: JsonObject, state: ReadingState): void {
  const id = textIn(meta, "id");
  state.sessionId ??= id;
  if (id !== state.sessionId) return;
  state.cwd ??= textIn(meta, "cwd");
  state.startedAt ??= textIn(meta, "timestamp");
  const { source, thread_source: threadSource, memory_mode: memoryMode } = meta;
  const isBegunByAgent = isJsonObject(source) && "subagent" in source;
  state.isSubAgent ||= isBegunByAgent || threadSource === "subagent";
  // Said again when it is changed.
  if (typeof memoryMode === "string") state.optedOut = memoryMode !== "enabled";
}

function itemMessages(item: JsonObject, around: Surroundings): readonly SessionMessage[] {
  const read = ITEMS.get(item["type"]);
  const { skipped } = around.state;
  if (read === undefined) {
    skipped.unknownRecords++;
    return [];
  }
  const messages = read(item, around);
  if (messages === undefined) skipped.damagedLines++;
  return messages ?? [];
}

function readMessage(
  { role, content }: JsonObject,
  { state, model }: Surroundings,
): readonly SessionMessage[] {
  const texts = blockTexts(content);
  if (role === "assistant") {
    const text = texts.join("\n");
    const parts = [{ type: "text" as const, text }];
    return text === "" ? [] : [{ role, model: modelName(model), parts }];
  }
  if (role !== "user") return [];
  state.cwd ??= workingDirectoryIn(texts);
  const words = texts.map(personWords).filter((each) => each !== "");
  return words.length === 0 ? [] : [{ role, text: words.join("\n") }];
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
  { names, model }: Surroundings,
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
  { names }: Surroundings,
  output: unknown,
): readonly SessionMessage[] | undefined {
  const id = textIn(item, "call_id");
  if (id === undefined) return undefined;
  const { text, isError } = readResult(output);
  const name = names.take(id);
  return [{ role: "tool", results: [{ id, name, text, isError }] }];
}

/** Arguments are JSON in a text. */
function inputOf(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const parsed = parseJson(value);
  return isJsonObject(parsed) ? parsed : value;
}

function modelName(model: string): string {
  return model === "codex" ? model : `openai/${model}`;
}
