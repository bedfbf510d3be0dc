import { parseAttachments, parseImages } from "./parse-attachments.ts";
import { isJsonObject, isTooLarge, type JsonObject } from "./json-value.ts";
import type {
  SessionAssistantMessage,
  SessionMessage,
  SessionMetadata,
  SessionPart,
  SessionToolResult,
  SessionUsage,
} from "./session-message.ts";

/** A message, and how many of its parts this version does not know. */
export interface ParsedMessage {
  readonly message: SessionMessage;
  readonly unknownParts: number;
}

/** `undefined` for an invalid message, or one that could not be sent to a model. Unknown keys are dropped. */
export function parseMessage(value: unknown): ParsedMessage | undefined {
  if (!isJsonObject(value)) return undefined;
  const { role } = value;
  if (role === "user") return parseUser(value);
  if (role === "assistant") return parseAssistant(value);
  return role === "tool" ? parseTool(value) : undefined;
}

function parseUser({ text, note, attachments }: JsonObject): ParsedMessage | undefined {
  if (typeof text !== "string") return undefined;
  const noted = typeof note === "string" ? { note } : {};
  const { unknownParts, ...attached } = parseAttachments(attachments);
  return { message: { role: "user", text, ...noted, ...attached }, unknownParts };
}

function parseAssistant({ model, parts, usage, cut }: JsonObject): ParsedMessage | undefined {
  if (typeof model !== "string" || !Array.isArray(parts)) return undefined;
  const read = parts.map(parsePart);
  if (read.includes("damaged")) return undefined;
  const known = read.filter((part) => typeof part === "object");
  const message: SessionAssistantMessage = {
    role: "assistant",
    model,
    parts: known,
    ...parseUsage(usage),
    ...(isCutReason(cut) ? { cut } : {}),
  };
  return { message, unknownParts: read.length - known.length };
}

function parsePart(value: unknown): SessionPart | "unknown" | "damaged" {
  if (!isJsonObject(value) || isTooLarge(value)) return "damaged";
  const { type, text, id, name, input } = value;
  const metadata = parseMetadata(value["metadata"]);
  if (type === "text" || type === "reasoning") {
    return typeof text === "string" ? { type, text, ...metadata } : "damaged";
  }
  if (type !== "tool-call") return typeof type === "string" ? "unknown" : "damaged";
  const isCall = typeof id === "string" && typeof name === "string";
  return isCall ? { type, id, name, input, ...metadata } : "damaged";
}

function parseMetadata(value: unknown): { readonly metadata?: SessionMetadata } {
  if (!isJsonObject(value)) return {};
  const known = Object.entries(value).flatMap(([provider, data]) =>
    isJsonObject(data) ? [[provider, data] as const] : [],
  );
  return { metadata: Object.fromEntries(known) };
}

function isCutReason(value: unknown): value is NonNullable<SessionAssistantMessage["cut"]> {
  return value === "interrupted" || value === "failed" || value === "length";
}

function parseUsage(value: unknown): { readonly usage?: SessionUsage } {
  if (!isJsonObject(value)) return {};
  const count = (name: keyof SessionUsage): number => {
    const tokens = value[name];
    return typeof tokens === "number" && tokens > 0 ? tokens : 0;
  };
  return {
    usage: {
      inputTokens: count("inputTokens"),
      outputTokens: count("outputTokens"),
      cacheReadTokens: count("cacheReadTokens"),
      cacheWriteTokens: count("cacheWriteTokens"),
    },
  };
}

function parseTool({ results }: JsonObject): ParsedMessage | undefined {
  if (!Array.isArray(results)) return undefined;
  const read = results.map(parseResult);
  const known = read.filter((result) => result !== undefined);
  if (known.length < read.length) return undefined;
  return { message: { role: "tool", results: known }, unknownParts: 0 };
}

function parseResult(value: unknown): SessionToolResult | undefined {
  if (!isJsonObject(value)) return undefined;
  const { id, name, text, isError } = value;
  const isResult = typeof id === "string" && typeof name === "string" && typeof text === "string";
  if (!isResult) return undefined;
  return {
    id,
    name,
    text,
    isError: isError === true,
    ...parseImages(value["images"]),
    ...parseFacts(value["facts"]),
  };
}

/** Unknown kinds of values are ignored: they are only shown. */
function parseFacts(value: unknown): Pick<SessionToolResult, "facts"> {
  if (!isJsonObject(value)) return {};
  const known = Object.entries(value).flatMap(([name, fact]) =>
    typeof fact === "string" || typeof fact === "number" || typeof fact === "boolean"
      ? [[name, fact] as const]
      : [],
  );
  return { facts: Object.fromEntries(known) };
}
