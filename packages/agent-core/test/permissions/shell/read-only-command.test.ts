import * as fc from "fast-check";
import { expect, it } from "vitest";
import { parseCommand } from "../../../src/permissions/command-part.ts";

/** Whether every command of the line only reads. */
const onlyReads = (line: string): boolean =>
  parseCommand(line)?.every(({ reads }) => reads !== undefined) ?? false;

it.for([
  "ls -la src",
  "cat package.json | head -n 20",
  "head -50 a.ts",
  "tail -n +5 a.ts",
  "wc -l src/*.ts",
  `rg -n "a|b" src -g '*.ts'`,
  "grep -rn foo src",
  `find . -name '*.ts' -not -path './node_modules/*'`,
  "sed -n '1,20p' a.ts",
  "sort a.txt | uniq -c | sort -rn",
  "git status --short",
  "git --no-pager log --oneline -5",
  "git diff HEAD~3 -- src",
  "git show HEAD:src/a.ts",
  "git branch -a",
  "git branch --show-current",
  "git worktree list",
  "git tag --list",
  "pwd",
  "which node",
  "node --version",
  "date +%F",
  "du -sh src",
])("knows that %j only reads", (line) => {
  expect(onlyReads(line)).toBe(true);
});

it.for([
  "env",
  "printenv PATH",
  "ps aux",
  "jq -n env",
  "awk 'BEGIN{print ENVIRON[\"A\"]}'",
  "curl example.com",
  "ssh host ls",
  "find . -delete",
  "find . -exec rm x +",
  "find . -fprint out",
  "fd -x rm",
  "rg --pre ./run foo",
  "rg --hidden KEY",
  "rg -uu KEY",
  "rg -g '.e*' KEY",
  "rg -L foo",
  "grep -R foo .",
  "grep -f patterns a",
  "sort -o out a",
  "sort --output=out a",
  "uniq in out",
  "uniq -- in out",
  "tail -f log",
  "tree -o out",
  "sed -i s/a/b/ x",
  "sed 'w out' x",
  "sed -- 'w out' x",
  "sed -n '1e id' x",
  "date 01010101",
  "date -- 01010101",
  "git branch new",
  "git branch -- new",
  "git branch -D old",
  "git tag v1",
  "git diff --output=x",
  "git diff --ext-diff",
  "git -C .. status",
  "git -c core.fsmonitor=./x status",
  "git grep --no-index x",
  "git grep -O./x y",
  "git config --list",
  "git remote -v",
  "git stash",
  "git worktree add x",
  "git reflog expire --all",
  "git checkout .",
  "node x.js",
  "node --version x.js",
  "sudo ls",
  "env ls",
  "X=1 ls",
  "./ls",
  "/bin/ls",
  "cat *.ts",
  "ls | xargs rm",
  "ls; rm x",
  "command ls",
  "tee x",
  "cp a b",
])("does not count %j as read-only", (line) => {
  expect(onlyReads(line)).toBe(false);
});

it("names every path that a read-only command may open, so that the caller can check it", () => {
  const outside = ["/etc/passwd", "../x", "a/../../x", "src/../../x"];
  const options = ["-n", "-A", "3", "-e", "foo", "--", "-r", "src", "a.ts", "HEAD", "diff", "log"];
  const option = fc.constantFrom(...options, "'*.ts'");
  const leaving = fc
    .constantFrom(...outside)
    .chain((path) =>
      fc.constantFrom(path, `-f${path}`, `--x=${path}`, `HEAD:${path}`, `'${path}'`, `${path}/*`),
    );
  const word = fc.oneof({ weight: 3, arbitrary: option }, { weight: 1, arbitrary: leaving });
  const program = fc.constantFrom("cat", "grep", "rg", "git", "sed", "ls", "find", "wc");
  fc.assert(
    fc.property(program, fc.array(word, { maxLength: 5 }), (name, words) => {
      const [part] = parseCommand([name, ...words].join(" ")) ?? [];
      const reads = part?.reads;
      fc.pre(reads !== undefined);
      const named = [...reads.paths, ...reads.trees.map(({ path }) => path)];
      const spelled = words.join(" ").replaceAll("'", "");
      const missed = outside
        .filter((path) => spelled.includes(path))
        .filter((path) => !named.some((each) => each.endsWith(path)));
      expect(missed).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});

const CHANGING_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  fd: ["-x", "-X", "--exec=x", "-L"],
  find: ["-exec", "-execdir", "-ok", "-delete", "-fls", "-fprint", "-fprintf", "-L"],
  git: ["--output=x", "--ext-diff", "--textconv", "-O./x"],
  grep: ["-R", "-f", "--file=x", "--dereference-recursive"],
  rg: ["--pre=x", "-L", "--follow", "-u", "--hidden", "-f", "--hostname-bin=x", "-z"],
  sed: ["-i", "-i.bak", "-ni", "--in-place", "-f", "--file=x"],
  sort: ["-o", "-oout", "-ro", "--output=x", "-T", "--compress-program=x"],
  tail: ["-f", "-F", "--follow"],
  tree: ["-o", "-l", "--fromfile"],
};

it("never counts a command with an option that writes, runs or follows as read-only", () => {
  const good = fc.constantFrom("-n", "src", "a.ts", "'1p'", ".", "-l", "'-'");
  const command = fc
    .constantFrom(...Object.entries(CHANGING_OPTIONS))
    .chain(([name, options]) =>
      fc.tuple(
        fc.constant(name === "git" ? "git diff" : name),
        fc.array(good, { maxLength: 2 }),
        fc.constantFrom(...options),
        fc.array(good, { maxLength: 2 }),
      ),
    );
  fc.assert(
    fc.property(command, ([name, before, option, after]) => {
      expect(onlyReads([name, ...before, option, ...after].join(" "))).toBe(false);
    }),
    { numRuns: 1_000 },
  );
});
