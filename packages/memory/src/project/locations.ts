import {
  type Environment,
  expandTilde,
  isAbsolutePath,
  joinPath,
  type PathStyle,
  pathStyleOf,
  userDirectories,
} from "@caliban/common";
import type { MemoryNotice } from "../notice.ts";

/** Where the memory of one workspace is. A path is `undefined` when no home directory is known. */
export interface MemoryLocations {
  readonly globalFile: string | undefined;
  readonly projectHome: string | undefined;
  readonly memoryDirectory: string | undefined;
  /** The topics about the user that hold in every project. */
  readonly userMemoryDirectory: string | undefined;
  /** Whether the user chose the memory directory, so that other projects may use the same one. */
  readonly isSharedDirectory: boolean;
  readonly notices: readonly MemoryNotice[];
}

export interface LocateMemoryInput {
  readonly env: Environment;
  readonly platform: string;
  readonly home: string | undefined;
  readonly slug: string;
  /** `[memory] directory` of the user's own settings. */
  readonly directory: string | undefined;
}

/** Works out the paths. Variables that override them are used only when they are absolute paths. */
export function locateMemory(input: LocateMemoryInput): MemoryLocations {
  const style = pathStyleOf(input.platform);
  const directories = userDirectories(input);
  const ignored = new Set(directories.ignoredVariables);
  const projectHome = below(style, directories.data, "projects", input.slug);
  const exact = override(input, "CALIBAN_AUTO_MEMORY_DIRECTORY", ignored);
  const root = override(input, "CALIBAN_MEMORY_DIR", ignored);
  return {
    globalFile: below(style, directories.config, "CLAUDE.md"),
    projectHome,
    memoryDirectory:
      exact ??
      input.directory ??
      below(style, root, input.slug, "memory") ??
      below(style, projectHome, "memory"),
    userMemoryDirectory: below(style, directories.data, "user", "memory"),
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
  const message = `${variable} is ignored because it is not an absolute path. Set it to an absolute path or unset it.`;
  return { code: "VARIABLE_IGNORED", message };
}

function homeNotices(
  { env, platform, home }: LocateMemoryInput,
  configHome: string | undefined,
): readonly MemoryNotice[] {
  const style = pathStyleOf(platform);
  if (home === undefined || !isAbsolutePath(style, home)) {
    const effect =
      configHome === undefined
        ? "there is no global tier and no auto-memory"
        : "only the XDG directories are used";
    const message = `No home directory found, so ${effect}. Set HOME, or XDG_CONFIG_HOME and XDG_DATA_HOME.`;
    return [{ code: "HOME_UNKNOWN", message }];
  }
  // HOME is not used on Windows.
  if (style === "windows" || isAbsolutePath(style, env["HOME"] ?? "")) return [];
  const message = `HOME is not set to an absolute path; using ${home}.`;
  return [{ code: "HOME_NOT_SET", message }];
}
