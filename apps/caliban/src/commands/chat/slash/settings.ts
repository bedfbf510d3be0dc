import { runCaptured } from "./captured-run.ts";
import type { SlashInput, SlashResult } from "./slash-command.ts";

const VERBS: ReadonlySet<string> = new Set(["get", "set", "unset"]);

/** `/settings [KEY [VALUE …]]`: runs `caliban settings`; without a verb, the number of words decides between get and set. */
export async function settings(input: SlashInput): Promise<SlashResult> {
  const { words } = input;
  const [first, ...rest] = words;
  const isPlain = first === undefined || first.startsWith("-") || VERBS.has(first);
  const verb = rest.length === 0 ? "get" : "set";
  const { kind, text } = await runCaptured(
    ["settings", ...(isPlain ? words : [verb, ...words])],
    input,
  );
  const isChange = isPlain ? first === "set" || first === "unset" : verb === "set";
  if (kind !== "text" || !isChange) return { kind, text };
  return { kind, text: `${text.trimEnd()}\n${TAKES_EFFECT}` };
}

const TAKES_EFFECT = "Takes effect after a restart or /clear.";
