import { expect, it } from "vitest";
import { remotesInConfig } from "../../src/project/git-config.ts";
import { processorMs } from "../../../../test/support/processor-time.ts";

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
