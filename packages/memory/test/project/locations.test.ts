import { describe, expect, it } from "vitest";
import { locateMemory } from "../../src/project/locations.ts";

const base = { platform: "linux", home: "/home/me", slug: "home-me-app", directory: undefined };
const env = { HOME: "/home/me" };

describe("memoryPlaces", () => {
  it("knows where everything is when nothing is set", () => {
    expect(locateMemory({ ...base, env })).toEqual({
      configHome: "/home/me/.config/caliban",
      globalFile: "/home/me/.config/caliban/CLAUDE.md",
      projectHome: "/home/me/.local/share/caliban/projects/home-me-app",
      autoDirectory: "/home/me/.local/share/caliban/projects/home-me-app/memory",
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
    "with %j and the setting %j keeps notes in %j",
    ([variables, directory, expected]) => {
      const places = locateMemory({ ...base, env: { ...env, ...variables }, directory });
      expect(places.memoryDirectory).toBe(expected);
      expect(places.notices).toEqual([]);
    },
  );

  it.for(["CALIBAN_MEMORY_DIR", "CALIBAN_AUTO_MEMORY_DIRECTORY", "XDG_DATA_HOME"])(
    "does not count a relative %s and says so",
    (variable) => {
      const places = locateMemory({ ...base, env: { ...env, [variable]: "notes" } });
      expect(places.memoryDirectory).toBe(
        "/home/me/.local/share/caliban/projects/home-me-app/memory",
      );
      expect(places.notices).toEqual([
        expect.objectContaining({
          code: "VARIABLE_IGNORED",
          sentence: expect.stringContaining(variable),
        }),
      ]);
    },
  );

  it("says when HOME is not set and where the home comes from", () => {
    expect(locateMemory({ ...base, env: {} }).notices).toEqual([
      {
        code: "HOME_NOT_SET",
        sentence: "HOME is not set to an absolute path; /home/me is used.",
      },
    ]);
    const windows = { ...base, platform: "win32", home: "C:\\me", env: {} };
    expect(locateMemory(windows).notices).toEqual([]);
  });

  it.for([undefined, "", "x"])("goes on with the home %j and says what is lost", (home) => {
    const homeless = { ...base, home };
    const places = locateMemory({ ...homeless, env: {} });
    expect(places).toMatchObject({ globalFile: undefined, autoDirectory: undefined });
    expect(places.notices).toEqual([
      expect.objectContaining({
        code: "HOME_UNKNOWN",
        sentence: expect.stringContaining("no global and no auto tier"),
      }),
    ]);
    const xdg = { XDG_CONFIG_HOME: "/c", XDG_DATA_HOME: "/d" };
    expect(locateMemory({ ...homeless, env: xdg })).toMatchObject({
      globalFile: "/c/caliban/CLAUDE.md",
      autoDirectory: "/d/caliban/projects/home-me-app/memory",
    });
  });
});
