import { createFileAtomic, errorCode, findWayOut } from "@caliban/common/node";
import { MemoryError } from "@caliban/memory";
import type { Workspace } from "@caliban/memory/node";
import { type CommandResult, type Invocation, textOption } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { UsageError } from "../usage-error.ts";
import { displayPath, resolveUserPath } from "./user-paths.ts";

/**
 * The absolute path of `--output`; `undefined` without that option.
 * @throws UsageError
 * @throws MemoryError `REFUSED_FILE` for a link in the workspace that leads out of it: the repository may have made it
 */
export function outputPath(
  invocation: Invocation,
  { root }: Pick<Workspace, "root">,
): string | undefined {
  const output = textOption(invocation, "output");
  if (output === "") throw new UsageError("--output requires a path");
  if (output === undefined) return undefined;
  const { host } = invocation;
  const path = resolveUserPath(host, output);
  const target = findWayOut(root, path);
  if (target === undefined) return path;
  const message = `cannot write ${displayPath(host, path)}: it leads to ${displayPath(host, target)}, outside the workspace. To write there, pass that path`;
  throw new MemoryError("REFUSED_FILE", message);
}

/** Writes the output of a command to a new file. An existing file is never replaced. */
export async function writeOutputFile(
  { host }: Invocation,
  {
    path,
    text,
    stderr,
  }: { readonly path: string; readonly text: string; readonly stderr: readonly string[] },
): Promise<CommandResult> {
  const shown = displayPath(host, path);
  try {
    await createFileAtomic(path, text);
    return { stdout: `wrote ${shown}\n`, stderr, exitCode: EXIT.done };
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    const reason = code === "EEXIST" ? "the file already exists" : `system error ${code}`;
    const message = `cannot write ${shown}: ${reason}. Choose another file`;
    return { stdout: "", stderr: [...stderr, message], exitCode: EXIT.failed };
  }
}
