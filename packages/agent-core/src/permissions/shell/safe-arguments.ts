import type { SafeArguments } from "./safe-arguments-row.ts";
import { GIT } from "./safe-git-arguments.ts";

const NPM_SCRIPT = { long: "if-present silent workspaces include-workspace-root" };

const NPM: SafeArguments = {
  short: "sw:",
  long: "silent workspaces workspace: include-workspace-root if-present version help",
  subcommands: {
    audit: { long: "json omit audit-level production" },
    ci: { long: "ignore-scripts no-audit no-fund prefer-offline offline omit include silent" },
    install: {
      short: "DEs",
      long: "save-dev save-exact save-optional no-save ignore-scripts no-audit no-fund prefer-offline offline omit include silent legacy-peer-deps",
    },
    list: { short: "a", long: "all depth json long parseable" },
    ls: { short: "a", long: "all depth json long parseable" },
    outdated: { long: "json long all" },
    run: NPM_SCRIPT,
    "run-script": NPM_SCRIPT,
    start: NPM_SCRIPT,
    test: NPM_SCRIPT,
    t: NPM_SCRIPT,
    version: {},
    view: { long: "json" },
    why: { long: "json" },
  },
};

/** Options after a script's name belong to the script. */
const PACKAGE_SCRIPTS: SafeArguments = {
  spelledWithValue: "-C --dir --cwd",
  short: "rswF:",
  long: "recursive filter: silent workspace-root stream parallel aggregate-output version help if-present no-bail",
  spelledSubcommands:
    "exec dlx x create config set env self-update setup link patch plugin import node npm init pkg",
  afterOperand: "anything",
};

const AWK: SafeArguments = {
  short: "F:v:",
  long: "field-separator assign version help posix re-interval",
  // `@` calls functions by name and loads libraries.
  script: /^(?![^]*(?:system|getline|@))[^]*$/,
};

/** Addresses, then one command that prints, deletes or substitutes; `e`, `w` and `r` run, write and read files. */
const SED_SCRIPT =
  /^\s*(?:(?:\d+(?:~\d+)?|\$|\/(?:\\.|[^/\\])*\/I?)(?:,(?:[+~]?\d+|\$|\/(?:\\.|[^/\\])*\/I?))?)?\s*!?\s*(?:[pPdDgGhHnNxl=]|[qQ]\s*\d*|s([^\w\s\\])(?:\\.|(?!\1)[^\\])*\1(?:\\.|(?!\1)[^\\])*\1[gpiIM\d]*)?\s*$/;

const GREP = {
  short: "inlLcwvEFGPhHqrRsoxzA:B:C:m:e:",
  long: "ignore-case line-number files-with-matches files-without-match count word-regexp invert-match extended-regexp fixed-strings perl-regexp basic-regexp only-matching max-count: after-context: before-context: context: color colour no-messages quiet recursive dereference-recursive include: exclude: exclude-dir: with-filename no-filename null regexp: line-regexp version help",
};

/** The programs whose options can write, run or load something. Options that are not listed must be spelled out. */
export const SAFE_ARGUMENTS: ReadonlyMap<string, SafeArguments> = new Map(
  Object.entries<SafeArguments>({
    awk: AWK,
    gawk: AWK,
    mawk: AWK,
    nawk: AWK,
    bun: { ...PACKAGE_SCRIPTS, short: "", long: "version help" },
    cargo: {
      short: "vqj:p:r",
      long: "version verbose quiet jobs: package: workspace all-targets all-features no-default-features features: release lib bins tests examples benches doc test: bin: example: locked offline frozen no-run no-fail-fast message-format: color: exclude: all check help edition:",
      // `+toolchain` comes before the subcommand.
      operand: /^[^+]/,
      spelledSubcommands:
        "run r install config login publish vendor init new xtask miri rustc rustdoc",
    },
    curl: {
      short: "sSfLIivkGm:H:",
      long: "silent show-error fail location head include verbose max-time connect-timeout header compressed get http1.1 http2 version help fail-with-body",
    },
    date: { short: "uRI", long: "utc iso-8601 rfc-email rfc-3339 version help universal" },
    eslint: {
      long: "cache quiet max-warnings format ext no-color color version help no-cache report-unused-disable-directives no-error-on-unmatched-pattern stats",
      short: "hv",
    },
    fd: {
      short: "HIsiFalLpd:t:e:E:S:0gu1q",
      long: "hidden no-ignore case-sensitive ignore-case glob fixed-strings absolute-path list-details follow full-path max-depth min-depth exact-depth type extension exclude size changed-within changed-before color print0 max-results version help and regex",
    },
    find: {
      words:
        "H L P O0 O1 O2 O3 a o and or not name iname path ipath wholename regex iregex regextype type xtype size mtime mmin ctime cmin atime amin newer anewer cnewer newermt maxdepth mindepth depth d prune print print0 printf ls empty perm user group uid gid links inum samefile follow mount xdev daystart readable writable executable true false quit nouser nogroup lname ilname warn nowarn ignore_readdir_race noleaf E X s x version",
    },
    git: GIT,
    go: {
      words:
        "v x n race cover count run short timeout bench benchmem json parallel failfast list cpu shuffle vet tags mod trimpath skip fullpath a p m u e test deps f",
      spelledSubcommands: "run generate install get tool env work telemetry",
    },
    grep: GREP,
    egrep: GREP,
    fgrep: GREP,
    jest: {
      short: "itwuof",
      long: "runInBand testNamePattern testPathPattern testPathPatterns watch watchAll updateSnapshot onlyChanged onlyFailures bail ci coverage verbose silent json listTests maxWorkers passWithNoTests no-coverage no-cache detectOpenHandles forceExit showConfig version help findRelatedTests runTestsByPath",
    },
    less: { short: "NSRFXEiIn", operand: /^[^+]/ },
    man: { short: "kfaw", long: "apropos whatis all where path" },
    make: {
      short: "nsikqBj:",
      long: "dry-run just-print silent quiet jobs keep-going always-make question version help no-print-directory",
      // `SHELL=x` and other variables decide what is run.
      operand: /^[^=]*$/,
    },
    node: {
      long: "version help test test-only test-name-pattern: test-reporter: watch enable-source-maps no-warnings check trace-warnings",
      short: "vhc",
      afterOperand: "anything",
    },
    npm: NPM,
    pnpm: PACKAGE_SCRIPTS,
    prettier: {
      short: "clhv",
      long: "check list-different version help log-level no-color ignore-unknown no-error-on-unmatched-pattern write cache",
    },
    pytest: {
      short: "vqxsk:m:lr:n:",
      long: "verbose quiet exitfirst maxfail lf last-failed ff failed-first nf new-first tb durations collect-only co sw stepwise no-header no-summary capture showlocals cov version help color markers fixtures strict-markers disable-warnings numprocesses",
    },
    python: { short: "VvBEIsSuqx", long: "version help", afterOperand: "anything" },
    python3: { short: "VvBEIsSuqx", long: "version help", afterOperand: "anything" },
    perl: { short: "vwTtWX", long: "version help", afterOperand: "anything" },
    ruby: { short: "vwcW", long: "version help", afterOperand: "anything" },
    rg: {
      short: "inlcwvFPSsUuoHINLA:B:C:m:g:t:T:e:d:pq0.x",
      long: "ignore-case line-number files-with-matches files-without-match count count-matches word-regexp invert-match fixed-strings pcre2 smart-case case-sensitive multiline multiline-dotall unrestricted only-matching with-filename no-filename no-line-number follow after-context before-context context max-count max-depth maxdepth glob iglob type type-not type-list regexp files hidden no-ignore no-ignore-vcs no-heading heading color colors column json pretty quiet null replace sort sortr stats trim vimgrep line-regexp max-columns max-columns-preview max-filesize no-messages passthru crlf text encoding version help no-config engine",
    },
    rsync: {
      short: "avnhrtpgoDlzuciPq",
      long: "dry-run archive verbose recursive stats progress itemize-changes exclude include human-readable list-only version help",
    },
    scp: { short: "rpqvC" },
    sed: {
      short: "nErsuze:",
      long: "quiet silent regexp-extended separate null-data expression: debug posix version help unbuffered",
      script: SED_SCRIPT,
    },
    sort: {
      short: "rnugfhbdiVMcCsmzk:t:R",
      long: "reverse numeric-sort unique general-numeric-sort ignore-case human-numeric-sort ignore-leading-blanks dictionary-order version-sort month-sort check stable merge key field-separator zero-terminated random-sort version help parallel",
    },
    tar: {
      short: "tvzjJf:C:",
      bareOptions: true,
      long: "list verbose gzip bzip2 xz zstd file directory exclude wildcards no-wildcards strip-components numeric-owner full-time version help auto-compress show-transformed-names",
    },
    tree: {
      short: "adfisphDCL:P:I:NQuvtrnFgl",
      long: "dirsfirst noreport prune gitignore filelimit du si inodes device charset sort version help matchdirs ignore-case metafirst",
    },
    tsc: {
      short: "bpwv",
      long: "noEmit build project watch version help pretty listFiles listFilesOnly showConfig skipLibCheck strict incremental traceResolution extendedDiagnostics diagnostics explainFiles dry force verbose init",
    },
    vitest: {
      short: "ut:wv",
      long: "run watch update testNamePattern project changed bail coverage silent hideSkippedTests passWithNoTests no-color maxWorkers retry shard allowOnly version help logHeapUsage no-file-parallelism typecheck",
    },
    wget: {
      short: "qvS",
      long: "quiet verbose spider server-response version help tries timeout no-verbose",
    },
    xargs: {
      short: "0n:P:L:I:rtd:E:s:x",
      long: "null max-args max-procs max-lines replace no-run-if-empty verbose delimiter version help",
      afterOperand: "command",
    },
    yarn: PACKAGE_SCRIPTS,
    yq: {
      short: "rNeMCjpoP",
      long: "raw-output no-doc exit-status prettyPrint output-format input-format version help no-colors colors tojson",
    },
  }),
);
