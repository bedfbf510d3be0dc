import { expect, it } from "vitest";
import {
  isSameRepository,
  parseProjectRecord,
  type ProjectRecord,
  renderProjectRecord,
  withoutUserInfo,
} from "../../src/project/record.ts";

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
