import type { ToolContext } from "@caliban/agent-core";
import type { Applies } from "@caliban/memory";

type RecentCalls = NonNullable<ToolContext["recentCalls"]>;

const MAX_PATHS = 3;
const MAX_COMMANDS = 3;
const MAX_PATTERN_CHARACTERS = 200;

/**
 * Drafts what a new topic applies to: the files and commands that the model used since the user's last message and that
 * the text names. `undefined` if there is none; a guess that matches too much would be shown too often.
 */
export function draftApplies(text: string, recentCalls: RecentCalls): Applies | undefined {
  // The newest first: they are the most likely to be the reason for the topic.
  const used = recentCalls.filter(({ isInTurn }) => isInTurn).toReversed();
  const paths = used.flatMap((call) => draftPath(text, call) ?? []);
  const commands = used.flatMap((call) => draftCommands(text, call));
  const applies = { paths: firstOf(paths, MAX_PATHS), commands: firstOf(commands, MAX_COMMANDS) };
  return applies.paths.length + applies.commands.length === 0 ? undefined : applies;
}

function firstOf(patterns: readonly string[], max: number): readonly string[] {
  const short = patterns.filter((pattern) => pattern.length <= MAX_PATTERN_CHARACTERS);
  return [...new Set(short)].slice(0, max);
}

/** The glob of a file that the text names, or of its directory. */
function draftPath(
  text: string,
  { tool, permission, subject }: RecentCalls[number],
): string | undefined {
  // Files outside of the workspace have absolute paths, and topics have addresses.
  if (!permission.startsWith("fs.") || subject === undefined || !isRelative(subject))
    return undefined;
  const isSearch = tool === "Grep" || tool === "Glob";
  const names = subject.split("/");
  const fileName = names.at(-1) ?? "";
  if (!isSearch && (mentions(text, subject) || (fileName.length > 3 && mentions(text, fileName)))) {
    return escapeGlob(subject);
  }
  const directory = isSearch ? subject : names.slice(0, -1).join("/");
  return namesDirectory(text, directory) ? `${escapeGlob(directory)}/**` : undefined;
}

function isRelative(path: string): boolean {
  return path !== "." && !/^(?:[/\\~]|[A-Za-z]:|memory:|\.\.)/.test(path);
}

/** Directories at the top that hold nearly everything. */
const BROAD = new Set(["app", "apps", "lib", "packages", "source", "sources", "src"]);

function namesDirectory(text: string, directory: string): boolean {
  if (directory === "" || BROAD.has(directory)) return false;
  // A directory at the top is often a common word, so its name needs a slash.
  return mentions(text, directory.includes("/") ? directory : `${directory}/`);
}

/** Characters with a meaning in globs match themselves. */
function escapeGlob(path: string): string {
  return path.replaceAll(/[\\*?[\]{}()!+@]/g, "\\$&");
}

/** Programs that say nothing about a topic, because everything uses them. */
const COMMON_PROGRAMS = new Set(
  "awk cat cd chmod cp cut date echo env export false find grep head less ls mkdir mv printf pwd rg rm sed sleep sort tail tee test touch tr true uniq wc which xargs".split(
    " ",
  ),
);
/** Programs that do too many things, or whose name is a common word: the text has to name what they did. */
const NEEDS_ARGUMENT = new Set(
  "bash bun deno docker git go just make node npx perl php python python3 ruby sh sudo task time watch".split(
    " ",
  ),
);

/** Patterns for the commands that the text names, such as `npm *` or `pnpm ship*`. */
function draftCommands(
  text: string,
  { permission, subject }: RecentCalls[number],
): readonly string[] {
  if (permission !== "shell.run" || subject === undefined) return [];
  return subject.split(/&&|\|\||[;|\n]/).flatMap((part) => {
    const words = part.trim().split(/\s+/);
    const [program = "", argument = ""] = words.slice(
      words.findIndex((word) => !word.includes("=")),
    );
    if (!/^[\w.-]+$/.test(program) || COMMON_PROGRAMS.has(program)) return [];
    const hasName = /^[\w:.-]*\w[\w:.-]*$/.test(argument) && !argument.startsWith("-");
    if (hasName && mentions(text, `${program} ${argument}`)) return [`${program} ${argument}*`];
    const isNamed = !NEEDS_ARGUMENT.has(program) && program.length > 1 && mentions(text, program);
    return isNamed ? [`${program} *`] : [];
  });
}

/** Whether a text contains a name on its own, not as a part of a longer one. */
function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const before = text[at - 1] ?? " ";
    const after = text.slice(at + name.length, at + name.length + 2);
    // A period may end a sentence.
    const isWhole = name.endsWith("/") || !/^(?:[\w-]|\.\w)/.test(after);
    if (isWhole && !/[\w./-]/.test(before)) return true;
  }
  return false;
}
