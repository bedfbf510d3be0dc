import { describe, expect, it } from "vitest";
import { locateMemory } from "../../src/project/locations.ts";

const base = { platform: "linux", home: "/home/me", slug: "home-me-app", directory: undefined };
const env = { HOME: "/home/me" };

describe("locateMemory", () => {
  it("locates everything below the home directory by default", () => {
    expect(locateMemory({ ...base, env })).toEqual({
      globalFile: "/home/me/.config/caliban/CLAUDE.md",
      projectHome: "/home/me/.local/share/caliban/projects/home-me-app",
      userMemoryDirectory: "/home/me/.local/share/caliban/user/memory",
      memoryDirectory: "/home/me/.local/share/caliban/projects/home-me-app/memory",
      isSharedDirectory: false,
      notices: [],
    });
  });

  it.for([
    [{ CALIBAN_MEMORY_DIR: "/m" }, undefined, "/m/home-me-app/memory"],
    [{ CALIBAN_MEMORY_DIR: "~/m" }, undefined, "/home/me/m/home-me-app/memory"],
    [{ CALIBAN_MEMORY_DIR: "/m" }, "/settings", "/settings"],
    [{ CALIBAN_MEMORY_DIR: "/m", CALIBAN_AUTO_MEMORY_DIRECTORY: "/a" }, "/settings", "/a"],
    [{ CALIBAN_AUTO_MEMORY_DIRECTORY: "~/a" }, undefined, "/home/me/a"],
  ] as const)(
    "puts topics with %j and the setting %j into %j",
    ([variables, directory, expected]) => {
      const locations = locateMemory({ ...base, env: { ...env, ...variables }, directory });
      expect(locations.memoryDirectory).toBe(expected);
      expect(locations.notices).toEqual([]);
    },
  );

  it.for(["CALIBAN_MEMORY_DIR", "CALIBAN_AUTO_MEMORY_DIRECTORY", "XDG_DATA_HOME"])(
    "ignores a relative %s and reports it",
    (variable) => {
      const locations = locateMemory({ ...base, env: { ...env, [variable]: "notes" } });
      expect(locations.memoryDirectory).toBe(
        "/home/me/.local/share/caliban/projects/home-me-app/memory",
      );
      expect(locations.notices).toEqual([
        expect.objectContaining({
          code: "VARIABLE_IGNORED",
          message: expect.stringContaining(variable),
        }),
      ]);
    },
  );

  it("reports that HOME is not set and which home directory is used", () => {
    expect(locateMemory({ ...base, env: {} }).notices).toEqual([
      {
        code: "HOME_NOT_SET",
        message: "HOME is not set to an absolute path; using /home/me.",
      },
    ]);
    const windows = { ...base, platform: "win32", home: "C:\\me", env: {} };
    expect(locateMemory(windows).notices).toEqual([]);
  });

  it.for([undefined, "", "x"])(
    "works without a home directory (%j) and reports what is missing",
    (home) => {
      const homeless = { ...base, home };
      const locations = locateMemory({ ...homeless, env: {} });
      expect(locations).toMatchObject({ globalFile: undefined, memoryDirectory: undefined });
      expect(locations.notices).toEqual([
        expect.objectContaining({
          code: "HOME_UNKNOWN",
          message: expect.stringContaining("no global tier and no auto-memory"),
        }),
      ]);
      const xdg = { XDG_CONFIG_HOME: "/c", XDG_DATA_HOME: "/d" };
      expect(locateMemory({ ...homeless, env: xdg })).toMatchObject({
        globalFile: "/c/caliban/CLAUDE.md",
        memoryDirectory: "/d/caliban/projects/home-me-app/memory",
      });
    },
  );
});
