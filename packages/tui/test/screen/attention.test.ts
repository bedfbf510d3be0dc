import { describe, expect, it } from "vitest";
import { createAttention, type NotifyMode } from "../../src/screen/attention.ts";

function attention(
  mode: NotifyMode,
  env: Readonly<Record<string, string>> = {},
): {
  readonly written: () => string;
  readonly turn: (durationMs: number, directory?: string) => void;
  readonly stop: () => void;
} {
  let [written, nowMs] = ["", 0];
  const write = (output: string): void => void (written += output);
  const made = createAttention({ write, now: () => nowMs, env });
  made.useMode(mode);
  made.start();
  return {
    written: () => written,
    turn: (durationMs, directory = "~/app") => {
      made.update({ directory, startedAt: nowMs, hasQuestion: false });
      nowMs += durationMs;
      made.update({ directory, startedAt: undefined, hasQuestion: false });
    },
    stop: made.stop,
  };
}

// oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
const TITLES = /\u001B\]0;[^\u0007]*\u0007/g;

describe("the attention of the user", () => {
  it.each([
    ["bell", {}, "\u0007"],
    ["osc9", {}, "\u001B]9;caliban: The agent is done.\u0007"],
    ["auto", {}, "\u0007"],
    ["auto", { TERM_PROGRAM: "ghostty" }, "\u001B]9;caliban: The agent is done.\u0007"],
    ["off", {}, ""],
  ] as const)("is drawn with %s and %j after a long turn only", (mode, env, call) => {
    const { written, turn } = attention(mode, env);
    turn(9_999);
    expect(written().replaceAll(TITLES, "")).toBe("\u001B[22;0t");
    turn(10_000);
    expect(written().replaceAll(TITLES, "")).toBe(`\u001B[22;0t${call}`);
  });

  it("shows the state in the title, and restores the title at the end", () => {
    const { written, turn, stop } = attention("off");
    turn(1, "~/a\u0007\u001B]0;evil\u0007");
    stop();
    const safe = "caliban: ~/a\\u{7}\\u{1b}]0;evil\\u{7}";
    expect(written()).toBe(
      `\u001B[22;0t\u001B]0;… ${safe}\u0007\u001B]0;${safe}\u0007\u001B[23;0t`,
    );
  });
});
