import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { NO_OPTIONS } from "../../src/command.ts";
import { openProject, type Project } from "../../src/project/project.ts";
import { createSandboxSettings } from "../../src/project/sandbox-settings.ts";
import { type Machine, machine } from "../fake-host.ts";

async function open({ host }: Machine): Promise<Project> {
  return await openProject({ ...NO_OPTIONS, host });
}

const NO_MEMORY = { memoryDirectory: undefined, projectHome: undefined };

it("takes the sandbox from the user's own settings, never from the repository", async () => {
  const here = await machine({
    ".config/caliban/settings.toml":
      '[sandbox]\nmode = "on"\nallowed_hosts = ["registry.npmjs.org"]\nwritable_paths = ["~/.cache/x"]\n',
    "app/.caliban/settings.toml":
      '[sandbox]\nmode = "off"\nallowed_hosts = ["evil.com"]\nwritable_paths = ["/"]\nreadable_paths = ["/"]\n',
  });
  const project = await open(here);
  expect(createSandboxSettings({ project, memory: NO_MEMORY, skills: [] })).toMatchObject({
    mode: "on",
    allowedHosts: ["registry.npmjs.org"],
    writablePaths: [join(here.home, ".cache/x")],
    readablePaths: [],
  });
  expect(project.settings.warnings).toHaveLength(4);
});

it("hides caliban's own directories and memory from commands", async () => {
  const here = await machine();
  const memory = { memoryDirectory: "/elsewhere/memory", projectHome: "/elsewhere" };
  const { mode, hiddenPaths } = createSandboxSettings({
    project: await open(here),
    memory,
    skills: [],
  });
  expect(mode).toBe("auto");
  expect(hiddenPaths).toEqual([
    ...[".config", ".local/share", ".local/state", ".cache"].map((name) =>
      join(here.home, name, "caliban"),
    ),
    "/elsewhere/memory",
    "/elsewhere",
  ]);
});

it("removes the temporary directory of commands when the process exits", async () => {
  const listeners: (() => void)[] = [];
  const here = (await machine()).with({
    onExit: (listener) => {
      listeners.push(listener);
      return () => undefined;
    },
  });
  const settings = createSandboxSettings({
    project: await open(here),
    memory: NO_MEMORY,
    skills: [],
  });
  const directory = settings.temporaryDirectory?.() ?? "";
  expect(existsSync(directory)).toBe(true);
  for (const listener of listeners) listener();
  expect(existsSync(directory)).toBe(false);
});
