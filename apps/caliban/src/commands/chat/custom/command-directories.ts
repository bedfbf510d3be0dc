import {
  abbreviateHome,
  type Environment,
  isAbsolutePath,
  joinPath,
  type NativeDirectories,
  pathStyleOf,
  userDirectories,
} from "@caliban/common";
import type { CommandDirectory } from "./custom-command.ts";

interface CommandDirectoriesInput {
  readonly env: Environment;
  readonly platform: string;
  readonly home: string | undefined;
  readonly native?: NativeDirectories | undefined;
  readonly workspaceRoot: string;
}

/** The directories of commands in order of precedence. The user's come first: no repository replaces what the user wrote. */
export function commandDirectories(input: CommandDirectoriesInput): readonly CommandDirectory[] {
  const { platform, home, workspaceRoot } = input;
  const style = pathStyleOf(platform);
  const own = [userDirectories(input).config, claudeDirectory(input)].flatMap((directory) => {
    if (directory === undefined) return [];
    const path = joinPath(style, directory, "commands");
    return [{ path, label: abbreviateHome(style, path, home), origin: "user" } as const];
  });
  const workspace = [".caliban", ".claude"].map((name): CommandDirectory => ({
    path: joinPath(style, workspaceRoot, name, "commands"),
    label: `${name}/commands`,
    origin: "workspace",
    within: workspaceRoot,
  }));
  return [...own, ...workspace];
}

/** Users of Claude Code keep their commands where it finds them, too. */
function claudeDirectory({ env, platform, home }: CommandDirectoriesInput): string | undefined {
  const style = pathStyleOf(platform);
  const chosen = env["CLAUDE_CONFIG_DIR"] ?? "";
  if (isAbsolutePath(style, chosen)) return chosen;
  return home === undefined ? undefined : joinPath(style, home, ".claude");
}
