import { expect, it } from "vitest";
import { readEnvironment } from "../../src/resolve/read-environment.ts";

const context = { style: "posix", home: "/home/me" } as const;
const read = (env: Readonly<Record<string, string>>): Record<string, unknown> =>
  Object.fromEntries(readEnvironment(env, context).values);

it.for([
  [{}, {}],
  [{ CALIBAN_MEMORY_BUDGET_TOKENS: "" }, {}],
  [{ CALIBAN_MEMORY_BUDGET_TOKENS: "9000" }, { "memory.cap_tokens_combined": 9000 }],
  [{ CALIBAN_MEMORY_CAP_TOKENS_AUTO: "1" }, { "memory.cap_tokens_auto": 1 }],
  [{ CALIBAN_MEMORY_CAP_TOKENS_CLAUDE_MD: "2" }, { "memory.cap_tokens_claude_md": 2 }],
  [{ CALIBAN_DISABLE_AUTO_MEMORY: "YES" }, { "memory.auto": false }],
  [{ CALIBAN_DISABLE_AUTO_MEMORY: "0" }, {}],
  [{ CALIBAN_AUTO_MEMORY_DIRECTORY: "~/n" }, { "memory.directory": "/home/me/n" }],
  [{ CALIBAN_AUTO_MEMORY_DIRECTORY: "n" }, {}],
  [{ CALIBAN_CLAUDE_MD_EXCLUDES: "a:b\n!c" }, { claude_md_excludes: ["a", "b", "!c"] }],
] as const)("readEnvironment reads %j as %j", ([env, expected]) => {
  expect(read(env)).toEqual(expected);
  expect(readEnvironment(env, context).problems).toEqual([]);
});

it("readEnvironment does not split patterns at the colon of a Windows drive", () => {
  const env = { CALIBAN_CLAUDE_MD_EXCLUDES: "a:b\nc" };
  const { values } = readEnvironment(env, { style: "windows", home: undefined });
  expect(values.get("claude_md_excludes")).toEqual(["a:b", "c"]);
});

it("readEnvironment suggests the variable that was probably meant", () => {
  const env = {
    CALIBAN_MEMORY_BUDGET_TOKEN: "5",
    CALIBAN_MEMORY_DIR: "/m",
    CALIBAN_SOMETHING_ELSE: "x",
  };
  expect(readEnvironment(env, context).warnings).toEqual([
    {
      code: "UNKNOWN_VARIABLE",
      variable: "CALIBAN_MEMORY_BUDGET_TOKEN",
      message: "this variable has no effect. Did you mean CALIBAN_MEMORY_BUDGET_TOKENS?",
    },
  ]);
});

it.for([
  ["CALIBAN_MEMORY_BUDGET_TOKENS", "-1"],
  ["CALIBAN_MEMORY_BUDGET_TOKENS", "1e9"],
  ["CALIBAN_MEMORY_BUDGET_TOKENS", " 8000 "],
  ["CALIBAN_MEMORY_CAP_TOKENS_AUTO", "nan"],
  ["CALIBAN_DISABLE_AUTO_MEMORY", "maybe"],
] as const)("readEnvironment rejects %s=%j", ([name, value]) => {
  expect(readEnvironment({ [name]: value }, context).problems).toEqual([
    {
      code: "BAD_VARIABLE",
      variable: name,
      message: expect.stringContaining(JSON.stringify(value)),
    },
  ]);
});
