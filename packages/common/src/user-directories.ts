import type { Environment } from "./environment.ts";
import { isAbsolutePath, joinPath, type PathStyle, pathStyleOf } from "./paths.ts";

/** Where a person's files live. A directory is `undefined` only when neither a variable nor a home gives it. */
export interface UserDirectories {
  readonly config: string | undefined;
  readonly data: string | undefined;
  readonly state: string | undefined;
  readonly cache: string | undefined;
  /** Variables that were set but do not count, because they are not absolute paths. */
  readonly ignoredVariables: readonly string[];
}

export interface UserDirectoriesInput {
  readonly env: Environment;
  readonly platform: string;
  readonly home: string | undefined;
}

type Kind = "config" | "data" | "state" | "cache";

interface Place {
  readonly variable: string;
  readonly belowVariable: readonly string[];
  readonly belowHome: readonly string[];
}

const XDG: Readonly<Record<Kind, Place>> = {
  config: {
    variable: "XDG_CONFIG_HOME",
    belowVariable: ["caliban"],
    belowHome: [".config", "caliban"],
  },
  data: {
    variable: "XDG_DATA_HOME",
    belowVariable: ["caliban"],
    belowHome: [".local", "share", "caliban"],
  },
  state: {
    variable: "XDG_STATE_HOME",
    belowVariable: ["caliban"],
    belowHome: [".local", "state", "caliban"],
  },
  cache: {
    variable: "XDG_CACHE_HOME",
    belowVariable: ["caliban"],
    belowHome: [".cache", "caliban"],
  },
};

const WINDOWS: Readonly<Record<Kind, Place>> = {
  config: {
    variable: "APPDATA",
    belowVariable: ["caliban"],
    belowHome: ["AppData", "Roaming", "caliban"],
  },
  data: localAppData("Data"),
  state: localAppData("State"),
  cache: localAppData("Cache"),
};

/** The XDG variables first on every platform; then the platform's own places. */
export function userDirectories(input: UserDirectoriesInput): UserDirectories {
  const ignored = new Set<string>();
  const find = (kind: Kind): string | undefined => findDirectory(kind, input, ignored);
  const directories = {
    config: find("config"),
    data: find("data"),
    state: find("state"),
    cache: find("cache"),
  };
  return { ...directories, ignoredVariables: [...ignored] };
}

function findDirectory(
  kind: Kind,
  { env, platform, home }: UserDirectoriesInput,
  ignored: Set<string>,
): string | undefined {
  const style = pathStyleOf(platform);
  const places = style === "windows" ? [XDG[kind], WINDOWS[kind]] : [XDG[kind]];
  for (const place of places) {
    const value = env[place.variable];
    if (value === undefined || value === "") continue;
    if (isAbsolutePath(style, value)) return joinPath(style, value, ...place.belowVariable);
    ignored.add(place.variable);
  }
  return belowHome(style, places.at(-1), home);
}

function belowHome(
  style: PathStyle,
  place: Place | undefined,
  home: string | undefined,
): string | undefined {
  if (place === undefined || home === undefined || !isAbsolutePath(style, home)) return undefined;
  return joinPath(style, home, ...place.belowHome);
}

function localAppData(name: string): Place {
  return {
    variable: "LOCALAPPDATA",
    belowVariable: ["caliban", name],
    belowHome: ["AppData", "Local", "caliban", name],
  };
}
