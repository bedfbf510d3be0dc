import { expect, it } from "vitest";
import { isSameRepository, parseProjectRecord, type ProjectRecord, renderProjectRecord, withoutUserInfo, remotesInConfig } from "../../src/project/record.ts";
import { processorMs } from "../../../../test/support/processor-time.ts";

const record: ProjectRecord = { path: "/app", rootCommits: ["a"], remotes: ["https://x/y.git"] };

it("reads back what it wrote, and nothing else", () => {
  expect(parseProjectRecord(renderProjectRecord(record))).toEqual(record);
  for (const text of ["", "{", "null", "{}", '{"path":1,"rootCommits":[],"remotes":[]}']) {
    expect(parseProjectRecord(text)).toBeUndefined();
  }
});

it.for([
  [["a"], ["https://x/y.git"], true],
  [["a", "b"], ["https://x/y.git", "other"], true],
  [["b"], ["https://x/y.git"], false],
  [["a"], ["other"], false],
  [["a"], [], false],
  [[], ["https://x/y.git"], false],
] as const)(
  "takes the commits %j with the remotes %j for the same repository: %j",
  ([rootCommits, remotes, expected]) => {
    expect(isSameRepository(record, { rootCommits, remotes })).toBe(expected);
  },
);

it("needs no remote where there is none", () => {
  const alone = { rootCommits: ["a"], remotes: [] };
  expect(isSameRepository(alone, alone)).toBe(true);
});

it.for([
  ["https://me:secret@example.com/a.git", "https://example.com/a.git"],
  ["https://example.com/a.git", "https://example.com/a.git"],
  ["ssh://git@example.com/a.git", "ssh://example.com/a.git"],
  ["git@example.com:me/a.git", "example.com:me/a.git"],
  ["/srv/a@b/a.git", "/srv/a@b/a.git"],
] as const)("keeps of %s only %s", ([address, expected]) => {
  expect(withoutUserInfo(address)).toBe(expected);
});

it("finds the addresses of remotes, without user names, and nothing else", () => {
  const config = `[core]
\turl = https://not.a/remote
[remote "origin"]
\turl = https://me:p@ss@example.com/a.git
\tfetch = +refs/heads/*
[remote "two"]
  URL=git@example.com:me/b.git
[branch "main"]
\turl = x
[include]
\tpath = /dev/zero
`;
  expect(remotesInConfig(config)).toEqual(["example.com:me/b.git", "https://example.com/a.git"]);
  expect(remotesInConfig("")).toEqual([]);
});

it("does not spend its time on a hostile line", () => {
  const started = processorMs();
  expect(remotesInConfig(`[remote "o"]\nurl = ${"a@".repeat(120_000)}\n`)).toEqual([]);
  expect(processorMs() - started).toBeLessThan(2_000);
});
