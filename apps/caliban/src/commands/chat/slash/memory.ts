import { nearest, terminalSafeLine } from "@caliban/common";
import { renderExplanation, renderSummary } from "@caliban/memory";
import { renderReceipt } from "../../memory.ts";
import { runCaptured } from "./captured-run.ts";
import type { SlashInput, SlashResult } from "./slash-command.ts";
import { memoryVerbs } from "./slash-table.ts";

/**
 * `/memory VERB …`: what `caliban memory` does. What is in the prompt is told from the conversation's own receipt,
 * because files may have changed since it was built.
 */
export async function memory(input: SlashInput): Promise<SlashResult> {
  const { words } = input;
  const own = words.length > 1 ? undefined : OWN_VERBS.get(words[0] ?? "");
  if (own !== undefined) return { kind: "text", text: await own(input) };
  const [verb] = words;
  if (verb !== undefined && !verb.startsWith("-") && !isVerb(verb)) return unknownVerb(verb);
  const missing = missingOperands(words);
  if (missing !== undefined) return { kind: "mistake", text: missing };
  const result = await runCaptured(["memory", ...words], input);
  return verb === "import" ? withHint(result) : result;
}

/** What is told by the conversation and not by a command. */
const OWN_VERBS: ReadonlyMap<string, (input: SlashInput) => Promise<string>> = new Map([
  ["", async (input: SlashInput) => fromReceipt(input, renderSummary)],
  ["explain", async (input: SlashInput) => fromReceipt(input, renderExplanation)],
  ["reload", reload],
  ["help", async () => verbTable()],
]);

async function reload({ conversation, invocation }: SlashInput): Promise<string> {
  const receipt = await conversation.reload();
  return `Memory was read again.\n${renderReceipt(invocation.host, receipt)}`;
}

function fromReceipt(
  { conversation, invocation }: SlashInput,
  render: typeof renderSummary,
): string {
  return renderReceipt(invocation.host, conversation.receipt(), render) + WHAT_IT_IS;
}

/** What was taken over is no part of the prompt yet. */
function withHint(result: SlashResult): SlashResult {
  if (!("text" in result) || !/^ {2}(?:imported|copied) /m.test(result.text)) return result;
  return { ...result, text: `${result.text.trimEnd()}\n${NOT_YET}` };
}

const NOT_YET = "/memory reload puts it into this conversation.";

function isVerb(word: string): boolean {
  return memoryVerbs().some(({ name }) => name === word);
}

/** How it is typed, when less stands behind the verb than it needs. */
function missingOperands([verb = "", ...behind]: readonly string[]): string | undefined {
  const operands = memoryVerbs().find(({ name }) => name === verb)?.operands ?? "";
  const needed = operands.split(" ").filter((each) => each.startsWith("<")).length;
  const given = behind.filter((word) => !word.startsWith("-")).length;
  if (given >= needed || behind.some((word) => word === "--help" || word === "-h"))
    return undefined;
  const question = operands.startsWith("<slug>") ? "which" : "what";
  return `Say ${question}: /memory ${verb} ${operands}`;
}

function unknownVerb(word: string): SlashResult {
  const names = memoryVerbs().map(({ name }) => name);
  const meant = word === "ls" ? "list" : nearest(word, names);
  const hint = meant === undefined ? "" : ` Did you mean /memory ${meant}?`;
  const text = `/memory cannot ${terminalSafeLine(word)}.${hint} The verbs are ${names.join(", ")}; /memory help tells what each does.`;
  return { kind: "mistake", text };
}

function verbTable(): string {
  const rows = memoryVerbs().map(({ name, operands, doc }) => {
    const usage = operands === undefined ? name : `${name} ${operands}`;
    return [`/memory ${usage}`, doc] as const;
  });
  const width = Math.max(...rows.map(([usage]) => usage.length));
  return rows.map(([usage, doc]) => `${usage.padEnd(width)}  ${doc}`).join("\n");
}

const WHAT_IT_IS =
  "This is what the prompt was built from. /memory list shows the notes as they are now, /memory reload reads all again.\n";
