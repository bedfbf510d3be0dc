import { commandParts } from "./compound-command.ts";
import { spellingsOf, withoutQuoting } from "./command-spellings.ts";

// Commands that run another one, and words of the shell's own grammar that one may follow.
const LAUNCHERS: ReadonlySet<string> = new Set(
  `sudo doas su runuser pkexec gosu su-exec sg fakeroot fakechroot proot capsh
  env command builtin exec eval trap alias nohup time timeout nice ionice setsid stdbuf unbuffer expect xargs parallel find fd
  watch entr strace ltrace gdb valgrind perf hyperfine script busybox toybox coproc caffeinate
  chroot unshare nsenter setpriv prlimit taskset chrt numactl setarch flock firejail bwrap cgexec
  systemd-run systemd-inhibit dbus-run-session xvfb-run start-stop-daemon tmux screen ssh
  npx bunx uvx pnpx yarn corepack
  sh bash zsh dash ash ksh fish pwsh powershell cmd
  if then elif else do while until for !`
    .split(/\s+/)
    .flatMap((word) => [word, `${word}.exe`]),
);

// Commands that run another one only when they are told so.
const RUNNERS: ReadonlySet<string> = new Set(
  `npm pnpm bun deno docker podman nerdctl docker-compose kubectl uv poetry pipx pdm conda mamba bundle mise direnv
  devbox nix`.split(/\s+/),
);

const RUNS = /\s(?:exec|run|dlx|x|shell|develop)\s/;

const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;

/** A text, and the places in it where a command may begin; each goes on to the end of the text. */
export interface CommandCandidate {
  readonly text: string;
  readonly starts: readonly number[];
}

/**
 * What a rule that tightens is held against: the command, each part of it, and what stands behind words such as `sudo`, `X=1`
 * or `bash -c`, in all its spellings and without directories. There are too many rather than too few.
 */
export function commandCandidates(command: string): readonly CommandCandidate[] {
  const texts = new Set([command, ...spellingsOf(command).flatMap(commandParts)]);
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
  const plain = withoutQuoting(command).trimStart();
  const [word = ""] = plain.split(/\s/, 1);
  const [assignment] = ASSIGNMENT.exec(word) ?? [];
  if (assignment !== undefined) return assignment;
  const name = word.slice(word.lastIndexOf("/") + 1);
  return LAUNCHERS.has(name) || (RUNNERS.has(name) && RUNS.test(plain)) ? word : undefined;
}

/** Places instead of texts, because a long command has thousands of them. */
function startsOf(text: string): readonly number[] {
  if (launcherOf(text) === undefined) return [0, behindDirectory(text, 0)];
  // Any word may be the command, because which options of a launcher take a value is its own affair.
  const words = [0, ...Array.from(text.matchAll(/\s+/g), endOf)];
  const names = words.map((start) => behindDirectory(text, start));
  return [...words, ...names, ...words.flatMap((start) => inOption(text, start))];
}

function endOf({ index, 0: blanks }: RegExpExecArray): number {
  return index + blanks.length;
}

/** Where `rm` begins in `/bin/rm x`. */
function behindDirectory(text: string, start: number): number {
  return start + wordAt(text, start).lastIndexOf("/") + 1;
}

/** Where a command may begin in `-Srm x`, `-iSrm x` and `--split-string=rm x`. */
function inOption(text: string, start: number): readonly number[] {
  if (text[start] !== "-") return [];
  const value = wordAt(text, start).indexOf("=") + 1;
  return [start + 2, start + 3, start + 4, ...(value === 0 ? [] : [start + value])];
}

function wordAt(text: string, start: number): string {
  const word = /\S*/y;
  word.lastIndex = start;
  return word.exec(text)?.[0] ?? "";
}
