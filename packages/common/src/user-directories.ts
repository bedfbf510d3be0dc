import type { Environment } from "./environment.ts";
import { isAbsolutePath, joinPath, type PathStyle, pathStyleOf } from "./paths.ts";

/** Where the user's files are. A directory is `undefined` only when neither a variable nor a home names it. */
export interface UserDirectories {
  readonly config: string | undefined;
  readonly data: string | undefined;
  readonly state: string | undefined;
  readonly cache: string | undefined;
  /** Variables that are set but ignored, because they are not absolute paths. */
  readonly ignoredVariables: readonly string[];
}

export interface UserDirectoriesInput {
  readonly env: Environment;
  readonly platform: string;
  readonly home: string | undefined;
  /** What the platform's own convention says, on Windows. Computed from `env` and `home` when it is not given. */
  readonly native?: NativeDirectories | undefined;
}

/** The directories that `windowsDirectories` finds out at the entry point of a program. */
export interface NativeDirectories {
  readonly data: string;
  readonly cache: string;
}

type Kind = "config" | "data" | "state" | "cache";

interface Location {
  readonly variable: string;
  readonly belowVariable: readonly string[];
  readonly belowHome: readonly string[];
}

const XDG: Readonly<Record<Kind, Location>> = {
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

// `env-paths` has no state directory, and its config directory is another one than ours always was.
const WINDOWS: Readonly<Record<Kind, Location>> = {
  config: {
    variable: "APPDATA",
    belowVariable: ["caliban"],
    belowHome: ["AppData", "Roaming", "caliban"],
  },
  data: localAppData("Data"),
  state: localAppData("State"),
  cache: localAppData("Cache"),
};

/** Resolves the user's directories: the XDG variables first on every platform, then the platform's own locations. */
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
  input: UserDirectoriesInput,
  ignored: Set<string>,
): string | undefined {
  const style = pathStyleOf(input.platform);
  const belowVariable = ({ variable, belowVariable: names }: Location): string | undefined => {
    const value = input.env[variable];
    if (value === undefined || value === "") return undefined;
    if (isAbsolutePath(style, value)) return joinPath(style, value, ...names);
    ignored.add(variable);
    return undefined;
  };
  const fromXdg = belowVariable(XDG[kind]);
  if (fromXdg !== undefined) return fromXdg;
  if (style === "posix") return belowHome(style, XDG[kind], input);
  return (
    nativeDirectory(kind, input) ??
    belowVariable(WINDOWS[kind]) ??
    belowHome(style, WINDOWS[kind], input)
  );
}

/** A relative variable makes this relative, too, and is ignored like any other. */
function nativeDirectory(kind: Kind, { native }: UserDirectoriesInput): string | undefined {
  const directory = kind === "data" || kind === "cache" ? native?.[kind] : undefined;
  return directory !== undefined && isAbsolutePath("windows", directory) ? directory : undefined;
}

function belowHome(
  style: PathStyle,
  location: Location,
  { home }: UserDirectoriesInput,
): string | undefined {
  if (home === undefined || !isAbsolutePath(style, home)) return undefined;
  return joinPath(style, home, ...location.belowHome);
}

function localAppData(name: string): Location {
  return {
    variable: "LOCALAPPDATA",
    belowVariable: ["caliban", name],
    belowHome: ["AppData", "Local", "caliban", name],
  };
}
