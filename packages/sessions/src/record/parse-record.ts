import { parseJson } from "@caliban/common";
import { isJsonObject, type JsonObject } from "./json-value.ts";
import { parseMessage } from "./parse-message.ts";
import type { SessionRecord } from "./record.ts";
import type { SessionMessage } from "./session-message.ts";

/** The content of one line of a session file. */
export type ParsedLine =
  | {
      readonly kind: "record";
      readonly record: SessionRecord;
      /** Message parts that a later version wrote. */
      readonly unknownParts: number;
    }
  /** A record that a later version wrote. */
  | { readonly kind: "unknown"; readonly type: string }
  | { readonly kind: "damaged" }
  | { readonly kind: "blank" };

/** Parses a line without its line end. Never throws, whatever the line contains. */
export function parseLine(line: string): ParsedLine {
  if (line.trim() === "") return { kind: "blank" };
  const value = parseJson(line);
  if (!isJsonObject(value)) return DAMAGED;
  const { type } = value;
  if (typeof type !== "string") return DAMAGED;
  const parse = PARSERS.get(type);
  return parse === undefined ? { kind: "unknown", type } : parse(value);
}

const DAMAGED: ParsedLine = { kind: "damaged" };

const PARSERS: ReadonlyMap<string, (value: JsonObject) => ParsedLine> = new Map([
  ["session-start", parseStart],
  ["message", parseMessageRecord],
  ["compacted", parseCompacted],
  ["model", parseModel],
  ["name", parseName],
  ["notice", parseNotice],
  ["resumed", parseResumed],
  ["subagent", parseSubagent],
  ["rewound", parseRewound],
  ["turn-end", parseTurnEnd],
]);

function parseStart(value: JsonObject): ParsedLine {
  const { v, id } = value;
  const at = textIn(value, "at");
  if (typeof v !== "number" || typeof id !== "string" || at === undefined) return DAMAGED;
  return known({
    type: "session-start",
    v,
    id,
    at,
    workspace: textIn(value, "workspace") ?? "",
    cwd: textIn(value, "cwd") ?? "",
    model: textIn(value, "model") ?? "",
    version: textIn(value, "version") ?? "",
    name: textIn(value, "name"),
    title: textIn(value, "title"),
    continues: textIn(value, "continues"),
    carried: countIn(value, "carried"),
    ...optOutIn(value),
    ...(value["unattended"] === true ? { unattended: true } : {}),
  });
}

function parseMessageRecord(value: JsonObject): ParsedLine {
  const parsed = parseMessage(value["message"]);
  if (parsed === undefined) return DAMAGED;
  const { message, unknownParts } = parsed;
  const id = textIn(value, "id") ?? "";
  return {
    kind: "record",
    record: { type: "message", id, ...timeOf(value), message },
    unknownParts,
  };
}

function parseCompacted(value: JsonObject): ParsedLine {
  const { messages, beforeTokens, afterTokens } = value;
  if (!Array.isArray(messages)) return DAMAGED;
  const read: SessionMessage[] = [];
  let unknownParts = 0;
  for (const item of messages) {
    const parsed = parseMessage(item);
    if (parsed === undefined) return DAMAGED;
    read.push(parsed.message);
    unknownParts += parsed.unknownParts;
  }
  const record: SessionRecord = {
    type: "compacted",
    ...timeOf(value),
    ...(typeof beforeTokens === "number" ? { beforeTokens } : {}),
    ...(typeof afterTokens === "number" ? { afterTokens } : {}),
    messages: read,
  };
  return { kind: "record", record, unknownParts };
}

function parseModel(value: JsonObject): ParsedLine {
  const model = textIn(value, "model");
  return model === undefined ? DAMAGED : known({ type: "model", ...timeOf(value), model });
}

function parseName(value: JsonObject): ParsedLine {
  const name = textIn(value, "name");
  return name === undefined ? DAMAGED : known({ type: "name", ...timeOf(value), name });
}

function parseNotice(value: JsonObject): ParsedLine {
  const sentence = textIn(value, "sentence");
  return sentence === undefined ? DAMAGED : known({ type: "notice", ...timeOf(value), sentence });
}

function parseResumed(value: JsonObject): ParsedLine {
  const [cwd, model, version] = ["cwd", "model", "version"].map((key) => textIn(value, key) ?? "");
  return known({
    type: "resumed",
    ...timeOf(value),
    cwd: cwd ?? "",
    model: model ?? "",
    version: version ?? "",
    ...optOutIn(value),
  });
}

function parseSubagent(value: JsonObject): ParsedLine {
  const [agent, number] = [textIn(value, "agent"), countIn(value, "number")];
  const parsed = parseMessage(value["message"]);
  if (agent === undefined || number === undefined || parsed === undefined) return DAMAGED;
  const { message, unknownParts } = parsed;
  const record: SessionRecord = { type: "subagent", agent, number, ...timeOf(value), message };
  return { kind: "record", record, unknownParts };
}

function parseRewound(value: JsonObject): ParsedLine {
  const [id, to] = [textIn(value, "id"), textIn(value, "to")];
  const what = REWOUND.find((each) => each === value["what"]);
  if (id === undefined || to === undefined || what === undefined) return DAMAGED;
  return known({ type: "rewound", id, ...timeOf(value), to, what });
}

const REWOUND = ["conversation", "files", "both"] as const;

function parseTurnEnd(value: JsonObject): ParsedLine {
  const outcome = textIn(value, "outcome");
  if (outcome === undefined) return DAMAGED;
  return known({
    type: "turn-end",
    ...timeOf(value),
    outcome,
    sentence: textIn(value, "sentence"),
    name: textIn(value, "name"),
    exchanges: countIn(value, "exchanges"),
  });
}

function known(record: SessionRecord): ParsedLine {
  return { kind: "record", record, unknownParts: 0 };
}

function timeOf(value: JsonObject): { readonly at: string } {
  return { at: textIn(value, "at") ?? "" };
}

function optOutIn(value: JsonObject): { readonly learn?: false } {
  return value["learn"] === false ? { learn: false } : {};
}

function countIn(value: JsonObject, key: string): number | undefined {
  const count = value[key];
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

function textIn(value: JsonObject, key: string): string | undefined {
  const text = value[key];
  return typeof text === "string" ? text : undefined;
}
