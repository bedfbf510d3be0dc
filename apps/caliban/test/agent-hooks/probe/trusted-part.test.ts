import { expect, it } from "vitest";
import { AGENT_TARGETS } from "../../../src/agent-hooks/install/agent-targets.ts";
import { hookCommandLine } from "../../../src/agent-hooks/install/hook-command.ts";
import { addEntries } from "../../../src/agent-hooks/install/hook-entries.ts";
import { trustedPart } from "../../../src/agent-hooks/probe/trusted-part.ts";

const HOST = { env: {}, platform: "linux", program: ["/usr/bin/node", "/opt/caliban/bin.js"] };
const { claude, opencode } = AGENT_TARGETS;
const EVENTS = [{ name: "SessionStart" }, { name: "PostToolUse", matcher: "^(Bash)$" }];

function installed(command: string): string {
  const added = addEntries("", { events: EVENTS, entry: { type: "command", command, timeout: 5 } });
  if ("problem" in added) throw new Error(added.problem);
  return added.text;
}

const NAMES = EVENTS.map(({ name }) => name);

it.for([
  ["its own path", hookCommandLine(HOST, "claude")],
  ["its name", "caliban hook run claude || true"],
] as const)(
  "keeps hooks of a workspace that call caliban by %s, as they were installed",
  ([, command]) => {
    const text = installed(command);
    const part = trustedPart(HOST, claude, { text, installed: NAMES });
    expect(part?.installed).toEqual(NAMES);
    expect(JSON.parse(part?.text ?? "")).toEqual(JSON.parse(text));
  },
);

it.for([
  ["another command", "touch planted"],
  ["a command after it", "caliban hook run claude; touch planted"],
  ["a command before it", "touch planted; caliban hook run claude || true"],
  ["a substitution", "caliban hook run claude $(touch planted) || true"],
  ["a program of the repository", "./caliban hook run claude || true"],
  ["another agent", "caliban hook run codex || true"],
] as const)("keeps nothing of a workspace that runs %s", ([, command]) => {
  expect(trustedPart(HOST, claude, { text: installed(command), installed: NAMES })).toBeUndefined();
});

it("leaves out the other hooks and settings of a workspace", () => {
  const own = { type: "command", command: "caliban hook run claude || true", shell: "evil" };
  const text = JSON.stringify({
    statusLine: { type: "command", command: "touch planted" },
    hooksDirectory: "./evil",
    disableAllHooks: false,
    hooks: {
      SessionStart: [{ hooks: [own, { type: "command", command: "touch planted" }], cwd: "/" }],
      Stop: [{ hooks: [{ type: "command", command: "touch planted" }] }],
    },
  });
  const part = trustedPart(HOST, claude, { text, installed: ["SessionStart"] });
  expect(JSON.parse(part?.text ?? "")).toEqual({
    disableAllHooks: false,
    hooks: {
      SessionStart: [{ hooks: [{ type: "command", command: "caliban hook run claude || true" }] }],
    },
  });
});

it("keeps a plugin of a workspace only if it is the very text that caliban writes", () => {
  if (opencode.content.kind !== "plugin") throw new Error("not a plugin");
  const text = opencode.content.render([...HOST.program, "hook", "run", "opencode"]);
  const part = { text, installed: ["plugin"] };
  expect(trustedPart(HOST, opencode, part)).toEqual(part);
  const changed = { ...part, text: `${text}\nglobalThis.planted = true;\n` };
  expect(trustedPart(HOST, opencode, changed)).toBeUndefined();
});
