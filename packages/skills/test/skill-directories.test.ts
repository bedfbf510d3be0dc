import { expect, it } from "vitest";
import { skillDirectories } from "../src/skill-directories.ts";

it("lists the places in the order in which they count", () => {
  expect(
    skillDirectories({
      platform: "linux",
      workspaceRoot: "/app",
      configHome: "/home/me/.config/caliban",
      projectHome: "/home/me/.local/share/caliban/projects/app",
    }),
  ).toEqual([
    { path: "/app/.caliban/skills", origin: "workspace", within: "/app" },
    { path: "/app/.claude/skills", origin: "workspace", within: "/app" },
    { path: "/home/me/.config/caliban/skills", origin: "user" },
    {
      path: "/home/me/.local/share/caliban/projects/app/autonomous/skills",
      origin: "generated",
      within: "/home/me/.local/share/caliban/projects/app",
    },
  ]);
});

it("leaves out what lies in a home that is not known, and writes paths as Windows does", () => {
  const input = { workspaceRoot: "C:\\app", configHome: undefined, projectHome: undefined };
  const places = skillDirectories({ platform: "win32", ...input });
  expect(places.map(({ path }) => path)).toEqual([
    "C:\\app\\.caliban\\skills",
    "C:\\app\\.claude\\skills",
  ]);
});
