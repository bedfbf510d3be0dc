import { commandParts } from "./compound-command.ts";

// Commands that run another one, and words of the shell's own grammar that one may follow.
const LAUNCHERS: ReadonlySet<string> = new Set(
  `sudo doas su runuser env command builtin exec eval nohup time timeout nice ionice setsid stdbuf xargs parallel find fd
  watch strace chroot unshare flock script busybox coproc caffeinate
  sh bash zsh dash ash ksh fish pwsh powershell cmd
  if then elif else do while until for !`
    .split(/\s+/)
    .flatMap((word) => [word, `${word}.exe`]),
);

const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;

const REDIRECTION = /(?<!\d)\d*[<>]+[&|]?\s*[^\s;&|<>()]*/g;

/** A text, and the places in it where a command may begin; each goes on to the end of the text. */
export interface CommandCandidate {
  readonly text: string;
  readonly starts: readonly number[];
}

/**
 * What a rule that tightens is held against: the command, each part of it, and what stands behind words such as `sudo`, `X=1`
 * or `bash -c`, also without quotes, backslashes and directories. There are too many rather than too few.
 */
export function commandCandidates(command: string): readonly CommandCandidate[] {
  const plain = withoutQuoting(command);
  const spellings = new Set([command, plain, plain.replace(REDIRECTION, " ")]);
  const texts = new Set([command, ...[...spellings].flatMap(commandParts)]);
  return [...texts].flatMap((text) => {
    const starts = startsOf(text);
    // A blank at the end, because `rm *` means `xargs rm` as well.
    return [
      { text, starts },
      { text: `${text} `, starts },
    ];
  });
}

/** How a command begins that runs another one or sets a variable first; `undefined` for one that does neither. */
export function launcherOf(command: string): string | undefined {
  const [word = ""] = withoutQuoting(command).trimStart().split(/\s/, 1);
  const [assignment] = ASSIGNMENT.exec(word) ?? [];
  if (assignment !== undefined) return assignment;
  return LAUNCHERS.has(word.slice(behindDirectory(word, 0))) ? word : undefined;
}

/** What a shell makes of quotes and backslashes within words: nothing. Blanks inside them become those between words. */
function withoutQuoting(command: string): string {
  return command
    .replace(/\\\r?\n/g, "")
    .replace(/\$\{?IFS\}?/g, " ")
    .replace(/\$(?=["'])/g, "")
    .replace(/["'\\]/g, "");
}

/** Places instead of texts, because a long command has thousands of them. */
function startsOf(text: string): readonly number[] {
  const words =
    launcherOf(text) === undefined ? [0] : [0, ...[...text.matchAll(/\s+/g)].map(endOf)];
  return [...words, ...words.map((start) => behindDirectory(text, start))];
}

/** Any word may be the command, because which options of a launcher take a value is its own affair. */
function endOf({ index, 0: blanks }: RegExpExecArray): number {
  return index + blanks.length;
}

/** Where `rm` begins in `/bin/rm x`. */
function behindDirectory(text: string, start: number): number {
  const word = /\S*/y;
  word.lastIndex = start;
  const [path = ""] = word.exec(text) ?? [];
  return start + path.lastIndexOf("/") + 1;
}
