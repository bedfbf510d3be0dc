import { describe, expect, it } from "vitest";
import { conversationFlags } from "../../src/cli/conversation-flags.ts";
import { parseCommandLine } from "../../src/cli/parse.ts";

function flagsOf(...argv: readonly string[]): ReturnType<typeof conversationFlags> {
  const parsed = parseCommandLine(argv, "1.2.3");
  if (parsed.kind !== "run") throw new Error(parsed.text);
  return conversationFlags(parsed);
}

describe("the flags of a conversation", () => {
  it("are these when nothing is said", () => {
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
  ] as const)("of %j are %o", ([argv, expected]) => {
    expect(flagsOf(...argv)).toMatchObject(expected);
  });

  it.for([
    [["-p", ""], "the message is empty"],
    [["-p", " \n"], "the message is empty"],
    [["-p", "x", "--output-format", "jsn"], 'not "jsn"; did you mean json?'],
    [["-p", "--input-format", "json"], '--input-format is one of text, stream-json, not "json"'],
    [["--mode", "YOLO"], '--mode is one of default, accept-edits, plan, yolo, not "YOLO"'],
    [["--max-turns", "0"], '--max-turns is a whole number from 1 on, not "0"'],
    [["--max-turns", "many"], 'not "many"'],
    [["--model", ""], "--model needs a value"],
    [["--session", " "], "--session needs a value"],
    [["--resume="], "--resume needs the id of a session, or nothing"],
    [["-c", "-r"], "--continue and --resume do not go together"],
    [["-c", "--session", "x"], "--continue and --session do not go together"],
    [["-r", "x", "--session", "x"], "--resume and --session do not go together"],
    [["--system", "a", "--system-file", "b"], "--system and --system-file do not go together"],
    [["--session", "x", "--no-save"], "--session and --no-save do not go together"],
    [["--output-format", "json"], "--output-format is for answers on stdout; add -p"],
    [["--input-format", "stream-json"], "--input-format is for answers on stdout; add -p"],
    [["-p", "x", "--input-format", "stream-json"], "leave the text out"],
  ] as const)("of %j are refused: %s", ([argv, sentence]) => {
    expect(() => flagsOf(...argv)).toThrow(sentence);
  });
});
