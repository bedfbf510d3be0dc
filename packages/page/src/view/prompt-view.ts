import { bytesToTokens, terminalSafeLine } from "@caliban/common";
import type { Receipt } from "@caliban/memory";
import { promptParts } from "./prompt-parts.ts";

/** A rectangle of the treemap: a file that was considered for the prompt. */
export interface PromptRow {
  readonly tier: string;
  readonly kind: string;
  readonly path: string;
  readonly tokens: number;
  readonly bytes: number;
  /** About how many tokens of it were cut. */
  readonly cutTokens: number;
  readonly status: Receipt["entries"][number]["status"];
  /** The code of the reason, and its explanation. */
  readonly reason: string;
  readonly message: string;
  readonly importedBy: string | undefined;
  /** Which part of the prompt it is; `undefined` if it is not in the prompt as a part of its own. */
  readonly part: number | undefined;
  /** Whether it is before everything that caliban itself writes, so that providers can keep it from one session to the next. */
  readonly isStable: boolean;
}

export interface PromptView {
  /** In the order of the prompt. */
  readonly rows: readonly PromptRow[];
  /** How many tokens at the start of the prompt change only when the user edits a file. */
  readonly stableTokens: number;
  readonly notices: readonly { readonly code: string; readonly message: string }[];
  readonly totalTokens: number;
  readonly ceilingTokens: number;
}

export interface PromptViewInput {
  readonly receipt: Receipt;
  readonly prefix: string;
  readonly displayPath: (path: string) => string;
}

/** What the page shows of a receipt. Absent files are left out, as nothing is wrong with them. */
export function promptView({ receipt, prefix, displayPath }: PromptViewInput): PromptView {
  const { entries, notices, totalTokens, ceilingTokens } = receipt;
  const parts = promptParts(prefix);
  const used = new Set<number>();
  const partOf = ({ path, tokens, kind }: Receipt["entries"][number]): number | undefined => {
    if (tokens === 0 || kind === "import") return undefined;
    const part = parts.findIndex(
      (each, index) => each.path === terminalSafeLine(path) && !used.has(index),
    );
    if (part === -1) return undefined;
    used.add(part);
    return part;
  };
  const rows = entries
    .filter(({ status }) => status !== "missing")
    .map((entry): PromptRow => {
      const { tier, kind, tokens, bytes, status, reason, message } = entry;
      const path = displayPath(entry.path);
      const importedBy = entry.importedBy && displayPath(entry.importedBy);
      const part = partOf(entry);
      const cutTokens = status === "truncated" ? Math.max(0, bytesToTokens(bytes) - tokens) : 0;
      const isStable = tokens > 0 && USER_TIERS.has(tier);
      const file = { tier, kind, path, tokens, bytes, cutTokens, status, reason, message };
      return Object.assign(file, { importedBy, part, isStable });
    });
  const stable = rows.filter(({ isStable, kind }) => isStable && kind !== "import");
  return {
    rows,
    notices: notices.map(({ code, message }) => ({ code, message })),
    totalTokens,
    ceilingTokens,
    stableTokens: stable.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

/** They come first in the prompt. What follows changes when the agent writes a topic or learns from sessions. */
const USER_TIERS: ReadonlySet<string> = new Set(["global", "project"]);
