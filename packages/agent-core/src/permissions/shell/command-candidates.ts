import { commandParts } from "./compound-command.ts";
import { commandSpellings, removeQuotes } from "./command-spellings.ts";
import { revealedCommands } from "./revealed-commands.ts";

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

// Commands that only a deny or ask rule needs to look behind: they run, rename or link what one of their words names.
const HANDLERS: ReadonlySet<string> = new Set(
  `make ln cp mv install hash set at batch crontab nix-shell watchexec nodemon ld.so exe enable`.split(
    /\s+/,
  ),
);

// Print text, which is a command if the line also runs a shell.
const PRINTERS: ReadonlySet<string> = new Set(["echo", "printf", "cat", "tee"]);

// A shell that may run what another part of the line prints or writes.
const READS_COMMANDS =
  /(?<![\w./-])(?:(?:[\w./-]*\/)?(?:sh|bash|zsh|dash|ash|ksh|fish|at|batch|crontab)|eval|source|chmod|\.)(?=\s|$)/;

// A file in the current directory, which the line may have written before.
const RUNS_FILE = /(?<![\w.])\.\/\w/;

// Code for another language in an argument. Its words may be commands, whatever is between them.
const INLINE_CODE =
  /^(?:\S*\/)?(?:python[\d.]*|perl|ruby|php|lua[\d.]*|node|deno|bun|tclsh|osascript|Rscript|julia)\s(?:[^]*\s)?-(?:-eval|-print|\w*[cepr])(?=\s|=)/;

// Options and settings whose value another program runs.
const RUN_BY_OPTION =
  /\s(?:-c\s+[\w.-]+=|bisect\s+run\s|submodule\s+foreach\s+(?:--recursive\s+)?|(?:-x|--exec)[\s=]|-O|-P\s|-TT\s|-e\s|--(?:[\w-]{1,40}-)?(?:command|program|cmd|action|script|pager|rsh|pre|run|eval|exec)[\s=](?:exec=)?|\.(?:shell|system)\s)\s*|(?<=^sed\s[^]{0,200}[\d$/])e\s+/g;

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
  return [command, ...commandTexts(command)].flatMap((text) => {
    const starts = startsOf(text);
    // With a trailing space, because `rm *` also means `xargs rm`.
    return [
      { text, starts },
      { text: `${text} `, starts },
    ];
  });
}

/**
 * Lists what a shell may run as one command each, in all spellings: parts of a compound command, and what the line
 * reveals, such as variables that it sets itself. Errs on the side of too many.
 */
export function commandTexts(command: string): readonly string[] {
  const lines = [command, ...revealedCommands(command)];
  return [...new Set(lines.flatMap(candidateTexts))];
}

/** The parts of a line, and once more with what it prints as commands, if a shell may read that. */
function candidateTexts(line: string): readonly string[] {
  const parts = commandSpellings(line).flatMap(commandParts);
  const isRead = READS_COMMANDS.test(line) || (line.includes(">") && RUNS_FILE.test(line));
  if (!isRead) return parts;
  return [...parts, ...parts.filter((part) => PRINTERS.has(firstWord(part))).map(asLaunched)];
}

function asLaunched(part: string): string {
  return `eval ${part}`;
}

function firstWord(text: string): string {
  const [word = ""] = text.split(/\s/, 1);
  return word.slice(word.lastIndexOf("/") + 1);
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
  const runByOption = Array.from(text.matchAll(RUN_BY_OPTION), endOf);
  if (!mayRunAnyWord(text)) return [0, afterDirectory(text, 0), ...runByOption];
  // Any word may be the command, because we do not know which options of a launcher take a value.
  const words = [0, ...Array.from(text.matchAll(/\s+/g), endOf)];
  const names = words.map((start) => afterDirectory(text, start));
  return [
    ...words,
    ...names,
    ...runByOption,
    ...words.flatMap((start) => insideOption(text, start)),
  ];
}

function mayRunAnyWord(text: string): boolean {
  const name = firstWord(text);
  return (
    findLauncher(text) !== undefined ||
    HANDLERS.has(name) ||
    /^ld-.*\.so/.test(name) ||
    INLINE_CODE.test(text)
  );
}

function endOf({ index, 0: spaces }: RegExpExecArray): number {
  return index + spaces.length;
}

/** Finds where `rm` starts in `/bin/rm x`. */
function afterDirectory(text: string, start: number): number {
  return start + wordAt(text, start).lastIndexOf("/") + 1;
}

/** Finds where a command may start in `-Srm x`, `-iSrm x`, `--split-string=rm x` and `PAGER=rm x`. */
function insideOption(text: string, start: number): readonly number[] {
  const value = wordAt(text, start).indexOf("=") + 1;
  const values = value === 0 ? [] : [start + value, afterDirectory(text, start + value)];
  return text[start] === "-" ? [start + 2, start + 3, start + 4, ...values] : values;
}

function wordAt(text: string, start: number): string {
  const word = /\S*/y;
  word.lastIndex = start;
  return word.exec(text)?.[0] ?? "";
}
