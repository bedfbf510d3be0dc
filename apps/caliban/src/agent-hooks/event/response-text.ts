import { isRecord } from "@caliban/common";

/** Where agents put the text of a result. */
const KEYS = ["file", "content", "llmContent", "output", "text", "stdout"];
const MAX_DEPTH = 4;

/** The text in the response of a tool, however the agent wraps it. */
export function responseText(response: unknown, depth = 0): string {
  if (typeof response === "string") return response;
  if (depth >= MAX_DEPTH) return "";
  if (Array.isArray(response))
    return response
      .map((part: unknown) => responseText(part, depth + 1))
      .filter((text) => text !== "")
      .join("\n");
  if (!isRecord(response)) return "";
  for (const key of KEYS) {
    const text = responseText(response[key], depth + 1);
    if (text !== "") return text;
  }
  return "";
}
