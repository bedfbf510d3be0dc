import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { userDirectories } from "../src/user-directories.ts";

const linux = { platform: "linux", home: "/home/me" } as const;
const windows = { platform: "win32", home: "C:\\Users\\me" } as const;

describe("userDirectories", () => {
  it("follows XDG below the home directory, on macOS too", () => {
    const expected = {
      config: "/home/me/.config/caliban",
      data: "/home/me/.local/share/caliban",
      state: "/home/me/.local/state/caliban",
      cache: "/home/me/.cache/caliban",
      ignoredVariables: [],
    };
    expect(userDirectories({ ...linux, env: {} })).toEqual(expected);
    expect(userDirectories({ ...linux, platform: "darwin", env: {} })).toEqual(expected);
  });

  it("lets each XDG variable move its directory", () => {
    const env = {
      XDG_CONFIG_HOME: "/c",
      XDG_DATA_HOME: "/d",
      XDG_STATE_HOME: "/s/",
      XDG_CACHE_HOME: "/k",
    };
    expect(userDirectories({ ...linux, env })).toEqual({
      config: "/c/caliban",
      data: "/d/caliban",
      state: "/s/caliban",
      cache: "/k/caliban",
      ignoredVariables: [],
    });
  });

  it.for(["relative/dir", "~/dir", "C:\\dir"])("does not count %j and says so", (value) => {
    const result = userDirectories({ ...linux, env: { XDG_CONFIG_HOME: value } });
    expect(result.config).toBe("/home/me/.config/caliban");
    expect(result.ignoredVariables).toEqual(["XDG_CONFIG_HOME"]);
  });

  it("takes an empty variable for one that is not set", () => {
    const result = userDirectories({ ...linux, env: { XDG_CONFIG_HOME: "" } });
    expect(result.config).toBe("/home/me/.config/caliban");
    expect(result.ignoredVariables).toEqual([]);
  });

  it("uses the roaming and local directories of Windows", () => {
    const env = { APPDATA: "D:\\Roaming", LOCALAPPDATA: "D:\\Local" };
    expect(userDirectories({ ...windows, env })).toEqual({
      config: "D:\\Roaming\\caliban",
      data: "D:\\Local\\caliban\\Data",
      state: "D:\\Local\\caliban\\State",
      cache: "D:\\Local\\caliban\\Cache",
      ignoredVariables: [],
    });
    expect(userDirectories({ ...windows, env: {} }).config).toBe(
      "C:\\Users\\me\\AppData\\Roaming\\caliban",
    );
  });

  it("puts XDG first on Windows as well", () => {
    const env = { XDG_CONFIG_HOME: "E:\\xdg", APPDATA: "D:\\Roaming" };
    expect(userDirectories({ ...windows, env }).config).toBe("E:\\xdg\\caliban");
  });

  it.for([undefined, "", "relative"])("gives no directory for the home %j", (home) => {
    const result = userDirectories({ platform: "linux", home, env: { XDG_DATA_HOME: "/d" } });
    expect(result).toMatchObject({ config: undefined, state: undefined, data: "/d/caliban" });
  });
});

it
  .runIf(process.platform === "linux")
  .for([
    { HOME: "/home/me" },
    { HOME: "/home/me", XDG_CONFIG_HOME: "/c", XDG_DATA_HOME: "/d", XDG_STATE_HOME: "/s" },
  ])("agrees with env-paths for %j", async (env) => {
  const script = `import("env-paths").then(({ default: f }) => console.log(JSON.stringify(f("caliban", { suffix: "" }))))`;
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", script], {
    env,
    cwd: import.meta.dirname,
  });
  const theirs = JSON.parse(stdout) as Record<string, string>;
  expect(userDirectories({ env, platform: "linux", home: env.HOME })).toMatchObject({
    config: theirs["config"],
    data: theirs["data"],
    cache: theirs["cache"],
    state: theirs["log"],
  });
});
