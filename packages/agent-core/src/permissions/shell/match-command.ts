import { commandCandidates, type CommandCandidate } from "./command-candidates.ts";
import { mayExpandTo } from "./glob-word.ts";
import { matchesPatternFrom } from "./match-pattern.ts";

/** Whether a pattern of a rule that tightens finds a command it means anywhere in a command line. */
export function catchesCommand(pattern: string, command: string): boolean {
  return commandCandidates(command).some(
    (candidate) =>
      matchesPatternFrom(pattern, candidate.text, candidate.starts) ||
      catchesWildcard(pattern, candidate),
  );
}

/** The same for a command whose name a shell looks up, as in `/bin/r? x`. */
function catchesWildcard(pattern: string, { text, starts }: CommandCandidate): boolean {
  if (!/[?*[]/.test(text)) return false;
  const [name = ""] = pattern.split(" ", 1);
  const ends = starts
    .filter((start) => start === 0 || text[start - 1] === "/")
    .map((start) => ({ start, end: endOfWord(text, start) }))
    .filter(({ start, end }) => mayExpandTo(text.slice(start, end), name))
    .map(({ end }) => end);
  // A star in the name may stand for more than the name.
  const rest = `${name.includes("*") ? "*" : ""}${pattern.slice(name.length)}`;
  return matchesPatternFrom(rest, text, ends);
}

function endOfWord(text: string, start: number): number {
  const end = /\s|$/g;
  end.lastIndex = start;
  return end.exec(text)?.index ?? text.length;
}
