import { terminalSafeLine } from "@caliban/common";
import { type Cost, formatDollars, PRICES_DATE } from "@caliban/providers";
import { KEYS } from "@caliban/tui";
import type { WindowUse } from "../../../conversation/turn/window-use.ts";
import { alignRows, type SlashInput, type SlashResult, type SlashRow } from "./slash-command.ts";
import { isBuiltIn, SLASH_COMMANDS } from "./slash-table.ts";

/** `/help`: lists the commands and the keys, then the user's and the workspace's own commands, and files that are none. */
export async function help(input: SlashInput): Promise<SlashResult> {
  const [{ loadNamedTexts }, { namedRows }, { renderProblem }] = await Promise.all([
    import("../custom/load-named-texts.ts"),
    import("../custom/find-command.ts"),
    import("../custom/custom-command.ts"),
  ]);
  const texts = await loadNamedTexts({ ...input, isBuiltIn });
  const named = namedRows(texts, isBuiltIn).map(
    ({ name, argumentHint, description, mark }) =>
      [
        argumentHint === undefined ? `/${name}` : `/${name} ${argumentHint}`,
        `${description} (${mark})`,
      ] as const,
  );
  const rows = [
    ...SLASH_COMMANDS.map((row) => [usageOf(row), row.doc] as const),
    ["", ""] as const,
    ...KEYS.map(({ keys, doc }) => [keys, doc] as const),
  ];
  const lines = [
    ...alignRows(rows),
    ...(named.length === 0 ? [] : ["", ...alignRows(named)]),
    ...texts.problems.map(
      (problem, index) => `${index === 0 ? "\n" : ""}${renderProblem(problem)}`,
    ),
  ];
  return { kind: "text", text: lines.join("\n") };
}

/** A command with its arguments and its aliases. */
function usageOf({ name, aliases = [], operands }: SlashRow): string {
  const usage = operands === undefined ? `/${name}` : `/${name} ${operands}`;
  return [usage, ...aliases.map((alias) => `/${alias}`)].join(", ");
}

/** `/skills`: lists every skill with its purpose and origin. */
export async function skills({ conversation }: SlashInput): Promise<SlashResult> {
  const all = conversation.skills();
  if (all.length === 0) {
    const text = "No skills found. To add one, create .caliban/skills/<name>/SKILL.md";
    return { kind: "text", text };
  }
  const rows = all.map(({ name, origin, description, alwaysLoaded }) => {
    const source = alwaysLoaded === true ? `${origin}, always loaded` : origin;
    return [name, `${terminalSafeLine(description)} (${source})`] as const;
  });
  return { kind: "text", text: alignRows(rows).join("\n") };
}

const BAR_COLUMNS = 24;

/** `/context`: shows what fills the context window. */
export async function context({ conversation }: SlashInput): Promise<SlashResult> {
  return { kind: "text", text: renderContext(conversation.windowUse()) };
}

/** A bar for each part, as long as its share of the window and never empty. */
export function renderContext({ windowTokens, parts }: WindowUse): string {
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

/** `/cost`: shows what this conversation has used so far. */
export async function cost({ conversation }: SlashInput): Promise<SlashResult> {
  const { usage, cost: spent, requests, elapsedMs } = conversation.spent();
  const rows = [
    ["requests", requests],
    ["input tokens", usage.inputTokens],
    ["  cache reads", usage.cacheReadTokens],
    ["  cache writes", usage.cacheWriteTokens],
    ["output tokens", usage.outputTokens],
    ["minutes", Math.round(elapsedMs / 60_000)],
  ] as const;
  const lines = rows.map(
    ([name, count]) => `${name.padEnd(16)}  ${count.toLocaleString("en-US").padStart(10)}`,
  );
  return { kind: "text", text: [...lines, ...costLines(spent)].join("\n") };
}

/** Money at list prices, and which models it leaves out. */
function costLines({ dollars, unpriced }: Cost): readonly string[] {
  const names = unpriced.map(terminalSafeLine).join(", ");
  const missing =
    unpriced.length === 0 ? [] : [`No price known for ${names}: its tokens are not in the cost.`];
  if (dollars === 0) return missing;
  const amount = `${"cost".padEnd(16)}  ${formatDollars(dollars).padStart(10)}`;
  return [amount, ...missing, `At list prices of ${PRICES_DATE}, which may be out of date.`];
}
