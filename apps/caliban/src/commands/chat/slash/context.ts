import type { ContextUse } from "../../../agent/conversation.ts";
import type { SlashInput, SlashResult } from "./slash-command.ts";
import { terminalSafeLine } from "@caliban/common";

const BAR_COLUMNS = 24;

/** `/context`: what fills the window. */
export async function context({ conversation }: SlashInput): Promise<SlashResult> {
  return { kind: "text", text: renderContext(conversation.contextUse()) };
}

/** A bar for each part, as long as its share of the window; whatever is there is seen. */
export function renderContext({ windowTokens, parts }: ContextUse): string {
  const used = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  const free = Math.max(0, windowTokens - used);
  const rows = [...parts.filter(({ tokens }) => tokens > 0), { name: "free", tokens: free }];
  const nameWidth = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(({ name, tokens }) => {
    const bar = name === "free" ? "" : "█".repeat(barColumns(tokens, windowTokens));
    const amount = tokens.toLocaleString("en-US").padStart(9);
    const share = percent(tokens, windowTokens).padStart(6);
    return `${terminalSafeLine(name).padEnd(nameWidth)} ${amount} ${share}  ${bar}`.trimEnd();
  });
  const total = `${used.toLocaleString("en-US")} of ${windowTokens.toLocaleString("en-US")} tokens (${percent(used, windowTokens)})`;
  return [total, ...lines].join("\n");
}

function barColumns(tokens: number, windowTokens: number): number {
  if (windowTokens === 0) return 0;
  const columns = Math.round((tokens / windowTokens) * BAR_COLUMNS);
  return Math.min(BAR_COLUMNS, Math.max(1, columns));
}

function percent(tokens: number, windowTokens: number): string {
  if (windowTokens === 0) return "0.0%";
  return `${((tokens / windowTokens) * 100).toFixed(1)}%`;
}
