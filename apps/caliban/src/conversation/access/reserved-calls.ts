import { resolve } from "node:path";
import { commandTexts, createCommandMatcher, type ToolCall } from "@caliban/agent-core";
import type { SettingValues } from "@caliban/settings";
import { expandTilde, pathStyleOf } from "@caliban/common";
import { statIfExists } from "@caliban/common/node";
import { type EnforcedLocation, enforcedPath } from "../../enforced/enforced-store.ts";

/** Verbs of `caliban memory` that decide what the agent must do, may read or is told. They belong to the user. */
const USER_VERBS: readonly string[] = [
  "enforce",
  "inbox",
  "restore",
  "move",
  "team",
  "adopt",
  "approve",
];

/** Verbs that save or remove topics without the review that the memory tools pass. */
const UNREVIEWED_VERBS: readonly string[] = ["write", "edit", "rm", "forget", "undo", "import"];

/** Verbs that change topics. Memory about the user is written only from the user's words, which no one can check here. */
const CHANGING_VERBS: ReadonlySet<string> = new Set(
  "write edit mv rm forget undo import rebuild-index doctor".split(" "),
);

const PROGRAM = "caliban";
const RULES_FILE = "enforced.json";

type ReservedCall = Pick<ToolCall, "name" | "input"> & { readonly permission: string };

/**
 * Says why only the user may decide about a call: it would run a verb that belongs to the user, or touch the file of
 * enforced rules. No rule, mode or "always" answers for them. Errs on the side of asking, and cannot see what a script
 * does that was written before.
 */
export function createReservedReason(
  location: EnforcedLocation,
  memoryWrite: SettingValues["memory.write"],
): (call: ReservedCall) => string | undefined {
  const isRulesFile = rulesFileTest(location);
  const verbs = memoryWrite === "allow" ? USER_VERBS : [...USER_VERBS, ...UNREVIEWED_VERBS];
  const reasonOf = (command: string): string | undefined => reservedCommand(command, verbs);
  return ({ name, permission, input }) => {
    const [category] = permission.split(".", 1);
    const texts = textsIn(input);
    if (category === "fs") {
      const isChanged = permission === "fs.write" && texts.some(isRulesFile);
      return isChanged
        ? `${name} would change ${RULES_FILE}, which has your enforced rules.`
        : undefined;
    }
    if (RUN_NOTHING.has(category ?? "")) return undefined;
    // Texts for a server are mostly prose, so they must name the program.
    if (category === "mcp" && !texts.some((text) => NAMES_PROGRAM.test(text))) return undefined;
    return [...texts, texts.join(" ")].map(reasonOf).find((reason) => reason !== undefined);
  };
}

/** A subagent's own calls are decided about when it makes them, and the user reads a plan. */
const RUN_NOTHING: ReadonlySet<string> = new Set(["memory", "skill", "task", "plan"]);

const NAMES_PROGRAM = /caliban|\bbin\.[cm]?js\b|\benforced\.json\b/i;

/** Whether a path leads to the file, by its name or through a link. */
function rulesFileTest(location: EnforcedLocation): (path: string) => boolean {
  const { environment, workspace } = location;
  const rulesPath = enforcedPath(location);
  return (path) => {
    if (/(?:^|[/\\])caliban[/\\]enforced\.json$/i.test(path)) return true;
    // The other texts of an input are contents of files.
    if (rulesPath === undefined || path.length > MAX_PATH || /[\n\0]/.test(path)) return false;
    const expanded = expandTilde(pathStyleOf(environment.platform), path, environment.home);
    const file = statIfExists(resolve(workspace.startDirectory, expanded));
    const rules = file?.isFile() === true ? statIfExists(rulesPath) : undefined;
    return file !== undefined && file.ino === rules?.ino && file.dev === rules.dev;
  };
}

const MAX_PATH = 4_096;

function reservedCommand(command: string, verbs: readonly string[]): string | undefined {
  if (command.includes(RULES_FILE)) {
    return `The command names ${RULES_FILE}, which has your enforced rules.`;
  }
  // Checked first, because almost no command gets past it.
  if (!MAY_NAME_MEMORY.test(command)) return undefined;
  const texts = commandTexts(command);
  const decision = findDecision(command, texts);
  if (decision !== undefined) return `Only you decide about \`${PROGRAM} ${decision}\`.`;
  if (changesUserMemory(texts)) return "Only you change memory about you on the command line.";
  const verb = findVerb(command, { texts, verbs });
  if (verb !== undefined) return `Only you decide about \`${PROGRAM} memory ${verb}\`.`;
  if (computesVerb(command))
    return `Only you decide about some verbs of \`${PROGRAM} memory\`, and this command computes the verb.`;
  return configReason(command, texts);
}

const CONFIG_DIRECTORY =
  /(?:\.config|XDG_CONFIG_HOME\}?|APPDATA[%}]?)["']?[/\\]+["']?caliban(?![\w-])/i;
const OTHER_CONFIG = /\b(?:XDG_CONFIG_HOME|HOME|APPDATA)=/;
const READS = new Set("cat head tail less ls wc grep rg jq stat file".split(" "));

/** The directory of the rules can be moved or removed, or another one be used. */
function configReason(command: string, texts: readonly string[]): string | undefined {
  const naming = texts.filter((text) => CONFIG_DIRECTORY.test(text));
  const onlyReads = !command.includes(">") && naming.every((text) => READS.has(firstWord(text)));
  if (CONFIG_DIRECTORY.test(command) || naming.length > 0)
    return onlyReads && naming.length > 0
      ? undefined
      : "The command names the directory that has your enforced rules.";
  const isOther = [command, ...texts].some((text) => OTHER_CONFIG.test(text));
  return isOther && PROGRAM_WORD.test(command)
    ? `The command runs ${PROGRAM} with another directory for your enforced rules.`
    : undefined;
}

const PROGRAM_WORD = /(?:^|[\s/"';&|(])caliban(?=$|[\s"';&|)@])/;

// Any of its spellings: quotes and expansions inside a word, or a text that is encoded.
const MAY_NAME_MEMORY =
  /m["'\\$`{]*e|\.config|CONFIG_HOME|memory|hooks|approve|caliban|\b(?:base64|base32|xxd|rev|uudecode|openssl)\b|\\x|\$'/i;

/** The reserved verb that a shell may run, in any spelling. */
function findVerb(
  command: string,
  { texts, verbs }: { readonly texts: readonly string[]; readonly verbs: readonly string[] },
): string | undefined {
  const matches = createCommandMatcher(command);
  const run = texts.filter((text) => !ONLY_SHOWS_TEXT.has(firstWord(text)));
  const found = new Set(run.flatMap((text) => verbsAfter("memory", text.split(/\s+/))));
  const isAliased = ALIAS.test(command);
  return verbs.find(
    (verb) =>
      found.has(verb) ||
      matches(`${PROGRAM} memory ${verb}*`) ||
      (isAliased && new RegExp(`\\b${verb}\\b`).test(command)),
  );
}

/** The command that would let a program of a repository run, or have caliban itself start one, in any spelling. */
function findDecision(command: string, texts: readonly string[]): string | undefined {
  const matches = createCommandMatcher(command);
  const run = texts.filter((text) => !ONLY_SHOWS_TEXT.has(firstWord(text)));
  const words = run.map((text) => text.split(/\s+/));
  const group = ["hooks", "mcp"].find(
    (name) =>
      matches(`${PROGRAM} ${name} approve*`) ||
      words.some((each) => verbsAfter(name, each).includes("approve")),
  );
  if (group !== undefined) return `${group} approve`;
  const sets = words.some((each) => ["settings", "set"].every((word) => each.includes(word)));
  if (sets && /\bhooks\s*\./.test(command)) return "settings set hooks";
  return sets && /\bmemory\s*\.\s*team\b/.test(command) ? "settings set memory.team" : undefined;
}

const ALIAS = /\balias\b[^\n;]*caliban/;

function changesUserMemory(texts: readonly string[]): boolean {
  return texts.some((text) => {
    const words = text.split(/\s+/);
    return (
      words.includes("--user") &&
      !ONLY_SHOWS_TEXT.has(firstWord(text)) &&
      verbsAfter("memory", words).some((verb) => CHANGING_VERBS.has(verb))
    );
  });
}

/** Whether the verb comes from elsewhere, such as `$(cat file)` or the input of `xargs`. */
function computesVerb(command: string): boolean {
  const words = command.split(/\s+/).map((word) => word.replace(/["']/g, ""));
  const isProgram = words.some((word) => NAMES_PROGRAM.test(word));
  if (!isProgram) return false;
  return (
    verbsAfter("memory", words).some((word) => /^[$`{*?[]/.test(word)) ||
    /\b(?:xargs|parallel)\b[^\n]{0,200}\bmemory["']?\s*(?:$|[;&|\n])/.test(command)
  );
}

// More options than anyone gives.
const MAX_WORDS_BETWEEN = 12;

/** The words that may be the verb of a command, which options may come before, with or without a value. */
function verbsAfter(name: string, words: readonly string[]): readonly string[] {
  return words.flatMap((word, index) => {
    if (word !== name) return [];
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
