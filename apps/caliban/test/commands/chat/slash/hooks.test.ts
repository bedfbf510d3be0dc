import { expect, it } from "vitest";
import { renderHooks } from "../../../../src/commands/hooks/render-hooks.ts";

const command = (words: string): string => `caliban ${words}`;

it("lists each hook with its standing and its last outcome, in terminal-safe lines", () => {
  const hook = { source: "~/s.toml", event: "PreToolUse", matcher: undefined, notes: [] } as const;
  const text = renderHooks(
    {
      offReason: undefined,
      hooks: [
        {
          ...hook,
          name: "mine",
          isRequested: false,
          standing: "yours",
          command: "echo \u001B[2J",
          run: { count: 3, failures: 1, last: "denied a call" },
        },
        { ...hook, name: "team", isRequested: true, standing: "changed", command: "true" },
      ],
    },
    command,
  );
  expect(text).toBe(
    [
      "mine: yours",
      "  PreToolUse: echo \\u{1b}[2J",
      "  from ~/s.toml",
      "  ran 3 times, failed once; last: denied a call",
      "team: changed since you approved it. Run: caliban hooks approve team",
      "  PreToolUse: true",
      "  from ~/s.toml",
    ].join("\n"),
  );
});

it("says how to add a hook when there is none", () => {
  expect(renderHooks({ hooks: [], offReason: undefined }, command)).toContain("set [hooks.<name>]");
});
