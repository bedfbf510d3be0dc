import { describe, expect, it } from "vitest";
import { conversationFlags } from "../../src/cli/conversation-flags.ts";
import { parseCommandLine } from "../../src/cli/parse.ts";

function flagsOf(...argv: readonly string[]): ReturnType<typeof conversationFlags> {
  const parsed = parseCommandLine(argv);
  if (parsed.kind !== "run") throw new Error(parsed.kind);
  return conversationFlags(parsed);
}

describe("conversationFlags", () => {
  it("returns the defaults for an empty command line", () => {
    expect(flagsOf()).toEqual({
      print: false,
      text: undefined,
      outputFormat: "text",
      inputFormat: "text",
      maxTurns: undefined,
      model: undefined,
      mode: undefined,
      resume: undefined,
      sessionName: undefined,
      isSaved: true,
      isLearnedFrom: true,
    });
  });

  it.for([
    [["-p", "fix it"], { print: true, text: "fix it" }],
    [["-p", "fix", "the", "tests"], { print: true, text: "fix the tests" }],
    [["-p"], { print: true, text: undefined }],
    [["fix the tests"], { print: false, text: "fix the tests" }],
    [["-p", "x", "--output-format", "stream-json"], { outputFormat: "stream-json" }],
    [["-p", "--input-format", "stream-json"], { inputFormat: "stream-json" }],
    [["--max-turns", "3"], { maxTurns: 3 }],
    [["--model", "a/b"], { model: "a/b" }],
    [["--mode", "accept-edits"], { mode: "accept-edits" }],
    [["-c"], { resume: { kind: "latest" } }],
    [["-r"], { resume: { kind: "choose" } }],
    [["-r", "abc"], { resume: { kind: "id", id: "abc" } }],
    [["--session", "release"], { sessionName: "release" }],
    [["--no-save"], { isSaved: false }],
    [["--no-learn"], { isSaved: true, isLearnedFrom: false }],
    [["-p", "x", "--no-learn"], { print: true, isLearnedFrom: false }],
    [["--no-save", "-c"], { isSaved: false, resume: { kind: "latest" } }],
  ] as const)("reads %j as %o", ([argv, expected]) => {
    expect(flagsOf(...argv)).toMatchObject(expected);
  });

  it.for([
    [["-p", ""], "the message is empty"],
    [["-p", " \n"], "the message is empty"],
    [["-p", "x", "--output-format", "jsn"], 'not "jsn"; did you mean json?'],
    [
      ["-p", "--input-format", "json"],
      '--input-format must be one of text, stream-json, not "json"',
    ],
    [["--mode", "YOLO"], '--mode must be one of default, accept-edits, plan, yolo, not "YOLO"'],
    [["--max-turns", "0"], '--max-turns must be a positive integer, not "0"'],
    [["--max-turns", "many"], 'not "many"'],
    [["--model", ""], "--model requires a value"],
    [["--session", " "], "--session requires a value"],
    [["--resume="], "--resume requires a session id"],
    [["-c", "-r"], "--continue and --resume cannot be used together"],
    [["-c", "--session", "x"], "--continue and --session cannot be used together"],
    [["-r", "x", "--session", "x"], "--resume and --session cannot be used together"],
    [["--system", "a", "--system-file", "b"], "--system and --system-file cannot be used together"],
    [["--session", "x", "--no-save"], "--session and --no-save cannot be used together"],
    [["--output-format", "json"], "--output-format requires -p"],
    [["--input-format", "stream-json"], "--input-format requires -p"],
    [["-p", "x", "--input-format", "stream-json"], "remove the prompt"],
  ] as const)("rejects %j: %s", ([argv, message]) => {
    expect(() => flagsOf(...argv)).toThrow(message);
  });
});
