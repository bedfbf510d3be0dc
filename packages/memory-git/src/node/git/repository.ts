import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  lstatIfExists,
  listNames,
  nodeDisk,
  readTextFile,
  removeIfExists,
} from "@caliban/common/node";
import { TeamError } from "../../errors.ts";
import { classifyFailure, reasonOf, type RemoteFailure } from "../../git/classify-failure.ts";
import type { TeamLimits } from "../../team/limits.ts";
import { type Git, type GitCommand, type GitOutput, runGit } from "./run-git.ts";

/** The ref of the remote that has the shared memory. */
const TEAM_REF = "refs/caliban/memory";
const INCOMING_REF = "refs/caliban/incoming";
const OID = /^[0-9a-f]{40,64}$/;
export const SMALL_OUTPUT: number = 64 * 1024;

export interface Repository {
  readonly git: Git;
  readonly remote: string;
  readonly limits: TeamLimits;
}

/** Creates the bare repository, or completes one whose creation was interrupted. */
export async function initRepository({
  git,
  limits,
}: Pick<Repository, "git" | "limits">): Promise<void> {
  if (lstatIfExists(join(git.repository, "caliban-ready")) !== undefined) return;
  // Every file private, whatever the umask is.
  const command = ["init", "--quiet", "--bare", "--template=", "--shared=0600"];
  await runOrThrow(git, {
    command,
    timeoutMs: limits.localTimeoutMs,
    maxOutputBytes: SMALL_OUTPUT,
  });
  writeFileSync(join(git.repository, "caliban-ready"), "", { mode: 0o600 });
}

/** What the remote has; `undefined` if it has no shared memory yet. */
export async function fetchHead({ git, remote, limits }: Repository): Promise<FetchResult> {
  await removeStaleLocks(git);
  const before = packedBytes(git);
  const result = await runGit(git, {
    command: [
      "fetch",
      "--quiet",
      "--no-tags",
      "--no-write-fetch-head",
      "--no-auto-maintenance",
      "--no-recurse-submodules",
      "--refmap=",
      ...localOnly(remote, "--upload-pack=git -c core.hooksPath=/dev/null upload-pack"),
      "--",
      remote,
      `+${TEAM_REF}:${INCOMING_REF}`,
    ],
    timeoutMs: limits.networkTimeoutMs,
    maxOutputBytes: SMALL_OUTPUT,
    isTooMuch: () => packedBytes(git) - before > limits.maxFetchBytes,
  });
  if (result.stopped === "too-much") return { kind: "too-large" };
  throwIfAborted(result);
  if (result.status === 0) return { kind: "head", head: readIncoming(git) };
  const failure = classifyFailure(result.stderr, result.stopped === "timeout");
  return failure.kind === "no-ref" ? { kind: "none" } : { kind: "failed", failure };
}

export type FetchResult =
  | { readonly kind: "head"; readonly head: string }
  | { readonly kind: "none" }
  | { readonly kind: "too-large" }
  | { readonly kind: "failed"; readonly failure: RemoteFailure };

/** Replaces exactly the head that was seen. `undefined` when it worked. */
export async function pushHead(
  { git, remote, limits }: Repository,
  { from, to }: { readonly from: string | undefined; readonly to: string },
): Promise<RemoteFailure | undefined> {
  const result = await runGit(git, {
    command: [
      "push",
      "--porcelain",
      "--quiet",
      "--no-verify",
      "--no-follow-tags",
      "--no-signed",
      "--recurse-submodules=no",
      `--force-with-lease=${TEAM_REF}:${from ?? ""}`,
      // The hooks of a repository on this disk would run as this user.
      ...localOnly(
        remote,
        "--receive-pack=git -c core.hooksPath=/dev/null -c core.alternateRefsCommand= receive-pack",
      ),
      "--",
      remote,
      `${to}:${TEAM_REF}`,
    ],
    timeoutMs: limits.networkTimeoutMs,
    maxOutputBytes: SMALL_OUTPUT,
  });
  throwIfAborted(result);
  if (result.status === 0) return undefined;
  const text = `${result.output.toString("utf8")}\n${result.stderr}`;
  return classifyFailure(text, result.stopped === "timeout");
}

function localOnly(remote: string, option: string): readonly string[] {
  const isLocal =
    remote.startsWith("file:") || !remote.includes(":") || /^[A-Za-z]:[\\/]/.test(remote);
  return isLocal ? [option] : [];
}

function readIncoming({ repository }: Git): string {
  const file = readTextFile(join(repository, INCOMING_REF), 200);
  const oid = file.kind === "text" ? file.text.trim() : "";
  if (OID.test(oid)) return oid;
  throw new TeamError(
    "DAMAGED",
    "the local copy of the team memory is damaged; leave and join again",
  );
}

/** Left by a git that was killed. Only one process works on the repository, so no other git has them. */
async function removeStaleLocks({ repository }: Git): Promise<void> {
  const directory = join(repository, "refs", "caliban");
  const locks = listNames(directory).filter((name) => name.endsWith(".lock"));
  for (const path of [
    ...locks.map((name) => join(directory, name)),
    join(repository, "packed-refs.lock"),
  ])
    await removeIfExists(nodeDisk, path);
}

/** Of packs, also of one that is being received. */
function packedBytes({ repository }: Git): number {
  const directory = join(repository, "objects", "pack");
  return listNames(directory)
    .map((name) => lstatIfExists(join(directory, name))?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
}

export async function runOrThrow(git: Git, command: GitCommand): Promise<Buffer> {
  const result = await runGit(git, command);
  throwIfAborted(result);
  if (result.status === 0) return result.output;
  const reason =
    result.stopped === undefined ? reasonOf(result.stderr) : `stopped: ${result.stopped}`;
  throw new TeamError("GIT_FAILED", `git ${command.command[0]} failed: ${reason}`);
}

export function throwIfAborted({ stopped }: GitOutput): void {
  if (stopped === "aborted") throw new DOMException("The sync was aborted.", "AbortError");
}
