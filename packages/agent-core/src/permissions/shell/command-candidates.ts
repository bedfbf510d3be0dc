import { commandParts } from "./compound-command.ts";
import { commandSpellings, removeQuotes } from "./command-spellings.ts";

// Commands that run another command, and shell keywords that a command may follow.
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

// Commands that run another command only with certain subcommands.
const RUNNERS: ReadonlySet<string> = new Set(
  `npm pnpm bun deno docker podman nerdctl docker-compose kubectl uv poetry pipx pdm conda mamba bundle mise direnv
  devbox nix`.split(/\s+/),
);

const RUNS = /\s(?:exec|run|dlx|x|shell|develop)\s/;

const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;

/** A text and the positions in it where a command may start. Each command reaches to the end of the text. */
export interface CommandCandidate {
  readonly text: string;
  readonly starts: readonly number[];
}

/**
 * Lists what a deny or ask rule is checked against: the command, each part of it, and what follows words such as `sudo`,
 * `X=1` or `bash -c`, in all spellings and without directories. Errs on the side of too many.
 */
export function commandCandidates(command: string): readonly CommandCandidate[] {
  const texts = new Set([command, ...commandSpellings(command).flatMap(commandParts)]);
  return [...texts].flatMap((text) => {
    const starts = startsOf(text);
    // With a trailing space, because `rm *` also means `xargs rm`.
    return [
      { text, starts },
      { text: `${text} `, starts },
    ];
  });
}

/** Returns the first word of a command that runs another one, or the variable that it sets first; otherwise `undefined`. */
export function findLauncher(command: string): string | undefined {
  const plain = removeQuotes(command).trimStart();
  const [word = ""] = plain.split(/\s/, 1);
  const [assignment] = ASSIGNMENT.exec(word) ?? [];
  if (assignment !== undefined) return assignment;
  const name = word.slice(word.lastIndexOf("/") + 1);
  return LAUNCHERS.has(name) || (RUNNERS.has(name) && RUNS.test(plain)) ? word : undefined;
}

/** Returns positions instead of texts, because a long command has thousands of them. */
function startsOf(text: string): readonly number[] {
  if (findLauncher(text) === undefined) return [0, afterDirectory(text, 0)];
  // Any word may be the command, because we do not know which options of a launcher take a value.
  const words = [0, ...Array.from(text.matchAll(/\s+/g), endOf)];
  const names = words.map((start) => afterDirectory(text, start));
  return [...words, ...names, ...words.flatMap((start) => insideOption(text, start))];
}

function endOf({ index, 0: spaces }: RegExpExecArray): number {
  return index + spaces.length;
}

/** Finds where `rm` starts in `/bin/rm x`. */
function afterDirectory(text: string, start: number): number {
  return start + wordAt(text, start).lastIndexOf("/") + 1;
}

/** Finds where a command may start in `-Srm x`, `-iSrm x` and `--split-string=rm x`. */
function insideOption(text: string, start: number): readonly number[] {
  if (text[start] !== "-") return [];
  const value = wordAt(text, start).indexOf("=") + 1;
  return [start + 2, start + 3, start + 4, ...(value === 0 ? [] : [start + value])];
}

function wordAt(text: string, start: number): string {
  const word = /\S*/y;
  word.lastIndex = start;
  return word.exec(text)?.[0] ?? "";
}
