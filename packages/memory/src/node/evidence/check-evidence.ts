import { join } from "node:path";
import { realPathIfExists } from "@caliban/common/node";
import { checkArguments } from "../../check-arguments.ts";
import type { EvidenceState } from "../../topics/evidence-state.ts";
import type { Evidence } from "../../topics/topic-fields.ts";
import { createFindMoved, type FindMoved, type MovedTo } from "./find-moved.ts";
import { createFileList, type ListFiles } from "./list-files.ts";
import { type CheckedFile, createFileReader, type ReadChecked } from "./read-checked-file.ts";

/** What became of one piece of evidence. */
interface CheckedEvidence {
  readonly evidence: Evidence;
  readonly state: EvidenceState;
  /** Where it is now, if it moved and there is only one such file. */
  readonly movedTo?: MovedTo | undefined;
  /** True if the file is there and cannot be read: a large file, a pipe, a link. */
  readonly isUnverifiable?: boolean | undefined;
}

/** Tells whether the evidence of topics is still in the files of a workspace. */
export interface EvidenceCheck {
  /**
   * The state of a topic: that of its worst evidence. Waits at most so long for the search for what moved, which takes a
   * while in a large workspace; until it ends, such evidence is `changed` or `gone`.
   */
  readonly stateOf: (evidence: readonly Evidence[], maxMs?: number) => Promise<EvidenceState>;
  /** The state of each piece of evidence, in order. */
  readonly check: (evidence: readonly Evidence[]) => Promise<readonly CheckedEvidence[]>;
}

export interface EvidenceCheckInput {
  /** The root of the workspace. */
  readonly root: string;
  readonly now?: (() => number) | undefined;
  readonly listFiles?: ListFiles | undefined;
}

/** From the best to the worst. */
const STATES: readonly EvidenceState[] = ["ok", "moved", "changed", "gone"];

/** More would be a mistake, and each costs a file. */
const MAX_CHECKED = 10;

/**
 * Creates a check for a workspace. It asks the file system for the state of a file first, and reads the file only if that
 * differs from the last time. Nothing outside of the workspace is read, and nothing that could make it wait.
 *
 * - `ok`: the file has the same bytes, or it changed and still contains the snippet;
 * - `moved`: another file has the same bytes, or a file of the same name has the snippet, or the file is gone and another
 *   one of its kind has the snippet;
 * - `changed`: the snippet is not there any more, or that cannot be verified (a file of more than 1 MB, a pipe, a link);
 * - `gone`: there is no such file.
 */
export function createEvidenceCheck(input: EvidenceCheckInput): EvidenceCheck {
  checkArguments("createEvidenceCheck", input, { root: "string" });
  const { root, now = Date.now, listFiles = createFileList(now) } = input;
  const read = createFileReader();
  const rememberFiles = createMemory<readonly string[]>(now);
  const rememberMoved = createMemory<readonly MovedTo[]>(now);
  const listOnce: ListFiles = (from) => rememberFiles(from, () => listFiles(from));
  const find = createFindMoved({ read, listFiles: listOnce });
  const findMoved: FindMoved = (evidence, how) =>
    rememberMoved(JSON.stringify([evidence, how]), () => find(evidence, how));
  const checkAll = async (
    evidence: readonly Evidence[],
    late?: Promise<undefined>,
  ): Promise<readonly CheckedEvidence[]> => {
    const realRoot = realPathIfExists(root) ?? root;
    const checked: CheckedEvidence[] = [];
    for (const one of evidence.slice(0, MAX_CHECKED)) {
      const outcome = await checkOne(one, { root: realRoot, read, findMoved, late });
      checked.push({ evidence: one, ...outcome });
    }
    return checked;
  };
  return {
    check: async (evidence) => await checkAll(evidence),
    stateOf: async (evidence, maxMs) => {
      const timer = maxMs === undefined ? undefined : createTimer(maxMs);
      const checked = await checkAll(evidence, timer?.late);
      timer?.stop();
      return STATES[Math.max(0, ...checked.map(({ state }) => STATES.indexOf(state)))] ?? "ok";
    },
  };
}

/** Topics are checked again and again, and walking through a workspace takes a while. */
const SEARCH_TTL_MS = 30_000;
const MAX_REMEMBERED = 200;

/** Does the same work once in a while. */
function createMemory<T>(now: () => number): (key: string, work: () => Promise<T>) => Promise<T> {
  const known = new Map<string, { readonly atMs: number; readonly result: Promise<T> }>();
  return async (key, work) => {
    const cached = known.get(key);
    // Also after the clock was set back.
    if (cached !== undefined && Math.abs(now() - cached.atMs) < SEARCH_TTL_MS)
      return await cached.result;
    if (known.size >= MAX_REMEMBERED) known.clear();
    const result = work();
    known.set(key, { atMs: now(), result });
    return await result;
  };
}

function createTimer(maxMs: number): {
  readonly late: Promise<undefined>;
  readonly stop: () => void;
} {
  let timeout: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timeout = setTimeout(() => resolve(undefined), maxMs);
  });
  return { late, stop: () => clearTimeout(timeout) };
}

interface Checking {
  /** Without links. */
  readonly root: string;
  readonly read: ReadChecked;
  readonly findMoved: FindMoved;
  /** Resolves when there is no time left. */
  readonly late: Promise<undefined> | undefined;
}

type Outcome = Omit<CheckedEvidence, "evidence">;

async function checkOne(
  evidence: Evidence,
  { root, read, findMoved, late }: Checking,
): Promise<Outcome> {
  const { path, sha256, snippet } = evidence;
  // A header from anywhere may name any path.
  if (!staysInside(path)) return { state: "changed", isUnverifiable: true };
  const file = read(root, join(root, ...path.split("/")));
  if (file.kind === "read" && (file.sha256 === sha256 || file.contains(snippet)))
    return { state: "ok" };
  const isMissing = file.kind === "missing";
  const isReplaced = file.kind === "read" && keepsName(file, snippet);
  const searching = findMoved(evidence, { root, isMissing, isReplaced });
  const found = await (late === undefined ? searching : Promise.race([searching, late]));
  const [movedTo, ...rest] = found ?? [];
  if (movedTo !== undefined) return { state: "moved", ...(rest.length === 0 ? { movedTo } : {}) };
  if (isMissing) return { state: "gone" };
  return { state: "changed", ...(file.kind === "read" ? {} : { isUnverifiable: true }) };
}

const NAME = /^[^:=]*[\p{L}\p{N}][^:=]*[:=]/u;

/** Whether a file still says something about what the snippet gives a value: `"version":`, `max =`. */
function keepsName(file: CheckedFile, snippet: string): boolean {
  const [name] = NAME.exec(snippet) ?? [];
  return name !== undefined && file.contains(name);
}

function staysInside(path: string): boolean {
  const names = path.split("/");
  return !/^[A-Za-z]:|[\\\0]/.test(path) && names.every((name) => !["", ".", ".."].includes(name));
}
