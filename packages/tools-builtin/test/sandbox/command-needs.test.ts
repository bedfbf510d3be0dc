import { describe, expect, it } from "vitest";
import { commandNeeds } from "../../src/sandbox/command-needs.ts";
import { findDiscarding } from "../../src/sandbox/discarding-commands.ts";

describe("what a command needs, judged by its text", () => {
  it.for([
    "git status",
    "git diff HEAD~1 | head -50",
    "git branch",
    "git branch --show-current",
    "git remote -v",
    "git stash list",
    "git config --get user.name",
    "ls -la && cat package.json",
    "npm test",
    "npm run lint 2>&1 | tail -20",
    "npx tsc --noEmit",
    "black --check .",
    "python -m pytest",
    "sed -n 1,20p a.ts",
    "grep -r 'a > b' src 2>/dev/null",
    "cmd > /tmp/out.txt",
    "sleep 1 & wait",
    'echo "a & b > c"',
    "bash scripts/check.sh",
  ])("only reads: %s", (command) => {
    expect(commandNeeds(command, { hasNetwork: false })).toBe("read-only");
  });

  it.for([
    "mkdir -p a/b",
    "cat a > b.txt",
    "echo a >> b",
    "git add -A && git commit -m 'fix: a & b'",
    "git tag v1",
    "npm run build",
    "npm run lint:fix",
    "npx prettier --write .",
    "npx tsc",
    "sed -i s/a/b/ a",
    "cargo test",
    "ls | xargs rm",
    "CI=1 make",
    "cd sub; touch x",
  ])("writes to the workspace: %s", (command) => {
    expect(commandNeeds(command, { hasNetwork: false })).toBe("workspace");
  });

  it.for([
    "sudo ls",
    "docker ps",
    "git checkout main",
    "git stash",
    "git -C sub reset --hard",
    "git config user.name x",
    "npm run dev &",
    "npm start > log 2>&1 &",
    "nohup node server.js",
  ])("does not work in the sandbox: %s", (command) => {
    expect(commandNeeds(command, { hasNetwork: true })).toBe("outside");
  });

  it.for(["curl https://example.com", "npm install zod", "pnpm i", "git push", "pip install x"])(
    "needs the network, which the sandbox may have: %s",
    (command) => {
      expect(commandNeeds(command, { hasNetwork: false })).toBe("outside");
      expect(commandNeeds(command, { hasNetwork: true })).toBe("workspace");
    },
  );

  it("judges a long command quickly", () => {
    expect(commandNeeds(`echo ${"a b ".repeat(5_000)}`, { hasNetwork: false })).toBe("read-only");
  });
});

describe("a command that can discard work", () => {
  it.for([
    ["rm -r x", "rm"],
    ["rm -fr x", "rm"],
    ["rm x -R", "rm"],
    ["rm --recursive x", "rm"],
    ["rm *.ts", "rm *"],
    ["cd a && rm -rf b", "rm"],
    ["sudo rm -rf b", "rm"],
    ["find . -name x -delete", "find"],
    ["ls | xargs rm", "xargs"],
    ["git reset --hard", "git reset"],
    ["git checkout -- a", "git checkout"],
    ["git -C a clean -fd", "git clean"],
    ["git stash drop", "git stash drop"],
    ["git restore a", "git restore"],
    ["git branch -D a", "git branch"],
    ["git push --force", "git push"],
    ["/usr/bin/git reset", "git reset"],
    ['bash -c "git reset"', "git reset"],
    ["truncate -s 0 a", "truncate"],
  ] as const)("is found: %s", ([command, found]) => {
    expect(findDiscarding(command)).toBe(found);
  });

  it.for([
    "rm a.ts",
    "git status",
    "git stash",
    "git branch a",
    "git push",
    "echo reset",
    "npm rm x",
  ])("is not %s", (command) => {
    expect(findDiscarding(command)).toBeUndefined();
  });
});
