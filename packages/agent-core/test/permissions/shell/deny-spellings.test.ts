import { describe, expect, it } from "vitest";
import { DENY_SPELLINGS } from "../../../../../test/attack/deny-spellings.ts";
import { matchesDeniedCommand } from "../../../src/permissions/shell/match-command.ts";

const OTHERS: readonly string[] = [
  "rg -n 'rm -rf' src",
  "grep -rn 'rm x' .",
  "git commit -m 'rm x'",
  "git log --grep='rm x'",
  'echo "rm x"',
  "echo rm x > notes.txt",
  "cat rm.md",
  "python script.py --rm x",
  'node -e "console.log(1)"',
  "sed -n '1,5p' rm.txt",
  "sed 's/apple rm/x/' a.txt",
  "pytest -k rm",
  "git checkout -b rm-x",
  "gh pr create --title 'rm x'",
  "psql -c 'select 1'",
  "make test",
  "cp a.txt b.txt",
  "printf 'rm %s' x",
  "git grep 'rm x'",
  "man rm",
  "which rm",
  "type rm",
  "apt-get install -y curl",
  "docker rm x",
  "bash scripts/rm-old.sh",
  "echo 'do not rm x'",
  "npm rm x",
  "base64 -d <<< aGVsbG8=",
];

describe("a deny rule for rm", () => {
  it.for(DENY_SPELLINGS)("finds rm in %j", (command) => {
    expect(matchesDeniedCommand("rm*", command)).toBe(true);
  });

  it.for(OTHERS)("ignores the ordinary command %j", (command) => {
    expect(matchesDeniedCommand("rm *", command)).toBe(false);
  });
});
