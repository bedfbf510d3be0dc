import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { terminalSafeLine, userDirectories } from "@caliban/common";
import { errorCode } from "@caliban/common/node";
import { MemoryError } from "@caliban/memory";
import type { Host } from "../../host.ts";

/**
 * Removes what the search has kept of a project, or of every project where none is named: an index holds the words of all
 * that it was made of, and what is erased is to be nowhere at once. The next search makes it anew.
 * @throws MemoryError `UNWRITABLE`
 */
export function forgetSearch(
  host: Pick<Host, "env" | "platform" | "home">,
  project?: string,
): void {
  const { state } = userDirectories(host);
  if (state === undefined) return;
  const directory = join(state, "search");
  unlessMissing(directory, () => {
    for (const name of readdirSync(directory)) {
      if (isIndexOf(name, project)) rmSync(join(directory, name), { force: true });
    }
  });
}

/** Also what a writer has begun, or left behind. */
function isIndexOf(name: string, project: string | undefined): boolean {
  if (project === undefined) return /\.idx(?:\.[^.]*\.tmp)?$/.test(name);
  const file = `${project}.idx`;
  return name === file || (name.startsWith(`.${file}.`) && name.endsWith(".tmp"));
}

function unlessMissing(directory: string, action: () => void): void {
  try {
    action();
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    if (code === "ENOENT" || code === "ENOTDIR") return;
    const where = terminalSafeLine(directory);
    throw new MemoryError(
      "UNWRITABLE",
      `the index of the search in ${where} cannot be removed (${code}), and words of what was erased stay in it; remove it yourself`,
      { cause: error },
    );
  }
}
