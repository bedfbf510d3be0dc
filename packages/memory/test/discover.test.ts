import { expect, it } from "vitest";
import { discover, type DiscoverInput } from "../src/discover.ts";

const input: DiscoverInput = {
  places: {
    configHome: "/c",
    globalFile: "/c/CLAUDE.md",
    projectHome: "/d/projects/app",
    autoDirectory: "/d/projects/app/memory",
    notices: [],
  },
  workspaceRoot: "/app",
  style: "posix",
  autoMemory: true,
  isExcluded: () => false,
};

it("lists the files broad to narrow", () => {
  expect(discover(input)).toEqual([
    { tier: "global", path: "/c/CLAUDE.md" },
    { tier: "project", path: "/app/CLAUDE.md" },
    { tier: "auto", path: "/d/projects/app/memory/MEMORY.md" },
  ]);
});

it("names what it leaves out, with the reason", () => {
  const reasons = discover({
    ...input,
    autoMemory: false,
    isExcluded: (path) => path === "CLAUDE.md",
  });
  expect(reasons.map(({ tier, leaveOut }) => [tier, leaveOut?.reason])).toEqual([
    ["global", undefined],
    ["project", "EXCLUDED"],
    ["auto", "TURNED_OFF"],
  ]);
});

it("goes on without the tiers that have no place", () => {
  const places = { ...input.places, globalFile: undefined, autoDirectory: undefined };
  expect(discover({ ...input, places }).map(({ tier }) => tier)).toEqual(["project"]);
});
