import type { SafeArguments } from "./safe-arguments-row.ts";

const DIFF = {
  short: "psuU:wbaRzMCS:G:n:q",
  long: "stat numstat shortstat dirstat summary name-only name-status patch no-patch unified color no-color word-diff cached staged merge-base raw minimal patience histogram diff-algorithm ignore-space-change ignore-all-space ignore-blank-lines ignore-space-at-eol find-renames find-copies diff-filter pickaxe-all pickaxe-regex relative exit-code quiet check full-index binary abbrev function-context inter-hunk-context no-renames no-ext-diff no-textconv compact-summary",
};

const LOG = {
  short: `${DIFF.short}iEFPgL:m`,
  long: `${DIFF.long} oneline graph decorate no-decorate all branches tags remotes max-count skip since after until before author committer grep invert-grep all-match regexp-ignore-case extended-regexp fixed-strings perl-regexp merges no-merges first-parent reverse follow pretty format abbrev-commit no-abbrev-commit date relative-date date-order topo-order author-date-order left-right cherry-pick cherry-mark left-only right-only ancestry-path simplify-by-decoration full-history show-signature no-walk walk-reflogs boundary parents children count glob exclude source mailmap notes no-notes`,
};

const REMOTE_OPTIONS = "all tags no-tags prune dry-run verbose quiet depth progress no-progress";

/** Options and subcommands of git that neither write elsewhere nor run a program that the command names. */
export const GIT: SafeArguments = {
  spelledWithValue: "-C -c --git-dir --work-tree",
  short: "P",
  long: "no-pager no-optional-locks literal-pathspecs version help",
  // Names programs that run later.
  spelledSubcommands: "config",
  subcommands: {
    add: {
      short: "AunvpfN",
      long: "all update dry-run verbose patch force intent-to-add no-all renormalize",
    },
    am: { long: "continue abort skip" },
    bisect: { subcommands: { bad: {}, good: {}, log: {}, new: {}, old: {}, reset: {}, skip: {} } },
    blame: { short: "L:wsenlCM", long: "porcelain date since reverse show-email" },
    branch: {
      short: "avrdDmMcCfu:lq",
      long: "all verbose remotes list delete move copy force set-upstream-to unset-upstream show-current merged no-merged contains no-contains sort format points-at quiet track no-track color no-color",
    },
    "cat-file": { short: "ptse" },
    checkout: { short: "bBfqt", long: "force quiet detach track no-track orphan ours theirs" },
    "cherry-pick": { short: "xnes", long: "no-commit continue abort skip quit signoff" },
    clean: { short: "ndfxXq", long: "dry-run force quiet" },
    commit: {
      short: "am:qvsnoi",
      long: "all message amend no-edit quiet verbose signoff allow-empty allow-empty-message author date dry-run fixup squash only include trailer reset-author short porcelain",
    },
    config: {
      short: "lz",
      long: "get get-all get-regexp list name-only show-origin show-scope null type bool int local global system",
    },
    describe: { long: "tags all always dirty long abbrev match exclude contains exact-match" },
    diff: DIFF,
    "diff-tree": { ...DIFF, short: `${DIFF.short}rtmc` },
    fetch: { short: "apqvnt", long: REMOTE_OPTIONS },
    "for-each-ref": { long: "format sort count merged no-merged contains points-at" },
    grep: {
      short: "inlLcwvEFPhqrWA:B:C:m:oe:",
      long: "ignore-case line-number files-with-matches files-without-match count word-regexp invert-match extended-regexp fixed-strings perl-regexp cached untracked max-count max-depth and or not heading break show-function function-context only-matching no-index quiet color no-color column",
    },
    log: LOG,
    "ls-files": {
      short: "comdsuzt",
      long: "cached others modified deleted stage unmerged exclude-standard error-unmatch full-name",
    },
    "ls-tree": { short: "rdtlz", long: "name-only name-status full-name full-tree long" },
    merge: {
      short: "m:qvn",
      long: "abort continue quit ff ff-only no-ff squash no-commit no-edit message",
    },
    "merge-base": { short: "a", long: "all is-ancestor octopus fork-point independent" },
    mv: { short: "fknv", long: "force dry-run verbose" },
    pull: { short: "qvpr", long: `${REMOTE_OPTIONS} rebase no-rebase ff ff-only no-ff autostash` },
    push: {
      short: "ufdnqv",
      long: "set-upstream force force-with-lease force-if-includes delete dry-run tags follow-tags all quiet verbose atomic no-verify porcelain prune",
    },
    rebase: {
      short: "qv",
      long: "continue abort skip quit onto autostash no-autostash quiet verbose keep-base root",
    },
    reflog: LOG,
    remote: { short: "v", long: "verbose", subcommands: { "get-url": {}, show: {} } },
    reset: { short: "qpN", long: "soft mixed hard keep merge quiet" },
    restore: { short: "s:SWqp", long: "source staged worktree quiet ours theirs" },
    revert: { short: "nes", long: "no-commit no-edit continue abort skip quit" },
    "rev-list": LOG,
    "rev-parse": {
      short: "q",
      long: "short verify abbrev-ref show-toplevel show-prefix git-dir git-common-dir is-inside-work-tree is-bare-repository symbolic-full-name quiet all branches tags",
    },
    rm: { short: "rfnq", long: "cached dry-run force quiet" },
    shortlog: { short: "snec", long: "summary numbered email all since until no-merges" },
    show: LOG,
    "show-ref": { short: "dqs", long: "heads tags verify hash quiet" },
    stash: {
      short: "um:qpa",
      long: "include-untracked all message quiet patch keep-index stat staged",
      subcommands: {
        apply: {},
        branch: {},
        drop: {},
        list: LOG,
        pop: {},
        push: {
          short: "um:qpa",
          long: "include-untracked all message quiet patch keep-index staged",
        },
        show: DIFF,
      },
    },
    status: {
      short: "sbuzv",
      long: "short branch porcelain untracked-files ignored ahead-behind no-ahead-behind show-stash long verbose column no-column renames no-renames",
    },
    switch: { short: "cCfdqt", long: "create force detach quiet track no-track orphan" },
    tag: {
      short: "alm:dn",
      long: "list annotate message delete sort contains no-contains merged points-at format column",
    },
    version: {},
    worktree: {
      subcommands: {
        add: { short: "b:B:fd", long: "detach force" },
        list: { long: "porcelain verbose" },
        prune: {},
        remove: {},
      },
    },
  },
};
