import { abbreviateHome, pathStyleOf, terminalSafeLine } from "@caliban/common";
import type { MemoryServer, ReasonCode, Receipt, ReceiptEntry } from "./receipt.ts";
import { SPLICE_ORDER, type TierKind } from "./tier.ts";

export interface SummaryInput {
  readonly receipt: Receipt;
  readonly home: string | undefined;
  readonly platform: string;
}

/** The tiers with their paths and token counts, for people. Made from the receipt and nothing else. */
export function renderSummary(input: SummaryInput): string {
  const { entries, notices } = input.receipt;
  const rows = entries.filter(isShown).map((entry) => line(labelOf(entry), entry, input));
  return [
    ...SPLICE_ORDER.map((tier) => tierLine(tier, input)),
    ...serverLines(input.receipt),
    ...rows,
    waitingLine(entries),
    ...notices.map(({ message: sentence }) => `  note     ${terminalSafeLine(sentence)}\n`),
    totals(input.receipt),
  ].join("");
}

/** Every file considered, with its reason in a sentence. */
export function renderExplanation(input: SummaryInput): string {
  const { receipt } = input;
  const entries = receipt.entries.map(
    (entry) =>
      `  ${entry.status.padEnd(10)}${describe(entry).padEnd(9)}${shown(entry.path, input)}${tokensOf(entry)}\n` +
      `            ${entry.reason}: ${terminalSafeLine(entry.message)}${importer(entry, input)}\n`,
  );
  const notices = receipt.notices.map(
    ({ code, message: sentence }) => `  notice    ${code}: ${terminalSafeLine(sentence)}\n`,
  );
  return [
    `workspace ${shown(receipt.workspaceRoot, input)}\n`,
    ...entries,
    ...(receipt.servers ?? []).map(explainedServer),
    ...notices,
    totals(receipt),
  ].join("");
}

/** One line when something did not reach the prompt whole; empty when everything did. */
export function renderStartLine({ entries, notices }: Receipt, command: string): string {
  const files = entries.filter(({ kind }) => kind !== "import");
  const parts: readonly (readonly [number, string])[] = [
    [count(entries, "truncated"), "truncated"],
    [count(files, "skipped"), "skipped"],
    [entries.filter(isSkippedImport).length, "imports skipped"],
    [notices.length, "to note"],
  ];
  const said = parts
    .filter(([number]) => number > 0)
    .map(([number, words]) => `${number} ${words}`);
  if (said.length === 0) return "";
  return `memory: ${[`${count(files, "loaded")} loaded`, ...said].join(", ")} (${command})\n`;
}

function count(entries: readonly ReceiptEntry[], status: string): number {
  return entries.filter((entry) => entry.status === status && !AS_WISHED.has(entry.reason)).length;
}

/** A loud line when the person's own rules did not fit, which is theirs to mend; empty when they did. */
export function renderGlobalWarning(input: SummaryInput): string {
  return input.receipt.entries
    .filter(
      ({ tier, reason }) => tier === "global" && (reason === "OVER_BUDGET" || reason === "NO_ROOM"),
    )
    .map(
      (entry) =>
        `WARNING: your global memory ${shown(entry.path, input)} is not whole in the prompt. ${terminalSafeLine(entry.message)}\n`,
    )
    .join("");
}

/** What a person turned off, left out or wrote twice is as they want it. */
const AS_WISHED: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  "BLANK",
  "TURNED_OFF",
  "EXCLUDED",
  "DUPLICATE",
  "ALREADY_LOADED",
  "NOT_ACTIVE",
]);

function isSkippedImport({ kind, status, reason }: ReceiptEntry): boolean {
  return (
    kind === "import" && (status === "skipped" ? !AS_WISHED.has(reason) : status === "missing")
  );
}

/** One line a tier: its file, or how many there are. */
function tierLine(tier: TierKind, input: SummaryInput): string {
  const files = input.receipt.entries.filter(
    (entry) => entry.tier === tier && entry.kind !== "import" && entry.reason !== "NOT_ACTIVE",
  );
  const there = files.filter(({ status }) => status !== "missing");
  const [only] = there.length > 0 ? there : files.filter(isMain);
  const label = `  ${tierName(tier).padEnd(9)}`;
  if (there.length > 1) {
    const tokens = there.reduce((sum, entry) => sum + entry.tokens, 0);
    return `${label}${there.length} files (${grouped(tokens)} tokens)\n`;
  }
  return only === undefined ? "" : line(label, only, input);
}

/** Of the files that could be there, the one to name when none is. */
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

/** Memory behind servers costs nothing here: it is looked at when somebody asks for it. */
function serverLines({ servers = [] }: Receipt): readonly string[] {
  return servers.map(
    (server) => `  server   ${terminalSafeLine(server.name)} (${serverWords(server)}; on demand)\n`,
  );
}

function explainedServer(server: MemoryServer): string {
  return (
    `  on demand server   ${terminalSafeLine(server.name)}\n` +
    `            ${server.state.toUpperCase()}: ${serverWords(server)}\n`
  );
}

function serverWords({ message: sentence, memories }: MemoryServer): string {
  const words = terminalSafeLine(sentence);
  if (memories === undefined) return words;
  return `${words}, ${grouped(memories)} ${memories === 1 ? "memory" : "memories"}`;
}

function describe({ tier, kind }: ReceiptEntry): string {
  return kind === "import" || kind === "rule" ? kind : tierName(tier);
}

/** What people read: blocks that a program adds are what it learned. */
function tierName(tier: TierKind): string {
  return tier === "extra" ? "learned" : tier;
}

function tokensOf({ tokens }: ReceiptEntry): string {
  return tokens > 0 ? ` (${grouped(tokens)} tokens)` : "";
}

function importer({ importedBy }: ReceiptEntry, input: SummaryInput): string {
  return importedBy === undefined ? "" : ` (imported by ${shown(importedBy, input)})`;
}

function line(label: string, entry: ReceiptEntry, input: SummaryInput): string {
  return `${label}${shown(entry.path, input)} (${state(entry)})\n`;
}

function state(entry: ReceiptEntry): string {
  const tokens = `${grouped(entry.tokens)} tokens`;
  if (entry.status === "loaded") return tokens;
  if (entry.status === "truncated") return `${tokens}, truncated`;
  if (entry.status === "missing") return "missing";
  return `skipped: ${terminalSafeLine(entry.message)}`;
}

function shown(path: string, { platform, home }: SummaryInput): string {
  return terminalSafeLine(abbreviateHome(pathStyleOf(platform), path, home));
}

function totals({ totalTokens, ceilingTokens }: Receipt): string {
  return `  ${grouped(totalTokens)} of ${grouped(ceilingTokens)} tokens\n`;
}

// Not toLocaleString: the same receipt reads the same on every machine.
function grouped(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
