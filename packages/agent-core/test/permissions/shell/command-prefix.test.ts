import { expect, it } from "vitest";
import { parseCommand } from "../../../src/permissions/command-part.ts";
import { prefixCovers } from "../../../src/permissions/shell/command-prefix.ts";
import { parseLine } from "../../../src/permissions/shell/parse-line.ts";

const prefixesOf = (line: string): readonly (string | undefined)[] | undefined =>
  parseCommand(line)?.map(({ prefix }) => prefix);

it.for([
  ["git status", ["git status *"]],
  ["git status -s", ["git status *"]],
  ["git --no-pager log -5", ["git --no-pager log *"]],
  ["git commit -m 'a b'", ["git commit *"]],
  ["pnpm test", ["pnpm test *"]],
  ["pnpm test:unit --run", ["pnpm test:unit *"]],
  ["pnpm --filter @a/b test", ["pnpm --filter @a/b test *"]],
  ["npm run build", ["npm run build *"]],
  ["cargo test foo", ["cargo test *"]],
  ["go test ./pkg", ["go test *"]],
  ["tsc -p .", ["tsc *"]],
  ["node scripts/build.mjs --fast", ["node scripts/build.mjs *"]],
  ["git add a && git commit -m x", ["git add *", "git commit *"]],
  ["pnpm test 2>&1 | tail -5", ["pnpm test *", undefined]],
] as const)("offers for %j the prefixes %j", ([line, expected]) => {
  expect(prefixesOf(line)).toEqual(expected);
});

it.for([
  "bash -c ls",
  "sh x.sh",
  "node -e 1",
  "node --eval=1 x.js",
  "node ../x.js",
  "python3 -c 1",
  "sudo git status",
  "env git status",
  "X=1 git status",
  "xargs git status",
  "timeout 5 pnpm test",
  "npx vitest",
  "pnpm exec vitest",
  "pnpm dlx x",
  "pnpm tsx x.ts",
  "pnpm add x",
  "pnpm publish",
  "npm install x",
  "npm run",
  "git push",
  "git reset --hard",
  "git checkout x",
  "git branch -D x",
  "git -c core.pager=./x log",
  "git -C .. status",
  "git log --output=x",
  "git diff /etc/passwd",
  "rm x",
  "cat /etc/hosts",
  "curl example.com",
  "docker ps",
  "make test",
  "eslint --fix .",
  "./gradlew test",
  "git 'status'x",
])("offers no prefix for %j", (line) => {
  expect(prefixesOf(line) ?? [undefined]).toEqual([undefined]);
});

it.for([
  ["git status *", "git status", true],
  ["git status *", "git status -s src", true],
  ["git status *", "git statusx", false],
  ["git status *", "git stash", false],
  ["git log *", "git log --output=.git/hooks/pre-commit", false],
  ["git diff *", "git diff /etc/passwd a", false],
  ["git diff *", "git diff ../x", false],
  ["pnpm test *", "pnpm test --config=../x.ts", false],
  ["pnpm test *", "pnpm test src/a.test.ts", true],
  ["tsc *", "tsc --plugins x", false],
] as const)("covers with %j the command %j: %j", ([prefix, line, expected]) => {
  const [command] = parseLine(line) ?? [];
  expect(command !== undefined && prefixCovers(prefix, command)).toBe(expected);
});
