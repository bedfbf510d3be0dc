import {
  abbreviateHome,
  type CommandMessage,
  pathStyleOf,
  shellCommand,
  spellCommands,
  type SpellCommand,
  terminalSafeLine,
} from "@caliban/common";
import { checkArguments } from "../check-arguments.ts";
import type { MemoryServer, ReasonCode, Receipt, ReceiptEntry } from "./receipt.ts";
import { SPLICE_ORDER, type TierKind } from "./tier.ts";

/** The path of an index that is in a store and not in a file. */
export const STORE_INDEX = "memory://index";

export interface RenderReceiptInput {
  readonly receipt: Receipt;
  /**
   * `summary`: the tiers with their paths and token counts; the default. `explanation`: every file that was considered,
   * with the reason for what happened to it. `problems`: one line when something did not reach the prompt completely,
   * otherwise empty. `warning`: a line when the user's own global memory did not fit, or the store of the topics cannot
   * be reached, which only they can fix.
   */
  readonly view?: ReceiptView | undefined;
  /** Paths below it are shown with `~`. */
  readonly home?: string | undefined;
  /** Such as `linux`, which is the default; decides how paths are written. */
  readonly platform?: string | undefined;
  /** Spells the commands that messages name; as in a shell by default. `problems` names one only with it. */
  readonly command?: SpellCommand | undefined;
}

type ReceiptView = "summary" | "explanation" | "problems" | "warning";

/**
 * Renders what was loaded into a prompt, from the receipt alone.
 *
 * @example
 * import { renderReceipt } from "@caliban/memory";
 * import { loadMemory } from "@caliban/memory/node";
 *
 * const { receipt } = await loadMemory({ directory: process.cwd() });
 * console.log(renderReceipt({ receipt }));
 * console.log(renderReceipt({ receipt, view: "explanation" }));
 */
export function renderReceipt(input: RenderReceiptInput): string {
  checkArguments("renderReceipt", input, { receipt: "object" });
  return VIEWS[input.view ?? "summary"](input);
}

const VIEWS: Readonly<Record<ReceiptView, (input: RenderReceiptInput) => string>> = {
  summary: renderSummary,
  explanation: renderExplanation,
  problems: renderProblems,
  warning: renderWarnings,
};

function renderSummary(input: RenderReceiptInput): string {
  const { entries, notices } = input.receipt;
  const rows = entries.filter(isShown).map((entry) => line(labelOf(entry), entry, input));
  return [
    ...SPLICE_ORDER.map(
      (tier) => `${tier === "auto" ? scopeLines(input) : ""}${tierLine(tier, input)}`,
    ),
    ...serverLines(input.receipt),
    ...rows,
    waitingLine(entries),
    ...notices.map((notice) => `  note     ${spelled(notice, input)}\n`),
    totals(input.receipt),
  ].join("");
}

function renderExplanation(input: RenderReceiptInput): string {
  const { receipt } = input;
  const entries = receipt.entries.map(
    (entry) =>
      `  ${entry.status.padEnd(10)}${describe(entry).padEnd(9)}${shown(entry.path, input)}${tokensOf(entry)}\n` +
      `            ${entry.reason}: ${spelled(entry, input)}${importer(entry, input)}\n`,
  );
  const notices = receipt.notices.map(
    (notice) => `  notice    ${notice.code}: ${spelled(notice, input)}\n`,
  );
  return [
    `workspace ${shown(receipt.workspaceRoot, input)}\n`,
    ...entries,
    ...(receipt.servers ?? []).map(explainedServer),
    ...notices,
    totals(receipt),
  ].join("");
}

function renderProblems({ receipt, command }: RenderReceiptInput): string {
  const { entries, notices } = receipt;
  const files = entries.filter(({ kind }) => kind !== "import");
  const parts: readonly (readonly [number, string])[] = [
    [count(entries, "truncated"), "truncated"],
    [count(files, "skipped"), "skipped"],
    [entries.filter(isSkippedImport).length, "imports skipped"],
    [notices.length, notices.length === 1 ? "notice" : "notices"],
  ];
  const reported = parts
    .filter(([number]) => number > 0)
    .map(([number, label]) => `${number} ${label}`);
  if (reported.length === 0) return "";
  const hint = command === undefined ? "" : ` (${command("memory explain")})`;
  return `memory: ${[`${count(files, "loaded")} loaded`, ...reported].join(", ")}${hint}\n`;
}

function count(entries: readonly ReceiptEntry[], status: string): number {
  return entries.filter((entry) => entry.status === status && !INTENDED.has(entry.reason)).length;
}

function renderWarnings(input: RenderReceiptInput): string {
  const lost = input.receipt.entries.find(
    ({ path, reason }) => path === STORE_INDEX && reason === "UNREADABLE",
  );
  const missing = lost && `WARNING: the agent works without its topics. ${spelled(lost, input)}\n`;
  return `${renderGlobalWarning(input)}${missing ?? ""}`;
}

function renderGlobalWarning(input: RenderReceiptInput): string {
  return input.receipt.entries
    .filter(
      ({ tier, reason }) => tier === "global" && (reason === "OVER_BUDGET" || reason === "NO_ROOM"),
    )
    .map(
      (entry) =>
        `WARNING: your global memory ${shown(entry.path, input)} is not completely in the prompt. ${spelled(entry, input)}\n`,
    )
    .join("");
}

/** What the user turned off, excluded or wrote twice is as intended. */
const INTENDED: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  "BLANK",
  "TURNED_OFF",
  "EXCLUDED",
  "DUPLICATE",
  "ALREADY_LOADED",
  "NOT_ACTIVE",
]);

function isSkippedImport({ kind, status, reason }: ReceiptEntry): boolean {
  return kind === "import" && (status === "skipped" ? !INTENDED.has(reason) : status === "missing");
}

/** One line per tier: its file, or how many there are. */
function tierLine(tier: TierKind, input: RenderReceiptInput): string {
  const files = input.receipt.entries.filter(
    (entry) =>
      entry.tier === tier &&
      entry.kind !== "import" &&
      entry.scope === undefined &&
      entry.reason !== "NOT_ACTIVE",
  );
  const existing = files.filter(({ status }) => status !== "missing");
  const [only] = existing.length > 0 ? existing : files.filter(isMain);
  const label = `  ${tierName(tier).padEnd(9)}`;
  if (existing.length > 1) {
    const tokens = existing.reduce((sum, entry) => sum + entry.tokens, 0);
    return `${label}${existing.length} files (${grouped(tokens)} tokens)\n`;
  }
  return only === undefined ? "" : line(label, only, input);
}

/** The user's own index and the team's have a line of their own, once there is one. */
function scopeLines(input: RenderReceiptInput): string {
  return input.receipt.entries
    .filter(
      ({ scope, status, reason }) =>
        scope !== undefined && status !== "missing" && reason !== "BLANK",
    )
    .map((entry) => line(`  ${(entry.scope ?? "").padEnd(9)}`, entry, input))
    .join("");
}

/** The file to name when a tier has none. */
function isMain({ tier, path }: ReceiptEntry): boolean {
  return tier !== "project" || /[\\/]CLAUDE\.md$/.test(path);
}

function isShown({ tier, kind, status, reason }: ReceiptEntry): boolean {
  if (kind === "import") return status !== "missing";
  return tier === "project" && status !== "missing" && reason !== "NOT_ACTIVE";
}

function labelOf({ kind }: ReceiptEntry): string {
  if (kind === "import") return "    import ";
  return kind === "rule" ? "    rule   " : "    walk   ";
}

function waitingLine(entries: readonly ReceiptEntry[]): string {
  const waiting = entries.filter(({ reason }) => reason === "NOT_ACTIVE").length;
  if (waiting === 0) return "";
  return `    rules  ${waiting} more for files that match their paths\n`;
}

/** Memory on servers costs no tokens here: it is queried on demand. */
function serverLines({ servers = [] }: Receipt): readonly string[] {
  return servers.map(
    (server) =>
      `  server   ${terminalSafeLine(server.name)} (${formatServer(server)}; on demand)\n`,
  );
}

function explainedServer(server: MemoryServer): string {
  return (
    `  on demand server   ${terminalSafeLine(server.name)}\n` +
    `            ${server.state.toUpperCase()}: ${formatServer(server)}\n`
  );
}

function formatServer({ message, memories }: MemoryServer): string {
  const shownMessage = terminalSafeLine(message);
  if (memories === undefined) return shownMessage;
  return `${shownMessage}, ${grouped(memories)} ${memories === 1 ? "memory" : "memories"}`;
}

function describe({ tier, kind, scope }: ReceiptEntry): string {
  if (scope !== undefined) return scope;
  return kind === "import" || kind === "rule" ? kind : tierName(tier);
}

/** Blocks that a caller adds are learned memory to the user. */
function tierName(tier: TierKind): string {
  return tier === "extra" ? "learned" : tier;
}

function tokensOf({ tokens }: ReceiptEntry): string {
  return tokens > 0 ? ` (${grouped(tokens)} tokens)` : "";
}

function importer({ importedBy }: ReceiptEntry, input: RenderReceiptInput): string {
  return importedBy === undefined ? "" : ` (imported by ${shown(importedBy, input)})`;
}

function line(label: string, entry: ReceiptEntry, input: RenderReceiptInput): string {
  return `${label}${shown(entry.path, input)} (${state(entry, input)})\n`;
}

function state(entry: ReceiptEntry, input: RenderReceiptInput): string {
  const tokens = `${grouped(entry.tokens)} tokens`;
  if (entry.status === "loaded") return tokens;
  if (entry.status === "truncated") return `${tokens}, truncated`;
  if (entry.status === "missing") return "missing";
  return `skipped: ${spelled(entry, input)}`;
}

function spelled(message: CommandMessage, { command = shellCommand }: RenderReceiptInput): string {
  return terminalSafeLine(spellCommands(message, command));
}

function shown(path: string, { platform = "linux", home }: RenderReceiptInput): string {
  return terminalSafeLine(abbreviateHome(pathStyleOf(platform), path, home));
}

function totals({ totalTokens, ceilingTokens }: Receipt): string {
  return `  ${grouped(totalTokens)} of ${grouped(ceilingTokens)} tokens\n`;
}

// Not toLocaleString, so that the same receipt reads the same on every machine.
function grouped(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
