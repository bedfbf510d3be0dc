import { isUtf8 } from "node:buffer";
import { INDEX_FILE } from "@caliban/memory";
import type { StoreFiles } from "@caliban/memory/node";
import { packTar } from "modern-tar";
import type { CommandResult } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import { UsageError } from "../../../usage-error.ts";
import type { ExportJob } from "./export.ts";
import { writeOutput } from "./write-output.ts";

/** The directory as a tar file: the same memory gives the same bytes. */
export async function exportToTar(job: ExportJob): Promise<CommandResult> {
  const { invocation, files, output, warnings } = job;
  if (output === undefined && invocation.host.isTerminal)
    throw new UsageError("a tar file is nothing for a terminal; add --output notes.tar, or a pipe");
  const bytes = Buffer.from(await tarOf(files));
  // Only text is read from a memory, and the rest of such a file is ASCII, so that all of it can go the way of texts.
  if (!isUtf8(bytes)) throw new Error("the tar file is no valid UTF-8");
  const text = bytes.toString("utf8");
  if (output !== undefined) return await writeOutput(job, output, text);
  return { stdout: text, stderr: warnings, exitCode: EXIT.done };
}

/** Sorted by name, with the times of the topics and nobody's name. */
export async function tarOf({ index, topics }: StoreFiles): Promise<Uint8Array> {
  const latestMs = Math.max(0, ...topics.map(({ updatedMs }) => updatedMs));
  const files = [
    ...(index === null ? [] : [{ name: INDEX_FILE, text: index, timeMs: latestMs }]),
    ...topics.map(({ slug, text, updatedMs }) => ({ name: `${slug}.md`, text, timeMs: updatedMs })),
  ].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return await packTar(
    files.map(({ name, text, timeMs }) => {
      const body = Buffer.from(text);
      const mtime = new Date(Math.floor(clamped(timeMs) / 1_000) * 1_000);
      const owner = { uid: 0, gid: 0, uname: "", gname: "" };
      return {
        header: { name: `memory/${name}`, size: body.length, mtime, mode: 0o600, ...owner },
        body: new Uint8Array(body),
      };
    }),
  );
}

/** The last time that the eleven octal digits of a tar file can tell; the first is 1970. */
const LAST_TIME_MS = (8 ** 11 - 1) * 1_000;

/** A header can claim any time, and one that does not fit would become another by chance. */
function clamped(timeMs: number): number {
  return Math.min(Math.max(timeMs, 0), LAST_TIME_MS);
}
