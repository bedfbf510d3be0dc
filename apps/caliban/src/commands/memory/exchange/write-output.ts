import { errorCode, hasCode, nodeDisk, removeQuietly, writeNewFile } from "@caliban/common/node";
import type { CommandResult } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import type { ExportJob } from "./export.ts";

/** Writes a file that must not be there yet, whole or not at all. */
export async function writeNewWhole(path: string, text: string): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    await writeNewFile(nodeDisk, temporary, text);
    try {
      await nodeDisk.link(temporary, path);
    } catch (error) {
      if (!hasCode(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK")) throw error;
      // Where a file has only one name, it is made where nothing is.
      await writeNewFile(nodeDisk, path, text);
    }
  } finally {
    await removeQuietly(nodeDisk, temporary);
  }
}

/** Puts an export into a new file, and says so. */
export async function writeOutput(
  { topics, warnings }: ExportJob,
  path: string,
  text: string,
): Promise<CommandResult> {
  try {
    await writeNewWhole(path, text);
    return { stdout: `wrote ${topics.shown(path)}\n`, stderr: warnings, exitCode: EXIT.done };
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    const why = code === "EEXIST" ? "it is there already" : `the system says ${code}`;
    const sentence = `caliban: ${topics.shown(path)} cannot be written: ${why}; name another file\n`;
    return { stdout: "", stderr: warnings + sentence, exitCode: EXIT.failed };
  }
}
