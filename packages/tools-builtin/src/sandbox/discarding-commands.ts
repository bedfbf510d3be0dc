import { createCommandMatcher } from "@caliban/agent-core";
import { toPatterns } from "./command-needs.ts";

/** The beginnings of commands that can discard work for good. */
const PATTERNS: readonly string[] = [
  "rm {-*r,-*R,--recursive}*",
  "rm * {-r,-R,-fr,-fR,-rf,-Rf,--recursive}*",
  "git {reset,checkout,clean,restore,rebase,filter-branch,filter-repo}",
  "git switch* {-f,--force,--discard-changes,-C,--force-create}",
  "git stash {drop,clear,pop}",
  "git branch* {-d,-D,--delete,-f,--force,-M}",
  "git tag* {-d,--delete,-f,--force}",
  "git push* {-f,--force*,--delete,--mirror,--prune,+*}",
  "git worktree {remove,prune}",
  "git reflog {expire,delete}",
  "git update-ref* -d",
  "git gc* --prune*",
  "find* {-delete,-exec rm,-execdir rm}",
  "fd* {-x rm,-X rm,--exec rm,--exec-batch rm}",
  "xargs* rm",
  "rsync* --delete*",
  "{shred,truncate,dd,mkfs*}",
].flatMap(toPatterns);

// The shell puts the names of all files there.
const WITH_WILDCARD = /(?:^|[;&|(]\s*|\bsudo\s+)rm\s[^;&|]*\*/;

/** The part of a command that can discard work, such as `git reset`, or `undefined`. */
export function findDiscarding(command: string): string | undefined {
  const matches = createCommandMatcher(command);
  const found = PATTERNS.find(matches);
  if (found !== undefined) return found.replace(/ ?-?\*.*$/, "");
  return WITH_WILDCARD.test(command) ? "rm *" : undefined;
}
