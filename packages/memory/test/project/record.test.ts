import { expect, it } from "vitest";
import {
  isSameRepository,
  parseProjectRecord,
  type ProjectRecord,
  renderProjectRecord,
  withoutUserInfo,
  parseRemotes,
} from "../../src/project/record.ts";

const record: ProjectRecord = { path: "/app", rootCommits: ["a"], remotes: ["https://x/y.git"] };

it("parses only a record that it rendered", () => {
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
  "decides whether the commits %j and remotes %j are of the same repository: %j",
  ([rootCommits, remotes, expected]) => {
    expect(isSameRepository(record, { rootCommits, remotes })).toBe(expected);
  },
);

it("accepts the same root commit alone when neither repository has a remote", () => {
  const alone = { rootCommits: ["a"], remotes: [] };
  expect(isSameRepository(alone, alone)).toBe(true);
});

it.for([
  ["https://me:secret@example.com/a.git", "https://example.com/a.git"],
  ["https://example.com/a.git", "https://example.com/a.git"],
  ["ssh://git@example.com/a.git", "ssh://example.com/a.git"],
  ["git@example.com:me/a.git", "example.com:me/a.git"],
  ["/srv/a@b/a.git", "/srv/a@b/a.git"],
] as const)("reduces the remote %s to %s", ([address, expected]) => {
  expect(withoutUserInfo(address)).toBe(expected);
});

it("parses only the URLs of remotes, without user names and passwords", () => {
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
  expect(parseRemotes(config)).toEqual(["example.com:me/b.git", "https://example.com/a.git"]);
  expect(parseRemotes("")).toEqual([]);
});

it("ignores an overlong line, which would take too long to match", () => {
  expect(parseRemotes(`[remote "o"]\nurl = ${"a@".repeat(120_000)}\n`)).toEqual([]);
});
