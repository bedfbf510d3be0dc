import { isAbsolute } from "node:path";
import { realPathIfExists } from "@caliban/common/node";
import { sha256 } from "./fingerprint.ts";
import { hashFiles } from "./hash-files.ts";
import type { ResolvedServer } from "../../trust/resolved-server.ts";
import { isInside } from "./resolve-transport.ts";
import { watchedFiles } from "./watched-files.ts";

/** A wish as it is at this moment: its fingerprint covers the files, too. */
export interface ExaminedRequest extends ResolvedServer {
  /** Files of the workspace whose change asks again, as they are named. */
  readonly files: readonly string[];
  /** Directories that are named, of which only what programs begin with is among the files. */
  readonly directories: readonly string[];
}

/** Looks at everything that decides what a wish would start; why it cannot be approved where it cannot. */
export async function examineRequest(
  wish: ResolvedServer,
  workspaceRoot: string,
): Promise<ExaminedRequest | { readonly reason: string }> {
  const { server, setVariables } = wish;
  const { transport } = server;
  if (transport.kind === "http") return { ...wish, files: [], directories: [] };
  const realCwd = realPathIfExists(transport.cwd);
  if (realCwd === undefined) return { reason: `its cwd ${transport.cwd} is not there` };
  if (!isInside(workspaceRoot, realCwd))
    return { reason: "its cwd leads outside the workspace, which a repository may not wish for" };
  const watched = watchedFiles(transport, { workspaceRoot, setVariables });
  if ("reason" in watched) return watched;
  const hashes = await hashFiles(watched.files);
  if ("reason" in hashes) return hashes;
  const whole = JSON.stringify([
    server.fingerprint,
    realCwd,
    hashes.map(([{ path, realPath }, hash]) => [path, realPath, hash]),
  ]);
  return {
    ...wish,
    server: { ...server, fingerprint: sha256(whole) },
    files: watched.files.map(({ path }) => path),
    directories: watched.directories,
    notes: [...wish.notes, ...missingProgram(transport.command)],
  };
}

/** What stands on PATH may be anywhere; a path leads to something or to nothing. */
function missingProgram(command: string): readonly string[] {
  if (!isAbsolute(command) || realPathIfExists(command) !== undefined) return [];
  return ["there is no such program at the moment"];
}
