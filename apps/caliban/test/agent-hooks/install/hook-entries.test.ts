import * as fc from "fast-check";
import { parse } from "jsonc-parser";
import { expect, it } from "vitest";
import {
  addEntries,
  type EditedText,
  hookedEvents,
  removeEntries,
} from "../../../src/agent-hooks/install/hook-entries.ts";

const ADDED = {
  events: [{ name: "UserPromptSubmit" }, { name: "PostToolUse", matcher: "^(Bash)$" }],
  entry: { type: "command", command: "caliban hook run claude || true", timeout: 5 },
};

const FILES: Readonly<Record<string, string>> = {
  "an empty object": "{}\n",
  "other settings": '{\n  "model": "opus",\n  "env": { "A": "b" }\n}\n',
  comments: '{\n  // keep\n  "model": "opus", // this\n  /* and this */\n  "theme": "dark"\n}\n',
  "tabs and no newline at the end": '{\n\t"model": "opus"\n}',
  "Windows lines": '{\r\n    "model": "opus"\r\n}\r\n',
  "one line": '{"model":"opus","hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}',
  "a byte order mark": '\uFEFF{\n  "model": "opus"\n}\n',
  "hooks of the user": `{
  "hooks": {
    // mine
    "PostToolUse": [
      { "matcher": "Write", "hooks": [{ "type": "command", "command": "fmt" }] } // formats
    ],
    "Stop": [{ "hooks": [{ "type": "command", "command": "notify-send" }] }]
  },
  "model": "opus"
}
`,
};

it.for(Object.entries(FILES))("adds entries to %s and removes exactly them again", ([, before]) => {
  const added = textOf(addEntries(before, ADDED));
  expect(hookedEvents(added).toSorted()).toEqual(["PostToolUse", "UserPromptSubmit"]);
  expect(textOf(removeEntries(added))).toBe(before);
});

it("keeps every line of the user when it adds entries", () => {
  for (const before of Object.values(FILES).filter((text) => text.trim().includes("\n"))) {
    const added = textOf(addEntries(before, ADDED));
    const comments = before.match(/\/\/.*|\/\*.*\*\//g) ?? [];
    for (const comment of comments) expect(added).toContain(comment);
    // A comma may have to follow what was last.
    const lines = before.replaceAll(",", "").split(/\r?\n/);
    for (const line of lines) expect(added.replaceAll(",", "")).toContain(line);
  }
});

it("replaces the entries of an older version instead of adding to them", () => {
  const old = { ...ADDED, entry: { ...ADDED.entry, command: '"/old/bin.js" hook run claude' } };
  const before = FILES["hooks of the user"] ?? "";
  const updated = textOf(addEntries(textOf(addEntries(before, old)), ADDED));
  expect(updated).toBe(textOf(addEntries(before, ADDED)));
  expect(textOf(addEntries(updated, ADDED))).toBe(updated);
});

it("leaves the user's entry in a group that both share", () => {
  const shared =
    '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"},{"type":"command","command":"caliban hook run codex"}]}]}}';
  expect(parse(textOf(removeEntries(shared)))).toEqual({
    hooks: { Stop: [{ hooks: [{ type: "command", command: "a" }] }] },
  });
});

it("leaves hooks of the user alone that merely mention caliban", () => {
  const text =
    '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"caliban memory list"}]}]}}';
  expect(textOf(removeEntries(text))).toBe(text);
});

it.for([
  ['{\n  "a": 1,\n  "b": \n}', 4],
  ['{"a": 1', 1],
  ["[]", 1],
  ['{\n  "hooks": []\n}', 2],
  ['{\n  "hooks": {\n    "Stop": {}\n  }\n}', 3],
  ["not json", 1],
  [`{\n"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, 2],
] as const)("names the line of what is wrong in %j", ([text, line]) => {
  for (const edited of [addEntries(text, ADDED), removeEntries(text)])
    expect(edited).toMatchObject({ line, problem: expect.any(String) });
});

it("restores any JSON object of settings", () => {
  const value = fc.jsonValue({ depthSize: "xsmall", noUnicodeString: true });
  const group = fc.record({
    matcher: fc.string(),
    hooks: fc.array(fc.record({ command: fc.string() }), { minLength: 1 }),
  });
  const settings = fc.record(
    {
      model: value,
      hooks: fc.dictionary(
        fc.constantFrom("Stop", "PostToolUse"),
        fc.array(group, { minLength: 1 }),
        { minKeys: 1, noNullPrototype: true },
      ),
      env: value,
    },
    { requiredKeys: [], noNullPrototype: true },
  );
  fc.assert(
    fc.property(settings, fc.constantFrom(undefined, 2, 4, "\t"), (object, indent) => {
      const before = JSON.stringify(object, undefined, indent);
      const added = textOf(addEntries(before, ADDED));
      expect(textOf(removeEntries(added))).toBe(before);
    }),
  );
});

function textOf(edited: EditedText): string {
  if ("problem" in edited) throw new Error(edited.problem);
  return edited.text;
}
