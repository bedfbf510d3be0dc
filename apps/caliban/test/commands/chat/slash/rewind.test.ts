import type { PickItem } from "@caliban/tui";
import { describe, expect, it } from "vitest";
import type { ShownStep } from "../../../../src/checkpoints/inspect-files.ts";
import type { RewindChoice } from "../../../../src/conversation/rewind/rewind-points.ts";
import { machine } from "../../../fake-host.ts";
import { prompt, said } from "./slash-prompt.ts";

const FILE = { kind: "file", sha256: "a".repeat(64), bytes: 1, mode: 0o644 } as const;

function step(display: string, kind: "none" | "restore" | "ask" | "blocked"): ShownStep {
  const file = { display, path: `/w/${display}`, target: FILE, known: [], current: FILE };
  return kind === "blocked"
    ? { ...file, step: kind, reason: "it is a directory now" }
    : { ...file, step: kind };
}

function choice(id: string, text: string, steps: readonly ShownStep[] = []): RewindChoice {
  const undoes = id.startsWith("r") ? "both" : undefined;
  return { id, text, atMs: undefined, undoes, files: { steps, isInterrupted: false } };
}

/** A user who picks an item and gives these answers, and everything that was shown. */
async function ask(
  rewindChoices: readonly RewindChoice[],
  {
    line = "/rewind",
    pick = rewindChoices[0]?.id,
    answers = [],
    confirm = true,
    rewindFailures = [],
  }: {
    readonly line?: string;
    readonly pick?: string | undefined;
    readonly answers?: readonly (string | undefined)[];
    readonly confirm?: boolean;
    readonly rewindFailures?: readonly { readonly display: string; readonly reason: string }[];
  } = {},
) {
  const questions: string[] = [];
  const listed: PickItem[] = [];
  const left = [...answers];
  const { type, log } = await prompt(
    await machine(),
    {
      pick: async (_, items) => {
        listed.push(...items);
        return pick;
      },
      choose: async (question, _, text = "") => {
        questions.push(`${text}\n${question}`);
        return left.shift();
      },
      confirm: async (question, text = "") => {
        questions.push(`${text}${question}`);
        return confirm;
      },
    },
    { rewindChoices, rewindFailures },
  );
  return { result: await said(type(line)), questions, listed, log };
}

describe("/rewind", () => {
  it("says so when there is nothing to go back to, or nothing to undo", async () => {
    expect((await ask([])).result).toEqual({
      kind: "error",
      text: "no earlier message to go back to",
    });
    const { result } = await ask([choice("m1", "first")], { line: "/rewind undo" });
    expect(result).toEqual({ kind: "error", text: "no rewind to undo" });
    expect((await ask([], { line: "/rewind m1" })).result.kind).toBe("error");
  });

  it("lists messages with how many files would change, and which", async () => {
    const steps = [step("a", "restore"), step("b", "ask"), step("c", "none")];
    const blocked = choice("m1", "first\nsecond line", [step("d", "blocked")]);
    const { listed } = await ask([choice("r1", ""), choice("m3", "second", steps), blocked], {
      pick: undefined,
    });
    expect(listed.map(({ label, description }) => [label.trim(), description])).toEqual([
      ["Undo the last rewind", ""],
      ["second", "2 files"],
      ["first", "1 file"],
    ]);
    expect(listed.map(({ preview }) => preview)).toEqual([
      "",
      "a: will be restored\nb: will be restored (changed since by you or another program)",
      "d: cannot go back, it is a directory now",
    ]);
  });

  it("goes back in the conversation without a question when no file changed, and offers the message again", async () => {
    const { result, questions, log } = await ask([choice("m1", "first", [step("c", "none")])]);
    expect(questions).toEqual([]);
    expect(log).toEqual(["rewind conversation to m1: "]);
    expect(result).toMatchObject({ kind: "switched", prompt: "first" });
  });

  it("asks what to restore, and does nothing without an answer", async () => {
    const choices = [choice("m1", "first", [step("a", "restore")])];
    const { questions, log, result } = await ask(choices, { answers: ["nothing"] });
    expect(questions[0]).toContain("Changes by commands (Bash, !) and other programs stay.");
    expect([log, result]).toEqual([[], { kind: "text", text: "" }]);
    expect((await ask(choices, { answers: ["files"] })).log).toEqual(["rewind files to m1: a"]);
    expect((await ask(choices, { answers: ["both"] })).log).toEqual(["rewind both to m1: a"]);
  });

  it.each([
    { answer: "overwrite", log: ["rewind both to m1: a b"] },
    { answer: "keep", log: ["rewind both to m1: a"] },
    { answer: "cancel", log: [] },
    { answer: undefined, log: [] },
  ])("asks about files that were changed by hand: $answer", async ({ answer, log }) => {
    const choices = [choice("m1", "first", [step("a", "restore"), step("b", "ask")])];
    const asked = await ask(choices, { answers: ["both", answer] });
    expect(asked.log).toEqual(log);
    expect(asked.questions[1]).toContain("b: will be restored (changed since");
  });

  it("offers the conversation alone when no file can go back", async () => {
    const choices = [choice("m1", "first", [step("a", "blocked")])];
    const declined = await ask(choices, { confirm: false });
    expect(declined.questions).toEqual([
      "a: cannot go back, it is a directory now\nGo back in the conversation only?",
    ]);
    expect(declined.log).toEqual([]);
    expect((await ask(choices)).log).toEqual(["rewind conversation to m1: "]);
  });

  it("names the files that did not go back, and says what to do", async () => {
    const choices = [choice("m1", "first", [step("a", "restore")])];
    const rewindFailures = [{ display: "a", reason: "the disk is full" }];
    const { result } = await ask(choices, { answers: ["both"], rewindFailures });
    expect(result.kind).toBe("error");
    expect(result.text).toContain("These files did not go back:\n  a: the disk is full\n");
    expect(result.text).toContain("The conversation did not go back either.");
  });

  it("undoes what the last rewind did", async () => {
    const choices = [choice("r2", "", [step("a", "restore")]), choice("m1", "first")];
    const { log, result, questions } = await ask(choices, { line: "/rewind undo" });
    expect([log, questions]).toEqual([["rewind both to r2: a"], []]);
    expect(result).toMatchObject({ kind: "switched", prompt: undefined });
  });
});
