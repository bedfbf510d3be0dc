/** A longer way up is cut, and said. */
export const MAX_DIRECTORIES = 256;

/**
 * The directories whose instruction files count, broadest first: from the workspace root down to the start
 * directory, never above the root, and never above the home directory.
 */
export function walkedDirectories(input: {
  readonly startDirectory: string;
  readonly workspaceRoot: string;
  readonly home: string | undefined;
  readonly parentOf: (directory: string) => string;
}): readonly string[] {
  const { startDirectory, workspaceRoot, home, parentOf } = input;
  const directories = [startDirectory];
  for (let current = startDirectory; directories.length < MAX_DIRECTORIES;) {
    if (current === workspaceRoot || current === home) break;
    const parent = parentOf(current);
    if (parent === current) break;
    directories.unshift(parent);
    current = parent;
  }
  return directories;
}
