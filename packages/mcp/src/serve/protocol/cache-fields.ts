import type { Result } from "@modelcontextprotocol/server";

/** How long a client may use an answer again. What a rule or a setting decides is read again after a few minutes. */
const TTL_MS: Readonly<Record<string, number>> = {
  "tools/list": 300_000,
  "prompts/list": 300_000,
  "resources/templates/list": 300_000,
  "skills/list": 300_000,
  "skills/get": 300_000,
  // Topics change at any time, and a client that subscribes hears of it.
  "resources/list": 0,
  "resources/read": 0,
};

/** How long the description of the server itself may be used. */
export const DISCOVER_TTL_MS = 300_000;

/** Adds what 2026-07-28 requires of lists and resources: the time to live, and that they are the user's own. */
export function withCacheFields(method: string, result: Result): Result {
  const ttlMs = TTL_MS[method];
  return ttlMs === undefined ? result : { ...result, ttlMs, cacheScope: "private" };
}
