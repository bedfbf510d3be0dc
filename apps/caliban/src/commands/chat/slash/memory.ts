import type { NotesInfo } from "../../../conversation/conversation.ts";
import { renderReceipt } from "../../memory/show.ts";
import { runCaptured } from "./captured-run.ts";
import { alignRows, type SlashInput, type SlashResult } from "./slash-command.ts";
import { memoryVerbs } from "./slash-table.ts";

/**
 * `/memory VERB …`: runs `caliban memory`. What the prompt contains is reported from the conversation's own receipt,
 * because files may have changed since it was built.
 */
export async function memory(input: SlashInput): Promise<SlashResult> {
  const { words } = input;
  const own = words.length > 1 ? undefined : OWN_VERBS.get(words[0] ?? "");
  if (own !== undefined) return { kind: "text", text: await own(input) };
  const verb = isInboxOnly(words) ? [...words, "review"] : words;
  const { kind, text, isConfirmed } = await runCaptured(["memory", ...verb], input);
  // Imported topics are not part of the prompt yet.
  const isImported =
    words[0] === "import" && kind === "text" && (isConfirmed || words.includes("--yes"));
  return { kind, text: isImported ? `${text.trimEnd()}\n${RELOAD_HINT}` : text };
}

/** On the screen, the inbox asks about one proposal after another. */
function isInboxOnly([first, ...rest]: readonly string[]): boolean {
  return first === "inbox" && rest.every((word) => word === "--user");
}

const RELOAD_HINT = "To use it in this conversation: /memory reload";

/** Verbs that the conversation answers itself, without running a command. */
const OWN_VERBS: ReadonlyMap<string, (input: SlashInput) => Promise<string>> = new Map([
  ["", async (input: SlashInput) => (await remembered(input)) + fromReceipt(input, "summary")],
  ["explain", async (input: SlashInput) => fromReceipt(input, "explanation")],
  ["reload", reload],
  ["help", async () => verbTable()],
]);

/** The topics as they are now; nothing when there are none. */
async function remembered(input: SlashInput): Promise<string> {
  const { kind, text } = await runCaptured(["memory", "list"], input);
  return kind === "error" || text.trim() === "" ? "" : `${text.trimEnd()}\n\n`;
}

async function reload({ conversation, invocation }: SlashInput): Promise<string> {
  const receipt = await conversation.reload();
  return `Memory reloaded.\n${renderReceipt(invocation.host, receipt)}`;
}

function fromReceipt(
  { conversation, invocation }: SlashInput,
  view: "summary" | "explanation",
): string {
  const receipt = conversation.receipt();
  return (
    renderReceipt(invocation.host, receipt, view) + formatNotes(conversation.notes()) + WHAT_IT_IS
  );
}

/** Whether memory is recalled, and how often it was in this session. */
function formatNotes({ recall, count }: NotesInfo): string {
  if (recall === "off") return "recall: off\n";
  const notes = count === 1 ? "1 note" : `${count} notes`;
  return `recall: on for ${recall}; ${notes} in this session, see /memory stats\n`;
}

const WHAT_IT_IS =
  "This is what the prompt was built from. For the current topics: /memory list. To rebuild the prompt: /memory reload\n";

function verbTable(): string {
  const rows = memoryVerbs().map(({ name, operands, doc }) => {
    const usage = operands === undefined ? name : `${name} ${operands}`;
    return [`/memory ${usage}`, doc] as const;
  });
  return [...alignRows(rows), "", "For the options of a verb: /memory <verb> --help"].join("\n");
}
