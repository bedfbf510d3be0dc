import { SAFE_ARGUMENTS } from "./safe-arguments.ts";
import type { SafeArguments } from "./safe-arguments-row.ts";
import { GIT } from "./safe-git-arguments.ts";

/** A program that changes nothing with these arguments. */
export interface ReadOnlyProgram extends SafeArguments {
  /** What it shows of files: their text by default, also of files that the command does not name, or only facts. */
  readonly shows?: "text of any file" | "facts";
  readonly subcommands?: Readonly<Record<string, ReadOnlyProgram>>;
}

const FACTS: ReadOnlyProgram = { shows: "facts" };

// Matches no operand.
const NONE = /^$/;

const SUM: ReadOnlyProgram = { short: "bt", long: "binary text tag" };

/** Searches the directories that it is given with `-r`, without following links. */
const GREP = without(SAFE_ARGUMENTS.get("grep"), "R dereference-recursive");

const DIFF: ReadOnlyProgram = { ...gitRow("diff"), shows: "text of any file" };
const LOG: ReadOnlyProgram = { ...gitRow("log"), shows: "text of any file" };

/**
 * Programs that only read, with the arguments for which that is true. Left out on purpose: `env`, `printenv`, `ps`, `jq`
 * and `awk`, which can show variables; `git config` and `git remote`, which can show passwords; everything that runs code
 * of the repository.
 */
export const READ_ONLY_PROGRAMS: ReadonlyMap<string, ReadOnlyProgram> = new Map(
  Object.entries<ReadOnlyProgram>({
    basename: { ...FACTS, short: "as:z" },
    cat: { short: "AbEenstTuv", long: "number number-nonblank show-all squeeze-blank" },
    cmp: { short: "bln:s" },
    column: { short: "ts:" },
    comm: { short: "123" },
    cut: {
      short: "b:c:d:f:s",
      long: "bytes: characters: delimiter: fields: only-delimited complement output-delimiter:",
    },
    // Another operand would set the time.
    date: { ...SAFE_ARGUMENTS.get("date"), operand: /^\+/ },
    df: { ...FACTS, short: "hHikTm", long: "human-readable" },
    diff: {
      short: "bBcdiNqswuyU:W:",
      long: "brief ignore-all-space ignore-blank-lines ignore-case ignore-space-change side-by-side unified",
    },
    dirname: { ...FACTS, short: "z" },
    du: {
      ...FACTS,
      short: "abchkmsd:",
      long: "all apparent-size bytes human-readable max-depth summarize total",
    },
    echo: { ...FACTS, short: "neE" },
    egrep: GREP,
    fd: { ...without(SAFE_ARGUMENTS.get("fd"), "L follow"), ...FACTS },
    fgrep: GREP,
    file: { short: "bik", long: "brief mime mime-type mime-encoding" },
    find: { ...without(SAFE_ARGUMENTS.get("find"), "H L follow"), ...FACTS },
    git: {
      short: "P",
      long: "no-pager no-optional-locks literal-pathspecs version",
      subcommands: {
        blame: gitRow("blame"),
        // An operand would create a branch.
        branch: {
          short: "alrv",
          long: "all list remotes verbose show-current contains no-contains merged no-merged points-at sort format color no-color",
          operand: NONE,
        },
        "cat-file": { ...gitRow("cat-file"), shows: "text of any file" },
        describe: { ...gitRow("describe"), ...FACTS },
        diff: DIFF,
        "diff-tree": { ...gitRow("diff-tree"), shows: "text of any file" },
        "for-each-ref": { ...gitRow("for-each-ref"), ...FACTS },
        grep: { ...without(gitRow("grep"), "no-index untracked"), shows: "text of any file" },
        log: LOG,
        "ls-files": { ...gitRow("ls-files"), ...FACTS },
        "ls-tree": { ...gitRow("ls-tree"), ...FACTS },
        "merge-base": { ...gitRow("merge-base"), ...FACTS },
        "rev-list": gitRow("rev-list"),
        "rev-parse": { ...gitRow("rev-parse"), ...FACTS },
        shortlog: gitRow("shortlog"),
        show: LOG,
        "show-ref": { ...gitRow("show-ref"), ...FACTS },
        status: { ...gitRow("status"), ...FACTS },
        tag: {
          short: "ln",
          long: "list contains no-contains merged points-at sort format",
          operand: NONE,
        },
        version: {},
        worktree: { operand: /^list$/, subcommands: { list: { long: "porcelain verbose" } } },
      },
    },
    grep: GREP,
    head: { short: "c:n:qv", long: "bytes: lines: quiet silent verbose" },
    id: { ...FACTS, short: "gGnu" },
    ls: {
      ...FACTS,
      short: "1aAbcdfFgGhHiklLmnNopqQrRsStTuUvwxXZ",
      long: "all almost-all classify color directory full-time group-directories-first human-readable inode no-group numeric-uid-gid recursive reverse size sort time time-style width",
    },
    md5sum: SUM,
    nl: { short: "b:n:s:v:w:i:" },
    nproc: FACTS,
    pwd: { ...FACTS, short: "LP" },
    readlink: { ...FACTS, short: "efmnsz" },
    realpath: {
      ...FACTS,
      short: "emqsz",
      long: "relative-to: relative-base: canonicalize-existing canonicalize-missing",
    },
    // Its defaults skip hidden files and those that Git ignores, and follow no links.
    rg: {
      ...without(
        SAFE_ARGUMENTS.get("rg"),
        "L u . follow hidden no-ignore no-ignore-vcs unrestricted",
      ),
      shows: "text of any file",
    },
    sed: SAFE_ARGUMENTS.get("sed") ?? {},
    sha1sum: SUM,
    sha256sum: SUM,
    sort: SAFE_ARGUMENTS.get("sort") ?? {},
    stat: { ...FACTS, short: "c:tLx", long: "format: terse dereference" },
    tail: { short: "c:n:qv", long: "bytes: lines: quiet silent verbose" },
    tr: { short: "cCdst", long: "complement delete squeeze-repeats truncate-set1" },
    tree: { ...without(SAFE_ARGUMENTS.get("tree"), "l"), ...FACTS },
    uname: { ...FACTS, short: "amnoprsv" },
    // The second operand is a file to write.
    uniq: { short: "cdDiuf:s:w:z", long: "count repeated unique ignore-case", operand: NONE },
    wc: { short: "clLmw", long: "bytes chars lines max-line-length words" },
    which: { ...FACTS, short: "a", long: "all" },
    whoami: FACTS,
  }),
);

/** Programs whose version may be asked for. With any other argument they may run code. */
export const PROGRAMS_WITH_VERSION: ReadonlySet<string> = new Set(
  "bun cargo deno gcc git go java make node npm pnpm python python3 ruby rustc tsc yarn".split(" "),
);

function gitRow(name: string): SafeArguments {
  return GIT.subcommands?.[name] ?? {};
}

/** A row without some of its options, each as a letter or as a word. */
function without(row: SafeArguments = {}, names: string): SafeArguments {
  const removed = new Set(names.split(" "));
  const keep = (words: string | undefined): string =>
    (words ?? "")
      .split(" ")
      .filter((word) => !removed.has(word))
      .join(" ");
  const short = Array.from(row.short ?? "", (letter) => (removed.has(letter) ? "" : letter));
  return {
    ...row,
    short: short.join(""),
    long: keep(row.long),
    ...(row.words === undefined ? {} : { words: keep(row.words) }),
  };
}
