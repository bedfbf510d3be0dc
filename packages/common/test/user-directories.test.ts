import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { type UserDirectoriesInput, userDirectories } from "../src/user-directories.ts";

const linux = { platform: "linux", home: "/home/me" } as const;
const mac = { platform: "darwin", home: "/Users/me" } as const;
const windows = { platform: "win32", home: "C:\\Users\\me" } as const;
const XDG_LINUX = { XDG_CONFIG_HOME: "/c", XDG_DATA_HOME: "/d", XDG_STATE_HOME: "/s/" };
const LOCAL = "C:\\Users\\me\\AppData\\Local\\caliban";

/** What `env-paths` returns on Windows for this environment. */
function envPathsOnWindows(env: UserDirectoriesInput["env"]) {
  const local = env["LOCALAPPDATA"] ?? "C:\\Users\\me\\AppData\\Local";
  return { data: `${local}\\caliban\\Data`, cache: `${local}\\caliban\\Cache` };
}

describe("userDirectories", () => {
  it.for([
    [
      "Linux",
      { ...linux, env: {} },
      [".config", ".local/share", ".local/state", ".cache"].map(
        (name) => `/home/me/${name}/caliban`,
      ),
    ],
    [
      "macOS",
      { ...mac, env: {} },
      [".config", ".local/share", ".local/state", ".cache"].map(
        (name) => `/Users/me/${name}/caliban`,
      ),
    ],
    [
      "Linux with XDG variables",
      { ...linux, env: { ...XDG_LINUX, XDG_CACHE_HOME: "/k" } },
      ["/c/caliban", "/d/caliban", "/s/caliban", "/k/caliban"],
    ],
    [
      "macOS with some XDG variables",
      { ...mac, env: XDG_LINUX },
      ["/c/caliban", "/d/caliban", "/s/caliban", "/Users/me/.cache/caliban"],
    ],
    [
      "Windows",
      { ...windows, env: {} },
      [
        "C:\\Users\\me\\AppData\\Roaming\\caliban",
        `${LOCAL}\\Data`,
        `${LOCAL}\\State`,
        `${LOCAL}\\Cache`,
      ],
    ],
    [
      "Windows with its own variables",
      { ...windows, env: { APPDATA: "D:\\Roaming", LOCALAPPDATA: "D:\\Local" } },
      [
        "D:\\Roaming\\caliban",
        "D:\\Local\\caliban\\Data",
        "D:\\Local\\caliban\\State",
        "D:\\Local\\caliban\\Cache",
      ],
    ],
    [
      "Windows with XDG variables",
      {
        ...windows,
        env: { XDG_DATA_HOME: "E:\\xdg", APPDATA: "D:\\Roaming", LOCALAPPDATA: "D:\\Local" },
      },
      [
        "D:\\Roaming\\caliban",
        "E:\\xdg\\caliban",
        "D:\\Local\\caliban\\State",
        "D:\\Local\\caliban\\Cache",
      ],
    ],
  ] as const)("resolves the four directories on %s", ([, input, expected]) => {
    const native = input.platform === "win32" ? envPathsOnWindows(input.env) : undefined;
    for (const given of [undefined, native]) {
      const { config, data, state, cache, ...rest } = userDirectories({ ...input, native: given });
      expect([config, data, state, cache]).toEqual(expected);
      expect(rest).toEqual({ ignoredVariables: [] });
    }
  });

  it.for(["relative/dir", "~/dir", "C:\\dir"])(
    "ignores the XDG variable %j and reports it",
    (value) => {
      const result = userDirectories({ ...linux, env: { XDG_CONFIG_HOME: value } });
      expect(result.config).toBe("/home/me/.config/caliban");
      expect(result.ignoredVariables).toEqual(["XDG_CONFIG_HOME"]);
    },
  );

  it("ignores a relative LOCALAPPDATA and reports it, with and without env-paths", () => {
    const env = { LOCALAPPDATA: "relative" };
    for (const native of [undefined, envPathsOnWindows(env)]) {
      expect(userDirectories({ ...windows, env, native })).toMatchObject({
        data: `${LOCAL}\\Data`,
        cache: `${LOCAL}\\Cache`,
        ignoredVariables: ["LOCALAPPDATA"],
      });
    }
  });

  it("treats an empty variable as unset", () => {
    const result = userDirectories({ ...linux, env: { XDG_CONFIG_HOME: "" } });
    expect(result.config).toBe("/home/me/.config/caliban");
    expect(result.ignoredVariables).toEqual([]);
  });

  it.for([undefined, "", "relative"])("returns no directory below the home %j", (home) => {
    const result = userDirectories({ platform: "linux", home, env: { XDG_DATA_HOME: "/d" } });
    expect(result).toMatchObject({ config: undefined, state: undefined, data: "/d/caliban" });
  });
});

/** Runs the real `env-paths` in another process, because it reads the environment when it is imported. */
async function realEnvPaths(platform: string, env: Record<string, string>) {
  // On another platform, only the separators differ: the library uses those of the machine that it runs on.
  const script = `
    Object.defineProperty(process, "platform", { value: ${JSON.stringify(platform)} });
    const { windowsDirectories } = await import("../src/node/windows-directories.ts");
    console.log(JSON.stringify(await windowsDirectories()));
  `;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "--no-warnings", "-e", script],
    { env, cwd: import.meta.dirname },
  );
  return JSON.parse(stdout) as { readonly data: string; readonly cache: string };
}

it
  .runIf(process.platform === "linux")
  .for([{ HOME: "/home/me" }, { HOME: "/home/me", XDG_DATA_HOME: "/d", XDG_CACHE_HOME: "/k" }])(
  "env-paths names the same directories on Linux for %j",
  async (env) => {
    const { data, cache } = userDirectories({ env, platform: "linux", home: env.HOME });
    expect(await realEnvPaths("linux", env)).toEqual({ data, cache });
  },
);

it
  .runIf(process.platform === "linux")
  .for([{ HOME: "C:/Users/me" }, { HOME: "C:/Users/me", LOCALAPPDATA: "D:/Local" }])(
  "env-paths names the same directories on Windows for %j",
  async (env) => {
    const { data, cache } = userDirectories({ env, platform: "win32", home: env.HOME });
    const slashes = (path: string | undefined): string | undefined => path?.replaceAll("\\", "/");
    expect(await realEnvPaths("win32", env)).toEqual({
      data: slashes(data),
      cache: slashes(cache),
    });
  },
);
