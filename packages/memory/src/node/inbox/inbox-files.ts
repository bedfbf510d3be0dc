import { join } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import {
  hasCode,
  listNames,
  nodeDisk,
  readTextFile,
  removeQuietly,
  withLock,
} from "@caliban/common/node";
import { parseProposal, type Proposal } from "../../inbox/proposal.ts";
import { reportUnwritable } from "../report-unwritable.ts";

export const MAX_PROPOSALS = 200;
/** For the whole file: the user should be able to review it. */
export const MAX_PROPOSAL_BYTES: number = 128 * 1024;

/** A file of the inbox that cannot be used. */
export interface DamagedProposal {
  readonly path: string;
  readonly message: string;
}

export interface ProposalList {
  /** Oldest first. */
  readonly proposals: readonly Proposal[];
  readonly problems: readonly DamagedProposal[];
}

const PROPOSAL_FILE = /^([0-9a-f]{8})\.json$/;
/** A proposal that is being accepted or rejected. */
const CLAIMED_FILE = /^([0-9a-f]{8})\.claimed$/;
const TEMPORARY_FILE = /^\..*\.tmp$/;

export function isProposalId(text: string): boolean {
  return /^[0-9a-f]{8}$/.test(text);
}

export function proposalPath(directory: string, id: string): string {
  return join(directory, `${id}.json`);
}

export function claimedPath(directory: string, id: string): string {
  return join(directory, `${id}.claimed`);
}

/** How many proposals wait. Reads only the names. */
export function countProposals(directory: string): number {
  return idsIn(directory, PROPOSAL_FILE).length + idsIn(directory, CLAIMED_FILE).length;
}

/** All proposals. A damaged file is reported and does not affect the others. */
export function readProposals(directory: string): ProposalList {
  const read = idsIn(directory, PROPOSAL_FILE).flatMap(
    (id) => readProposal(proposalPath(directory, id), id) ?? [],
  );
  const proposals = read.flatMap((found) => (isDamaged(found) ? [] : found));
  const problems = read.filter(isDamaged);
  return {
    proposals: proposals.toSorted((a, b) => compare(`${a.at} ${a.id}`, `${b.at} ${b.id}`)),
    problems,
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** `undefined` if there is no such file, because another process has just removed it. */
export function readProposal(path: string, id: string): Proposal | DamagedProposal | undefined {
  const file = readTextFile(path, MAX_PROPOSAL_BYTES, { refuseLinks: true });
  if (file.kind === "missing") return undefined;
  const shown = terminalSafeLine(path);
  if (file.kind !== "text") return { path, message: `${shown}: ${file.message}` };
  const parsed =
    file.fileBytes > file.readBytes || file.invalidAt !== undefined
      ? undefined
      : parseProposal(id, file.text);
  return parsed ?? { path, message: `${shown}: not a valid proposal. Remove the file.` };
}

export function isDamaged(found: Proposal | DamagedProposal): found is DamagedProposal {
  return "message" in found;
}

function idsIn(directory: string, pattern: RegExp): readonly string[] {
  return listNames(directory).flatMap((name) => pattern.exec(name)?.[1] ?? []);
}

/** Runs an action while no other process changes the inbox, after completing what a crashed process left behind. */
export async function whileLocked<T>(directory: string, action: () => Promise<T>): Promise<T> {
  return await reportUnwritable(directory, async () => {
    await nodeDisk.makeDirectory(directory);
    return await withLock({ path: join(directory, ".lock") }, async () => {
      await recover(directory);
      return await action();
    });
  });
}

/** How long a list waits for a process that is accepting a proposal. */
const LIST_WAIT_MS = 200;

/** Completes what a crashed process left behind. Does nothing if another process is busy or the directory is read-only. */
export async function recoverIfNeeded(directory: string): Promise<void> {
  if (idsIn(directory, CLAIMED_FILE).length === 0) return;
  const lock = { path: join(directory, ".lock"), timing: { timeoutMs: LIST_WAIT_MS } };
  try {
    await withLock(lock, () => recover(directory));
  } catch (error) {
    if (!hasCode(error, "ELOCKED", "EACCES", "EPERM", "EROFS", "ENOENT", "ENOSPC")) throw error;
  }
}

/** Claims of a process that died return to the inbox. If it had already written the topic, accepting notices. */
async function recover(directory: string): Promise<void> {
  for (const id of idsIn(directory, CLAIMED_FILE)) {
    await nodeDisk.rename(claimedPath(directory, id), proposalPath(directory, id));
  }
  for (const name of listNames(directory).filter((entry) => TEMPORARY_FILE.test(entry))) {
    await removeQuietly(nodeDisk, join(directory, name));
  }
}
