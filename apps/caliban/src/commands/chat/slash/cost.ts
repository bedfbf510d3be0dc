import type { SlashInput, SlashResult } from "./slash-command.ts";

/** `/cost`: what this conversation has taken so far. */
export async function cost({ conversation }: SlashInput): Promise<SlashResult> {
  const { usage, requests, elapsedMs } = conversation.spent();
  const rows = [
    ["requests", requests],
    ["tokens in", usage.inputTokens],
    ["  from the cache", usage.cacheReadTokens],
    ["  into the cache", usage.cacheWriteTokens],
    ["tokens out", usage.outputTokens],
    ["minutes", Math.round(elapsedMs / 60_000)],
  ] as const;
  const lines = rows.map(
    ([name, count]) => `${name.padEnd(16)}  ${count.toLocaleString("en-US").padStart(10)}`,
  );
  return { kind: "text", text: lines.join("\n") };
}
