import { commandTexts, createCommandMatcher, type ToolCall } from "@caliban/agent-core";

/** Verbs of `caliban memory` that decide what the agent must do or is told. They belong to the user. */
const VERBS = ["enforce", "inbox", "restore", "move", "team"] as const;

const PROGRAM = "caliban";
const RULES_FILE = "enforced.json";

/**
 * Says why only the user may decide about a call: it would run a verb that belongs to the user, or touch the file of
 * enforced rules. No rule, mode or "always" answers for them. Errs on the side of asking, and cannot see what a script
 * does that was written before.
 */
export function reservedReason({
  name,
  permission,
  input,
}: Pick<ToolCall, "name" | "input"> & { readonly permission: string }): string | undefined {
  const [category] = permission.split(".", 1);
  if (category === "fs") return permission === "fs.write" ? reservedFile(name, input) : undefined;
  if (category === "memory" || category === "skill") return undefined;
  const texts = textsIn(input);
  // Texts for a server are mostly prose, so they must name the program.
  if (category === "mcp" && !texts.some((text) => NAMES_PROGRAM.test(text))) return undefined;
  return [...texts, texts.join(" ")].map(reservedCommand).find((reason) => reason !== undefined);
}

const NAMES_PROGRAM = /caliban|\bbin\.[cm]?js\b|\benforced\.json\b/i;

function reservedFile(tool: string, input: unknown): string | undefined {
  const isRules = textsIn(input).some((text) =>
    /(?:^|[/\\])caliban[/\\]enforced\.json$/i.test(text),
  );
  return isRules ? `${tool} would change ${RULES_FILE}, which has your enforced rules.` : undefined;
}

function reservedCommand(command: string): string | undefined {
  if (command.includes(RULES_FILE)) {
    return `The command names ${RULES_FILE}, which has your enforced rules.`;
  }
  // Checked first, because almost no command gets past it.
  if (!MAY_NAME_MEMORY.test(command)) return undefined;
  const verb = findVerb(command);
  if (verb !== undefined) return `Only you decide about \`${PROGRAM} memory ${verb}\`.`;
  return computesVerb(command)
    ? `Only you decide about some verbs of \`${PROGRAM} memory\`, and this command computes the verb.`
    : undefined;
}

// Any of its spellings: quotes and expansions inside a word, or a text that is encoded.
const MAY_NAME_MEMORY =
  /m["'\\$`{]*e|memory|caliban|\b(?:base64|base32|xxd|rev|uudecode|openssl)\b|\\x|\$'/i;

/** The reserved verb that a shell may run, in any spelling. */
function findVerb(command: string): string | undefined {
  const matches = createCommandMatcher(command);
  const texts = commandTexts(command).filter((text) => !ONLY_SHOWS_TEXT.has(firstWord(text)));
  const found = new Set(texts.flatMap((text) => verbsAfterMemory(text.split(/\s+/))));
  return VERBS.find((verb) => found.has(verb) || matches(`${PROGRAM} memory ${verb}*`));
}

/** Whether the verb comes from elsewhere, such as `$(cat file)` or the input of `xargs`. */
function computesVerb(command: string): boolean {
  const words = command.split(/\s+/).map((word) => word.replace(/["']/g, ""));
  const isProgram = words.some((word) => NAMES_PROGRAM.test(word));
  if (!isProgram) return false;
  return (
    verbsAfterMemory(words).some((word) => /^[$`{*?[]/.test(word)) ||
    /\b(?:xargs|parallel)\b[^\n]{0,200}\bmemory["']?\s*(?:$|[;&|\n])/.test(command)
  );
}

// More options than anyone gives.
const MAX_WORDS_BETWEEN = 12;

/** The words that may be the verb of `memory`, which options may come before, with or without a value. */
function verbsAfterMemory(words: readonly string[]): readonly string[] {
  return words.flatMap((word, index) => {
    if (word !== "memory") return [];
    const after = words.slice(index + 1, index + 1 + MAX_WORDS_BETWEEN);
    const end = after.findIndex((each, at) => !isOption(each) && !isOption(after[at - 1]));
    return after.slice(0, end === -1 ? after.length : end + 1).filter((each) => !isOption(each));
  });
}

function isOption(word: string | undefined): boolean {
  return word?.startsWith("-") === true;
}

/** Programs that print or search the words they are given. */
const ONLY_SHOWS_TEXT: ReadonlySet<string> = new Set(
  "grep egrep fgrep rg git gh echo printf cat head tail less ls wc diff jq man".split(" "),
);

function firstWord(text: string): string {
  const [word = ""] = text.trimStart().split(/\s/, 1);
  return word.slice(word.lastIndexOf("/") + 1);
}

const MAX_TEXTS = 1_000;

/** All texts of an input, however deep. */
function textsIn(input: unknown): readonly string[] {
  const texts: string[] = [];
  const queue: unknown[] = [input];
  for (
    let value = queue.shift();
    value !== undefined && texts.length < MAX_TEXTS;
    value = queue.shift()
  ) {
    if (typeof value === "string") texts.push(value);
    else if (typeof value === "object" && value !== null) queue.push(...Object.values(value));
  }
  return texts;
}
