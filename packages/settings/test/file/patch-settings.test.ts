import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSettingsFile } from "../../src/file/parse-file.ts";
import { patchSettings, type SettingEdit } from "../../src/file/patch-settings.ts";
import type { SettingKey } from "../../src/keys/setting-keys.ts";

const context = { style: "posix", home: "/home/me" } as const;
const patch = (text: string, edit: SettingEdit): string =>
  patchSettings({ file: parseSettingsFile({ path: "/s.toml", text }, context), edit, context })
    .text;
const set = (text: string, key: string, ...args: readonly string[]): string =>
  patch(text, { action: "set", key, args });

const COMMENTED = `# my settings

[memory] # the tiers
auto = true # keep
# about the cap
capTokensAuto = 8_000 # spelled my way
`;

describe("settings set", () => {
  it("settings set changes one value and keeps comments, order and spelling", () => {
    expect(set(COMMENTED, "memory.auto", "off")).toBe(
      COMMENTED.replace("auto = true", "auto = false"),
    );
    expect(set(COMMENTED, "memory.cap_tokens_auto", "9000")).toBe(
      COMMENTED.replace("8_000", "9_000"),
    );
  });

  it.for([
    ["", "memory.auto", ["true"], "[memory]\nauto = true\n"],
    ["", "budget.session", ["5"], "[budget]\nsession = 5\n"],
    ["", "budget.day", ["2.50"], "[budget]\nday = 2.5\n"],
    ["# hi\n", "memory.auto", ["0"], "# hi\n\n[memory]\nauto = false\n"],
    ["memory.auto = true\n", "memory.auto", ["false"], "memory.auto = false\n"],
    ["", "memory.directory", ["~/notes"], '[memory]\ndirectory = "~/notes"\n'],
    ["", "memory.capTokensAuto", ["7"], "[memory]\ncap_tokens_auto = 7\n"],
    ["", "memory.write", ["ask"], '[memory]\nwrite = "ask"\n'],
    [
      "[memory]\nwrite = 'off' # mine\n",
      "memory.write",
      ["allow"],
      "[memory]\nwrite = 'allow' # mine\n",
    ],
    ["[memory]\nwrite = 'nevr'\n", "memory.write", ["off"], "[memory]\nwrite = 'off'\n"],
    [
      "[memory]\nauto = true\n",
      "permissions.deny",
      ["memory.*", "Bash(git push*)"],
      '[memory]\nauto = true\n\n[permissions]\ndeny = [ "memory.*", "Bash(git push*)" ]\n',
    ],
    ["", "claude_md_excludes", ["a b", "!c"], 'claude_md_excludes = [ "a b", "!c" ]\n'],
  ] as const)("settings set changes %j with %s = %j into %j", ([text, key, words, expected]) => {
    expect(set(text, key, ...words)).toBe(expected);
  });

  it.for([
    ["memory.auto", ["maybe"], "WRONG_TYPE"],
    ["memory.auto", [""], "WRONG_TYPE"],
    ["memory.cap_tokens_auto", ["-3"], "WRONG_TYPE"],
    ["claude_md_excludes", [""], "WRONG_TYPE"],
    ["memory.cap_tokens_auto", ["3", "4"], "WRONG_TYPE"],
    ["memory.directory", ["notes"], "WRONG_TYPE"],
    ["memory.write", ["maybe"], "WRONG_TYPE"],
    ["memory.write", ["true"], "WRONG_TYPE"],
    ["memory.write", ["ask", "off"], "WRONG_TYPE"],
    ["permissions.allow", ["memory.*", ""], "WRONG_TYPE"],
    ["budget.day", ["0"], "WRONG_TYPE"],
    ["budget.day", ["-1"], "WRONG_TYPE"],
    ["budget.day", ["much"], "WRONG_TYPE"],
    ["budget.day", ["1e9"], "WRONG_TYPE"],
    ["memory.auot", ["true"], "UNKNOWN_KEY"],
    ["memory", ["true"], "UNKNOWN_KEY"],
  ] as const)("settings set rejects %s = %j with %s", ([key, words, code]) => {
    expect(() => set(COMMENTED, key, ...words)).toThrowError(expect.objectContaining({ code }));
  });

  it("settings set writes a value that reads back and leaves all others unchanged", () => {
    const lines = fc.uniqueArray(
      fc.constantFrom(
        "auto = false # a",
        "cap_tokens_auto = 3",
        "# note",
        "directory = '/x'",
        'write = "ask"',
        "unknown = 1",
        "",
      ),
      { maxLength: 5 },
    );
    const edit = fc.constantFrom<[SettingKey, string, unknown]>(
      ["memory.auto", "true", true],
      ["memory.cap_tokens_auto", "9", 9],
      ["memory.cap_tokens_combined", "10", 10],
      ["memory.directory", "/y", "/y"],
      ["memory.write", "off", "off"],
    );
    fc.assert(
      fc.property(lines, edit, (body, [key, word, value]) => {
        const text = `# head\n[memory]\n${body.join("\n")}\n`;
        const before = parseSettingsFile({ path: "/s", text }, context);
        const patched = set(text, key, word);
        const after = parseSettingsFile({ path: "/s", text: patched }, context);
        expect(after.values.get(key)?.value).toBe(value);
        const others = [...before.values].filter(([name]) => name !== key);
        for (const [name, { value: old }] of others) {
          expect(after.values.get(name)?.value).toEqual(old);
        }
        for (const comment of text.match(/#.*/g) ?? []) expect(patched).toContain(comment);
      }),
    );
  });
});

it("settings set lists the choices when the value is not one of them", () => {
  expect(() => set("", "memory.write", "maybe")).toThrowError(
    'memory.write must be "auto", "allow", "inbox", "ask" or "off", not "maybe".',
  );
});

describe("settings unset", () => {
  const unset = (text: string, key: string): string => patch(text, { action: "unset", key });

  it.for([
    ["# hi\n", "memory.auto", "# hi\n"],
    ["# mine\nmemory.auto = true # on\n", "memory.auto", "# mine\n"],
    [
      "# a\n[memory]\n# b\nauto = true\n# c\ncapTokensAuto = 1\n",
      "memory.auto",
      "# a\n[memory]\n# b\n# c\ncapTokensAuto = 1\n",
    ],
    ["claude_md_excludes = [\n  'a',\n]\nx = 1\n", "claude_md_excludes", "x = 1\n"],
  ] as const)("settings unset changes %j without %s into %j", ([text, key, expected]) => {
    expect(unset(text, key)).toBe(expected);
  });

  it("settings unset removes a value from an inline table", () => {
    const text = unset("memory = { auto = true, cap_tokens_auto = 3 } # both\n", "memory.auto");
    expect(text).toMatch(/^memory = \{ *cap_tokens_auto = 3 *\} # both\n$/);
  });
});

it("settings set keeps Windows line ends", () => {
  expect(set("[memory]\r\nauto=true", "memory.auto", "false")).toBe("[memory]\r\nauto=false\r\n");
});

it("settings set reports a file that it cannot edit and leaves it untouched", () => {
  expect(() => set("[[a]]\nm={x=1}\n[[a]]\nm.y=1\n", "memory.auto", "false")).toThrowError(
    expect.objectContaining({ code: "FILE_UNWRITABLE" }),
  );
});
