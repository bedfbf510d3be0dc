import { abbreviateHome, pathStyleOf, terminalSafeLine } from "@caliban/common";
import type { Receipt } from "@caliban/memory";
import { findClaudeMemory } from "@caliban/memory/node";
import { providerKeys } from "@caliban/providers";
import { notice, type ScreenItem } from "@caliban/tui";
import type { Conversation } from "../../../conversation/conversation.ts";
import type { Host } from "../../../host.ts";
import { keyLines } from "./connect-lines.ts";

interface FirstLinesInput {
  readonly host: Host;
  readonly conversation: Conversation;
}

/** The first lines of the screen: the model, the loaded memory, and for a new user what to try. */
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
    isNew ? TRY_THIS : memoryLine(receipt),
    ...(isOffline ? [OFFLINE_MODEL] : connectedLines(host, conversation)),
    ...(isOffline && conversation.defaultModel() === undefined ? keyLines(host.env) : []),
    ...(isNew && imports.length === 0 ? [SEE_HELP] : imports),
  ];
  return [
    { kind: "output", text: lines.join("\n") },
    ...conversation.warnings().map(({ message }) => notice("bad", message)),
  ];
}

/** Tells a new user which key answers, and what to do first. */
function connectedLines({ env }: Host, conversation: Conversation): readonly string[] {
  if (conversation.receipt().entries.some(({ tokens }) => tokens > 0)) return [];
  const [provider] = conversation.model().split("/");
  const key = providerKeys({}, env).find((each) => each.provider === provider)?.present;
  return [
    ...(key === undefined ? [] : [`${key} is set, so ${provider} answers. To switch: /model`]),
    "Ask for a change, or /init for a first CLAUDE.md; /help lists commands and keys.",
  ];
}

// Each fits on a line of 80 columns.
const TRY_THIS = 'Try: "remember that we deploy with pnpm ship", then "how do we deploy?"';
const OFFLINE_MODEL =
  "offline/rehearsal is built in: it saves and finds memory, and writes no code.";
const SEE_HELP = "Type /help for commands and keys.";

function memoryLine({ entries, totalTokens }: Receipt): string {
  const loaded = entries.filter(({ tokens }) => tokens > 0).length;
  if (loaded === 0) return "memory: empty";
  return `memory: ${loaded} loaded, ${totalTokens.toLocaleString("en-US")} tokens (/memory)`;
}

/** Only shown while caliban has no topics of its own: later it would be noise. */
function importLine(host: Host, { entries, workspaceRoot }: Receipt): readonly string[] {
  const hasTopics = entries.some(({ tier, tokens }) => tier === "auto" && tokens > 0);
  const globalFile = entries.find(
    ({ tier, kind }) => tier === "global" && kind === "instructions",
  )?.path;
  const claude = findClaudeMemory({ ...host, projectPath: workspaceRoot, globalFile });
  const count = hasTopics ? 0 : claude.topicCount;
  const found = [
    ...(claude.instructions === undefined ? [] : ["your instructions"]),
    ...(count === 0 ? [] : [`${count} ${count === 1 ? "topic" : "topics"} about this project`]),
  ];
  if (found.length === 0) return [];
  return [`Claude Code has ${found.join(" and ")}. Import with: /memory import`];
}
