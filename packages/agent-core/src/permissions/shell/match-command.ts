import { commandCandidates, type CommandCandidate, findLauncher } from "./command-candidates.ts";
import { isCompound } from "./compound-command.ts";
import { coversArguments } from "./covers-arguments.ts";
import { mayExpandTo } from "./glob-word.ts";
import { matchesPattern, matchesPatternFrom } from "./match-pattern.ts";

/**
 * Whether the pattern of an allow rule matches a command. The user wrote it with one command in mind: `git status*` must
 * not allow `git status; rm -rf ~`, so it never matches a compound command. It matches a command behind `sudo` and the
 * like only if the pattern starts with that too, and options that write, run or load something only if it names them. To
 * allow every command, omit the pattern.
 */
export function matchesAllowedCommand(pattern: string, command: string): boolean {
  return !isCompound(command) && matchesAllowedPart(pattern, command);
}

/** Does the same for a command that is known not to be compound, such as a part of a line. */
export function matchesAllowedPart(pattern: string, command: string): boolean {
  // `git status *` also means `git status` without arguments.
  const isMatch = matchesPattern(pattern, command) || pattern === `${command} *`;
  if (!isMatch) return false;
  const launcher = findLauncher(command);
  if (launcher !== undefined && !pattern.startsWith(launcher)) return false;
  return coversArguments(pattern, command);
}

/** Whether the pattern of a deny or ask rule matches a command anywhere in a command line. */
export function matchesDeniedCommand(pattern: string, command: string): boolean {
  return createCommandMatcher(command)(pattern);
}

/** Checks a command against many patterns, each as widely as the pattern of a deny rule. */
export function createCommandMatcher(command: string): (pattern: string) => boolean {
  const candidates = commandCandidates(command);
  return (pattern) =>
    candidates.some(
      (candidate) =>
        matchesPatternFrom(pattern, candidate.text, candidate.starts) ||
        matchesExpandedName(pattern, candidate),
    );
}

/** Does the same for a command whose name contains wildcards for the shell, as in `/bin/r? x`. */
function matchesExpandedName(pattern: string, { text, starts }: CommandCandidate): boolean {
  if (!/[?*[]/.test(text)) return false;
  const [name = ""] = pattern.split(" ", 1);
  const ends = starts
    .filter((start) => start === 0 || text[start - 1] === "/")
    .map((start) => ({ start, end: endOfWord(text, start) }))
    .filter(({ start, end }) => mayExpandTo(text.slice(start, end), name))
    .map(({ end }) => end);
  // A star in the name may match more than the name.
  const rest = `${name.includes("*") ? "*" : ""}${pattern.slice(name.length)}`;
  return matchesPatternFrom(rest, text, ends);
}

function endOfWord(text: string, start: number): number {
  const end = /\s|$/g;
  end.lastIndex = start;
  return end.exec(text)?.index ?? text.length;
}
