import { describe, expect, it } from "vitest";
import { parseLine } from "../../../../src/commands/chat/terminal/parse-line.ts";

describe("a line at the prompt", () => {
  it.each([
    ["#we ship on Mondays", "we ship on Mondays"],
    ["  # we ship on Mondays ", "we ship on Mondays"],
    ["# /etc is read-only", "/etc is read-only"],
    [" # ", ""],
  ])("%j is a note", (line, rest) => {
    expect(parseLine(line)).toMatchObject({ kind: "command", row: { name: "remember" }, rest });
  });

  it.each([
    ["!ls -a | wc", "ls -a | wc"],
    ["! git status ", "git status"],
    ["!", ""],
  ])("%j is a command of the user", (line, rest) => {
    expect(parseLine(line)).toMatchObject({ kind: "command", row: { name: "!" }, rest });
  });

  it.each(["#12 is broken, fix it", "## Plan", "# Plan\n\n1. Test", "fix #note", "!!"])(
    "%j is a message",
    (line) => expect(parseLine(line)).toBeUndefined(),
  );
});
