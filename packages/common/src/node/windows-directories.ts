import type { NativeDirectories } from "../user-directories.ts";

/**
 * The data and cache directories that `env-paths` names for caliban. It looks at the real environment as soon as it is
 * imported, so this is for the entry point of a program, and for Windows: elsewhere XDG applies.
 */
export async function windowsDirectories(): Promise<NativeDirectories> {
  const { default: envPaths } = await import("env-paths");
  const { data, cache } = envPaths("caliban", { suffix: "" });
  return { data, cache };
}
