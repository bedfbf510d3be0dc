import { createFileAtomic, errorCode } from "@caliban/common/node";
import { type CommandResult, type Invocation, textOption } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { UsageError } from "../usage-error.ts";
import { displayPath, resolveUserPath } from "./user-paths.ts";

/**
 * The absolute path of `--output`; `undefined` without that option.
 * @throws UsageError
 */
export function outputPath(invocation: Invocation): string | undefined {
  const output = textOption(invocation, "output");
  if (output === "") throw new UsageError("--output requires a path");
  return output === undefined ? undefined : resolveUserPath(invocation.host, output);
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
