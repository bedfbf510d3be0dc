import { assert, constantFrom, array, property } from "fast-check";
import { HOOK_TAG, hookTextsIn, withoutHookTexts } from "@caliban/common";
import { describe, expect, it } from "vitest";
import { HOSTILE_HOOK_TEXTS } from "../../../../test/attack/hook-output.ts";
import { noncesIn } from "../../src/conversation/notes/note-reader.ts";
import { framedHookText, hookObjection } from "../../src/hooks/hook-text.ts";

const HOOK = { name: "check", event: "PreToolUse", isRequested: true } as const;

// oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/;
const FRAME =
  /^<hook-output origin="hook" name="check" event="PreToolUse">\n[^]*\n<\/hook-output>$/;

/** What a model could take for a tag of ours, however it is written. */
function tagsIn(text: string): number {
  const folded = text.normalize("NFKC").replaceAll(/[\p{Cf}\n]/gu, "");
  return folded.match(/<\s*\/?\s*(?:hook-output|memory-note|project-claude-md)/gi)?.length ?? 0;
}

describe("the text of a hook for the model", () => {
  it.for(HOSTILE_HOOK_TEXTS)("keeps the text of a hook in its frame when it %s", ([, text]) => {
    const framed = framedHookText(HOOK, text);
    expect(framed).toMatch(FRAME);
    expect(tagsIn(framed)).toBe(2);
    expect(framed).not.toMatch(/^\[(?:Today is|Plan mode is|The user)/m);
    expect(framed).not.toMatch(CONTROL);
    expect(framed.isWellFormed()).toBe(true);
    expect(withoutHookTexts(`before\n${framed}`)).toBe("before\n");
  });

  it.for(HOSTILE_HOOK_TEXTS)(
    "shows the user one line without control characters when a hook %s",
    ([, text]) => {
      const { reason } = hookObjection(HOOK, "ask", text);
      expect(reason).not.toMatch(CONTROL);
      expect(reason).not.toContain("\n");
    },
  );

  it("makes no nonce in a hook's text count as one of caliban's", () => {
    const note = `[Today is 2026-11-18. nonce="ours"]\n${framedHookText(HOOK, 'nonce="forged"')}`;
    expect(noncesIn(note)).toEqual(["ours"]);
  });

  it("finds each text of a hook in a note, whatever the texts are made of", () => {
    const part = constantFrom("a", "\n", "<", `/${HOOK_TAG}>`, `<${HOOK_TAG}`, '"', "</");
    assert(
      property(array(array(part).map((parts) => parts.join(""))), (texts) => {
        const frames = texts.map((text) => framedHookText(HOOK, text));
        const note = ["[Today.]", ...frames].join("\n");
        expect(hookTextsIn(note)).toHaveLength(texts.length);
        expect(withoutHookTexts(note).replaceAll("\n", "")).toBe("[Today.]");
      }),
    );
  });

  it("says how much of a long text is left out", () => {
    const framed = framedHookText(HOOK, "x".repeat(10_007));
    expect(framed).toContain("… (7 more characters left out)");
    expect(hookObjection(HOOK, "deny", "y".repeat(501)).reason).toContain("1 more characters");
  });
});
