import {
  type Environment,
  expandTilde,
  isAbsolutePath,
  joinPath,
  type PathStyle,
  pathStyleOf,
  userDirectories,
} from "@caliban/common";
import type { MemoryNotice } from "../prompt/receipt.ts";

/** Where the memory of one workspace is. A path is `undefined` when no home directory is known. */
export interface MemoryLocations {
  readonly configHome: string | undefined;
  readonly globalFile: string | undefined;
  readonly projectHome: string | undefined;
  readonly memoryDirectory: string | undefined;
  /** Whether a person named the directory itself, so that other projects may keep their notes in it, too. */
  readonly isSharedDirectory: boolean;
  readonly notices: readonly MemoryNotice[];
}

export interface LocateMemoryInput {
  readonly env: Environment;
  readonly platform: string;
  readonly home: string | undefined;
  readonly slug: string;
  /** `[memory] directory` of the person's own settings. */
  readonly directory: string | undefined;
}

/** Applies the rules for places; the environment's overrides count only as absolute paths. */
export function locateMemory(input: LocateMemoryInput): MemoryLocations {
  const style = pathStyleOf(input.platform);
  const directories = userDirectories(input);
  const ignored = new Set(directories.ignoredVariables);
  const projectHome = below(style, directories.data, "projects", input.slug);
  const exact = override(input, "CALIBAN_AUTO_MEMORY_DIRECTORY", ignored);
  const root = override(input, "CALIBAN_MEMORY_DIR", ignored);
  return {
    configHome: directories.config,
    globalFile: below(style, directories.config, "CLAUDE.md"),
    projectHome,
    memoryDirectory:
      exact ??
      input.directory ??
      below(style, root, input.slug, "memory") ??
      below(style, projectHome, "memory"),
    isSharedDirectory: (exact ?? input.directory) !== undefined,
    notices: [...[...ignored].map(ignoredVariable), ...homeNotices(input, directories.config)],
  };
}

function override(
  { env, home, platform }: LocateMemoryInput,
  variable: string,
  ignored: Set<string>,
): string | undefined {
  const style = pathStyleOf(platform);
  const value = env[variable];
  if (value === undefined || value === "") return undefined;
  const path = expandTilde(style, value, home);
  if (isAbsolutePath(style, path)) return path;
  ignored.add(variable);
  return undefined;
}

function below(
  style: PathStyle,
  directory: string | undefined,
  ...names: readonly string[]
): string | undefined {
  return directory === undefined ? undefined : joinPath(style, directory, ...names);
}

function ignoredVariable(variable: string): MemoryNotice {
  return {
    code: "VARIABLE_IGNORED",
    message: `${variable} is not an absolute path, so it is ignored; set it to a full path or unset it.`,
  };
}

function homeNotices(
  { env, platform, home }: LocateMemoryInput,
  configHome: string | undefined,
): readonly MemoryNotice[] {
  const style = pathStyleOf(platform);
  if (home === undefined || !isAbsolutePath(style, home)) {
    const lost =
      configHome === undefined
        ? "there is no global and no auto tier"
        : "only the XDG directories count";
    const sentence = `No home directory is known, so ${lost}; set HOME, or XDG_CONFIG_HOME and XDG_DATA_HOME.`;
    return [{ code: "HOME_UNKNOWN", message: sentence }];
  }
  // Windows has no HOME to miss.
  if (style === "windows" || isAbsolutePath(style, env["HOME"] ?? "")) return [];
  return [
    { code: "HOME_NOT_SET", message: `HOME is not set to an absolute path; ${home} is used.` },
  ];
}
