import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UNSAFE_OPTIONS } from "../../../../../test/attack/unsafe-options.ts";
import { matchesAllowedCommand } from "../../../src/permissions/shell/match-command.ts";

describe("an allow pattern with a star", () => {
  it.for([
    ["git log*", "git log --oneline -5"],
    ["git log*", "git log -n5 --stat -- src/a.ts"],
    ["git log*", "git log -S 'foo bar' --since=2026-01-01"],
    ["git diff*", "git diff --stat HEAD~1"],
    ["git diff*", "git diff --cached -U3"],
    ["git status*", "git status -sb"],
    ["git *", "git commit -am 'fix: a thing'"],
    ["git *", 'git commit -m "$MESSAGE"'],
    ["git *", "git add -A src"],
    ["git *", "git push -u origin main"],
    ["git *", "git stash push -m x"],
    ["git *", "git --no-pager show HEAD"],
    ["git *", "git rebase --continue"],
    ["git *", "git worktree add -b x ../x"],
    ["git config --get*", "git config --get user.name"],
    ["git log --output=*", "git log --output=notes.txt"],
    ["git bisect*", "git bisect good"],
    ["find *", "find . -name '*.ts' -not -path './node_modules/*'"],
    ["sed -n *", "sed -n '10,20p' a.ts"],
    ["sed -n *", "sed -n -e '/start/,/end/p' a.ts"],
    ["sed *", "sed 's/a/b/g' a.txt"],
    ["sed *", "sed --expression='2d' a.txt"],
    ["awk *", "awk -F: '{print $NAME}' /etc/hosts"],
    ["tar t*", "tar tzf a.tgz"],
    ["tar *", "tar -tvf a.tar"],
    ["rg *", "rg -n 'foo.*bar' src -g '*.ts'"],
    ["grep *", "grep -rn foo src"],
    ["xargs grep *", "xargs grep -l foo"],
    ["npm test*", "npm test -- --reporter=dot"],
    ["npm run *", "npm run build"],
    ["npm *", "npm install --save-dev vitest"],
    ["pnpm *", "pnpm --filter app test --watch"],
    ["pnpm test*", "pnpm test --reporter=dot"],
    ["cargo *", "cargo test --workspace -- --nocapture"],
    ["go test*", "go test -run TestX -count=1 ./..."],
    ["make *", "make -j4 test"],
    ["node *", "node scripts/build.mjs --import x"],
    ["pytest*", "pytest -x -k 'name' tests"],
    ["date*", "date +%F"],
    ["ls *", "ls -la --anything"],
  ] as const)("%s covers the ordinary command %s", ([pattern, command]) => {
    expect(matchesAllowedCommand(pattern, command)).toBe(true);
  });

  it.for(UNSAFE_OPTIONS)("%s does not cover %s", ([pattern, command]) => {
    expect(matchesAllowedCommand(pattern, command)).toBe(false);
  });

  it.for([
    ["git log --output=*", "git log --output=x", true],
    ["git -C * status", "git -C dir status", true],
    ["git rebase -x make*", "git rebase -x make HEAD~1", true],
    ["tar xf*", "tar xf a.tar", true],
    ["sed -i *", "sed -i 's/a/b/' a", true],
    ["find . -delete*", "find . -delete", true],
    ["cargo run*", "cargo run", true],
    ["git log --out*", "git log --output=x", false],
    ["sed -i *", "sed -i '1e evil' a", false],
  ] as const)("%s covers %s, which it spells out: %s", ([pattern, command, expected]) => {
    expect(matchesAllowedCommand(pattern, command)).toBe(expected);
  });

  it("covers no option that is not known, wherever it is in the command", () => {
    const safe = fc.constantFrom("--oneline", "-5", "HEAD", "src/a.ts", "-n 3", "--since=x");
    const unsafe = fc.constantFrom("--output=x", "--unknown", "-Zx", "--ext-diff", "-pZ");
    const around = fc.tuple(
      fc.array(safe, { maxLength: 3 }),
      unsafe,
      fc.array(safe, { maxLength: 3 }),
    );
    fc.assert(
      fc.property(around, ([before, option, after]) => {
        const command = ["git", "log", ...before, option, ...after].join(" ");
        expect(matchesAllowedCommand("git log*", command)).toBe(false);
      }),
    );
  });
});
