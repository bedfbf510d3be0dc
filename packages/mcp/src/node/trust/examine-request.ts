import { isAbsolute } from "node:path";
import { realPathIfExists } from "@caliban/common/node";
import type { ExaminedRequest } from "../../trust/approval-question.ts";
import type { ResolvedServer } from "../../trust/server-entry.ts";
import { sha256 } from "./fingerprint.ts";
import { hashFiles } from "./hash-files.ts";
import { isInside } from "./resolve-transport.ts";
import { findWatchedFiles } from "./watched-files.ts";

/** Examines everything that decides what a request would start. The reason says why it cannot be approved. */
export async function examineRequest(
  request: ResolvedServer,
  workspaceRoot: string,
): Promise<ExaminedRequest | { readonly reason: string }> {
  const { server, setVariables } = request;
  const { transport } = server;
  if (transport.kind === "http") return { ...request, files: [], directories: [] };
  const realCwd = realPathIfExists(transport.cwd);
  if (realCwd === undefined) return { reason: `its cwd ${transport.cwd} does not exist` };
  if (!isInside(workspaceRoot, realCwd))
    return { reason: "its cwd leads outside the workspace, which a repository may not request" };
  const watched = findWatchedFiles(transport, { workspaceRoot, setVariables });
  if ("reason" in watched) return watched;
  const hashes = await hashFiles(watched.files);
  if ("reason" in hashes) return hashes;
  // Stored approvals depend on this format.
  const whole = JSON.stringify([
    server.fingerprint,
    realCwd,
    hashes.map(([{ path, realPath }, hash]) => [path, realPath, hash]),
  ]);
  return {
    ...request,
    server: { ...server, fingerprint: sha256(whole) },
    files: watched.files.map(({ path }) => path),
    directories: watched.directories,
    notes: [...request.notes, ...missingProgram(transport.command)],
  };
}

/** A bare name may be anywhere on PATH; only a path can be checked. */
function missingProgram(command: string): readonly string[] {
  if (!isAbsolute(command) || realPathIfExists(command) !== undefined) return [];
  return ["this program does not exist at the moment"];
}
