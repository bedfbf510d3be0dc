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

const REDIRECTION = /\d*[<>]+[&|]?\s*[^\s;&|<>()]*/g;

/**
 * The texts that a rule which tightens is held against: the command, each part of it, and what stands behind words such as
 * `sudo`, `X=1` or `bash -c`, also without quotes, backslashes and directories. There are too many rather than too few.
 */
export function commandCandidates(command: string): readonly string[] {
  const plain = withoutQuoting(command);
  const spellings = new Set([command, plain, plain.replace(REDIRECTION, " ")]);
  const texts = new Set([command, ...[...spellings].flatMap(commandParts)]);
  const candidates = [...texts, ...[...texts].flatMap(behindLaunchers)];
  // A blank at the end, because `rm *` means `xargs rm` as well.
  return candidates.flatMap((text) => {
    const bare = withoutDirectory(text);
    return bare === text ? [text, `${text} `] : [text, `${text} `, bare, `${bare} `];
  });
}

/** How a command begins that runs another one or sets a variable first; `undefined` for one that does neither. */
export function launcherOf(command: string): string | undefined {
  const [word = ""] = withoutQuoting(command).trimStart().split(/\s/, 1);
  const [assignment] = ASSIGNMENT.exec(word) ?? [];
  if (assignment !== undefined) return assignment;
  return LAUNCHERS.has(withoutDirectory(word)) ? word : undefined;
}

/** What a shell makes of quotes and backslashes within words: nothing. Blanks inside them become those between words. */
function withoutQuoting(command: string): string {
  return command
    .replace(/\\\r?\n/g, "")
    .replace(/\$\{?IFS\}?/g, " ")
    .replace(/\$(?=["'])/g, "")
    .replace(/["'\\]/g, "");
}

/** Any word may be the command, because which options of a launcher take a value is its own affair. */
function behindLaunchers(text: string): readonly string[] {
  if (launcherOf(text) === undefined) return [];
  return [...text.matchAll(/\s+/g)].map(({ index, 0: blanks }) =>
    text.slice(index + blanks.length),
  );
}

/** `/bin/rm x` as `rm x`. */
function withoutDirectory(text: string): string {
  return text.replace(/^\S*\//, "");
}
