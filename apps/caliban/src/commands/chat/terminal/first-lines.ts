import { abbreviateHome, pathStyleOf, terminalSafeLine } from "@caliban/common";
import type { Receipt } from "@caliban/memory";
import type { Conversation } from "../../../agent/conversation.ts";
import { claudeInstructions, countClaudeTopics } from "../../exchange/claude-hint.ts";
import type { Host } from "../../../host.ts";
import type { ScreenItem } from "../../../../../../packages/tui/src/transcript/items.ts";
import { notice } from "../../../../../../packages/tui/src/transcript/transcript.ts";

interface FirstLinesInput {
  readonly host: Host;
  readonly conversation: Conversation;
}

/** What the screen begins with: who answers and what is remembered, and for a newcomer what to do now. */
export function firstLines({ host, conversation }: FirstLinesInput): readonly ScreenItem[] {
  const receipt = conversation.receipt();
  const isOffline = conversation.model().startsWith("offline/");
  const directory = abbreviateHome(
    pathStyleOf(host.platform),
    host.cwd ?? receipt.workspaceRoot,
    host.home,
  );
  const title = ["caliban", host.version, "·", conversation.model(), "·", directory].join(" ");
  const isNew = isOffline && !receipt.entries.some(({ tokens }) => tokens > 0);
  const imports = importLine(host, receipt);
  const lines = [
    terminalSafeLine(title),
    isNew ? WHAT_WORKS : memoryLine(receipt),
    ...(isOffline ? [HOW_TO_CONNECT] : []),
    ...(isNew && imports.length === 0 ? [WHERE_TO_LOOK] : imports),
  ];
  return [
    { kind: "output", text: lines.join("\n") },
    ...conversation.warnings().map((line) => notice("bad", line)),
  ];
}

// Each fits into a terminal of eighty columns.
const WHAT_WORKS = 'Works now: "remember that we deploy with pnpm ship", then "how do we deploy?"';
const HOW_TO_CONNECT =
  "To connect a model: set ANTHROPIC_API_KEY or another key that /model names.";
const WHERE_TO_LOOK = "/help shows the commands and keys.";

function memoryLine({ entries, totalTokens }: Receipt): string {
  const loaded = entries.filter(({ tokens }) => tokens > 0).length;
  if (loaded === 0) return "memory: nothing yet";
  return `memory: ${loaded} loaded, ${totalTokens.toLocaleString("en-US")} tokens (/memory)`;
}

/** Only while there is none of our own: later it would be noise. */
function importLine(host: Host, { entries, workspaceRoot }: Receipt): readonly string[] {
  const isKept = entries.some(({ tier, tokens }) => tier === "auto" && tokens > 0);
  const count = isKept ? 0 : countClaudeTopics(host, workspaceRoot);
  const globalFile = entries.find(
    ({ tier, kind }) => tier === "global" && kind === "instructions",
  )?.path;
  const found = [
    ...(claudeInstructions(host, globalFile) === undefined ? [] : ["your instructions"]),
    ...(count === 0 ? [] : [`${count} ${count === 1 ? "note" : "notes"} about this project`]),
  ];
  if (found.length === 0) return [];
  return [`Claude Code has ${found.join(" and ")}: /memory import brings them in.`];
}
