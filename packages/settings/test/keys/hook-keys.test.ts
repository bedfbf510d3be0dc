import { describe, expect, it } from "vitest";
import { parseSettingsFile, type ParsedFile } from "../../src/file/parse-file.ts";
import { resolveSettings } from "../../src/resolve/resolve.ts";

function parse(text: string, path = "/own"): ParsedFile {
  return parseSettingsFile({ path, text }, { style: "posix", home: "/home/me" });
}

const whole = '[hooks.check]\nevent = "PreToolUse"\ncommand = "true"\n';

describe("hooks in the settings", () => {
  it("parses hooks as tables by name", () => {
    const { values, errors, warnings } = parse(
      `${whole}matcher = "Edit|mcp__*"\ntimeout_seconds = 5`,
    );
    expect([errors, warnings]).toEqual([[], []]);
    expect(values.get("hooks")?.value).toEqual({
      check: { event: "PreToolUse", command: "true", matcher: "Edit|mcp__*", timeout_seconds: 5 },
    });
  });

  it.for([
    ['[hooks.a]\nevent = "PreTool"', "hooks.a.event must be"],
    ['[hooks.a]\nmatcher = "Edit|(a+)+"', "hooks.a.matcher must be names of tools separated by |"],
    ['[hooks.a]\nmatcher = ""', "hooks.a.matcher must be names of tools"],
    [
      "[hooks.a]\ntimeout_seconds = 601",
      "hooks.a.timeout_seconds must be an integer from 1 to 600",
    ],
    ["[hooks.a]\ncommand = ['x']", "hooks.a.command must be"],
    ["[hooks.A]\ncommand = 'x'", "a hook name consists of"],
    ["[hooks.'a\" x']\ncommand = 'x'", "a hook name consists of"],
  ])("reports %s as an error", ([text = "", message = ""]) => {
    expect(parse(text).errors[0]?.message).toContain(message);
  });

  it.for([
    ["[hooks.a]\nevent = 'Stop'", "hooks.a has no command, so it never runs."],
    ["[hooks.a]\n", "hooks.a has no event and no command, so it never runs."],
    [
      "[hooks.a]\nevent = 'Stop'\ncommand = 'x'\nmatcher = 'Bash'",
      "hooks.a.matcher has no effect: Stop is not about a tool.",
    ],
    [
      "[hooks.a]\nevent = 'Stop'\ncomand = 'x'",
      "unknown setting hooks.a.comand. Did you mean command?",
    ],
    ["[hooks.a]\nenabled = false", ""],
  ] as const)("warns about %s", ([text, message]) => {
    const { errors, warnings } = parse(text);
    expect(errors).toEqual([]);
    const messages = warnings.map((warning) => warning.message);
    expect(messages.find((one) => one === message) ?? messages.join("")).toBe(message);
  });

  it("treats hooks of a repository as requests that change no setting, replace no hook of the user and can be turned off", () => {
    const { values, requestedHooks, warnings } = resolveSettings({
      environment: new Map(),
      user: parse(`${whole}[hooks.off]\nenabled = false\n`),
      projects: [
        parse(
          `${whole}[hooks.off]\ncommand = 'x'\n[hooks.team]\nevent = 'PreToolUse'\ncommand = 'y'`,
          "/project",
        ),
      ],
    });
    expect(Object.keys(values.hooks)).toEqual(["check", "off"]);
    expect(requestedHooks).toEqual([
      { name: "team", settings: { event: "PreToolUse", command: "y" }, path: "/project" },
    ]);
    expect(warnings.filter(({ code }) => code === "NOT_FOR_PROJECTS")).toMatchObject([
      { message: "hooks.check is ignored in a project file: you have a hook with that name." },
    ]);
  });
});
