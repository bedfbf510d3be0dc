import { expect, it } from "vitest";
import { skillDirectories } from "../src/skill-directories.ts";

it("skillDirectories lists the directories in order of precedence", () => {
  expect(
    skillDirectories({
      platform: "linux",
      workspaceRoot: "/app",
      configHome: "/home/me/.config/caliban",
      generated: { path: "/data/app/autonomous/generations/3/skills", within: "/data/app" },
    }),
  ).toEqual([
    { path: "/app/.caliban/skills", origin: "workspace", within: "/app" },
    { path: "/app/.claude/skills", origin: "workspace", within: "/app" },
    { path: "/home/me/.config/caliban/skills", origin: "user" },
    {
      path: "/data/app/autonomous/generations/3/skills",
      origin: "generated",
      within: "/data/app",
    },
  ]);
});

it("skillDirectories omits unknown directories and uses Windows paths on Windows", () => {
  const input = { workspaceRoot: "C:\\app", configHome: undefined, generated: undefined };
  const directories = skillDirectories({ platform: "win32", ...input });
  expect(directories.map(({ path }) => path)).toEqual([
    "C:\\app\\.caliban\\skills",
    "C:\\app\\.claude\\skills",
  ]);
});
