import { decidePermission, PERMISSION_MODES, type PermissionMode } from "@caliban/agent-core";
import { describe, expect, it } from "vitest";
import { loadPolicy, type LoadedPolicy } from "../../../src/conversation/access/policy.ts";
import { NO_OPTIONS } from "../../../src/command.ts";
import { openProject } from "../../../src/project/project.ts";
import { machine } from "../../fake-host.ts";

const OWN = ".config/caliban/settings.toml";
const THEIRS = "app/.caliban/settings.toml";

async function policyOf(
  files: Readonly<Record<string, string>>,
  given: { readonly mode?: PermissionMode } = {},
): Promise<LoadedPolicy["policy"]> {
  const { host } = await machine(files);
  return (await loadPolicy(await openProject({ ...NO_OPTIONS, host }), given.mode)).policy;
}

describe("the permission mode", () => {
  it.for(PERMISSION_MODES)("follows the user's settings: %s", async (mode) => {
    const { mode: actual } = await policyOf({ [OWN]: `[permissions]\nmode = "${mode}"\n` });
    expect(actual).toBe(mode);
  });

  it("prefers the mode of the command line", async () => {
    const files = { [OWN]: '[permissions]\nmode = "yolo"\n' };
    expect((await policyOf(files, { mode: "plan" })).mode).toBe("plan");
    expect((await policyOf({})).mode).toBe("default");
  });

  it.for(PERMISSION_MODES)("ignores the mode %s of a repository", async (mode) => {
    const files = { [THEIRS]: `[permissions]\nmode = "${mode}"\n` };
    expect((await policyOf(files)).mode).toBe("default");
    const own = { ...files, [OWN]: '[permissions]\nmode = "plan"\n' };
    expect((await policyOf(own)).mode).toBe("plan");
  });

  it("keeps a repository's rules in force in yolo mode", async () => {
    const files = {
      [THEIRS]: '[permissions]\ndeny = ["shell(curl *)"]\nask = ["fs.write(db/*)"]\n',
    };
    const policy = await policyOf(files, { mode: "yolo" });
    const curl = { tool: "Bash", permission: "shell.run", isReadOnly: false, subject: "curl x" };
    const table = { tool: "Write", permission: "fs.write", isReadOnly: false, subject: "db/a" };
    expect(decidePermission(curl, policy).kind).toBe("deny");
    expect(decidePermission(table, policy).kind).toBe("ask");
    expect(decidePermission({ ...curl, subject: "ls" }, policy).kind).toBe("allow");
  });
});

describe("an invalid rule", () => {
  it("stops the start for an invalid rule of the user, and names its line", async () => {
    const start = await machine({
      [OWN]: '[permissions]\nask = ["Bash"]\nallow = [\n  "Read",\n  "Bash(ls",\n]\n',
    });
    const { exitCode, stdout, stderr } = await start.caliban("-p", "hello");
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toMatch(
      /^caliban: ~\/\.config\/caliban\/settings\.toml:3:1: permissions\.allow: "Bash\(ls" is not a valid permission rule: /,
    );
  });

  it("ignores an invalid rule of a repository with a warning", async () => {
    const { host } = await machine({ [THEIRS]: '[permissions]\ndeny = ["Bash(ls", "Read"]\n' });
    const project = await openProject({ ...NO_OPTIONS, host });
    const { policy, warnings } = await loadPolicy(project);
    expect(policy.deny.map(({ text }) => text)).toEqual(["Read"]);
    expect(warnings).toEqual([
      { code: "PERMISSION_RULE", message: expect.stringContaining('"Bash(ls" is ignored') },
    ]);
  });
});
