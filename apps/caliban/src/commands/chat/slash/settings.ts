import { runCaptured } from "./captured-run.ts";
import type { SlashInput, SlashResult } from "./slash-command.ts";

const VERBS: ReadonlySet<string> = new Set(["get", "set", "unset"]);

/** `/settings [KEY [VALUE …]]`: what `caliban settings` does; without a verb the number of words tells which. */
export async function settings(input: SlashInput): Promise<SlashResult> {
  const { words } = input;
  const [first, ...rest] = words;
  const isPlain = first === undefined || first.startsWith("-") || VERBS.has(first);
  const verb = rest.length === 0 ? "get" : "set";
  const result = await runCaptured(["settings", ...(isPlain ? words : [verb, ...words])], input);
  const isSet =
    result.kind === "text" && (isPlain ? first === "set" || first === "unset" : verb === "set");
  return isSet ? { kind: "text", text: `${result.text.trimEnd()}\n${WHEN}` } : result;
}

const WHEN = "It holds from the next start or /clear on.";
