import type { ToolResult } from "@caliban/agent-core";
import {
  foundForPrograms,
  type MemorySearchRequest,
  parseSince,
  SINCE_FORMS,
} from "@caliban/memory/search";
import type { MemoryInputs } from "./schemas/memory-input.ts";
import type { MemoryOfTools } from "./memory-tool.ts";
import { renderFound } from "./render-found.ts";

/** Looks for what the model asks for. A wish that cannot be met is told in a sentence, and nothing is searched. */
export async function searchMemory(
  input: MemoryInputs["MemorySearch"],
  { now, search }: Pick<MemoryOfTools, "now" | "search">,
): Promise<ToolResult> {
  const nowMs = now();
  const request = requestOf(input, nowMs);
  if (typeof request === "string") {
    return { text: `MemorySearch was not run: ${request}`, isError: true };
  }
  const found = await search.search(request);
  return { text: renderFound(found, nowMs), data: foundForPrograms(found, nowMs) };
}

function requestOf(
  { since, ...wish }: MemoryInputs["MemorySearch"],
  nowMs: number,
): MemorySearchRequest | string {
  if (wish.query.trim() === "") return "query is empty. Name what you look for.";
  if (wish.kind === "sessions" && wish.type !== undefined) {
    return "sessions have no type. Leave out type, or search topics.";
  }
  if (since === undefined) return wish;
  const sinceMs = parseSince(since, nowMs);
  if (sinceMs !== undefined) return { ...wish, sinceMs };
  return `since must be ${SINCE_FORMS}, and not in the future.`;
}
