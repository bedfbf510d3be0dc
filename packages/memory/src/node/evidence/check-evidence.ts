import { basename, join, relative, sep } from "node:path";
import { realPathIfExists } from "@caliban/common/node";
import type { EvidenceState } from "../../topics/evidence-state.ts";
import type { Evidence } from "../../topics/topic-fields.ts";
import { containsSnippet } from "./contains-snippet.ts";
import { type CheckedFile, createFileReader, type ReadChecked } from "./read-checked-file.ts";
import { findFilesNamed } from "./find-files-named.ts";

/** What became of one piece of evidence. */
interface CheckedEvidence {
  readonly evidence: Evidence;
  readonly state: EvidenceState;
  /** Where it is now, if it moved and there is only one such file. */
  readonly movedTo?: Pick<Evidence, "path" | "sha256"> | undefined;
}

/** Tells whether the evidence of topics is still in the files of a workspace. */
export interface EvidenceCheck {
  /** The state of a topic: that of its worst evidence. */
  readonly stateOf: (evidence: readonly Evidence[]) => Promise<EvidenceState>;
  /** The state of each piece of evidence, in order. */
  readonly check: (evidence: readonly Evidence[]) => Promise<readonly CheckedEvidence[]>;
}

export interface EvidenceCheckInput {
  /** The root of the workspace. */
  readonly root: string;
  readonly now?: (() => number) | undefined;
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
 * - `moved`: the snippet is in another file of the same name;
 * - `changed`: the snippet is not there any more, or that cannot be verified (a file of more than 1 MB, a pipe, a link);
 * - `gone`: there is no such file.
 */
export function createEvidenceCheck({ root, now = Date.now }: EvidenceCheckInput): EvidenceCheck {
  const read = createFileReader();
  const findNamed = createNameSearch(now);
  const checkAll: EvidenceCheck["check"] = async (evidence) => {
    const realRoot = realPathIfExists(root) ?? root;
    const checked: CheckedEvidence[] = [];
    for (const one of evidence.slice(0, MAX_CHECKED)) {
      checked.push({
        evidence: one,
        ...(await checkOne(one, { root: realRoot, read, findNamed })),
      });
    }
    return checked;
  };
  return {
    check: checkAll,
    stateOf: async (evidence) => {
      const ranks = (await checkAll(evidence)).map(({ state }) => STATES.indexOf(state));
      return STATES[Math.max(0, ...ranks)] ?? "ok";
    },
  };
}

/** Topics are checked again and again, and walking through a workspace takes a while. */
const SEARCH_TTL_MS = 30_000;

function createNameSearch(now: () => number): typeof findFilesNamed {
  const known = new Map<string, { readonly atMs: number; readonly files: readonly string[] }>();
  return async (name, root) => {
    const cached = known.get(`${root}\0${name}`);
    // Also after the clock was set back.
    if (cached !== undefined && Math.abs(now() - cached.atMs) < SEARCH_TTL_MS) return cached.files;
    const files = await findFilesNamed(name, root);
    known.set(`${root}\0${name}`, { atMs: now(), files });
    return files;
  };
}

interface Checking {
  /** Without links. */
  readonly root: string;
  readonly read: ReadChecked;
  readonly findNamed: typeof findFilesNamed;
}

type Outcome = Omit<CheckedEvidence, "evidence">;

async function checkOne(evidence: Evidence, { root, read, findNamed }: Checking): Promise<Outcome> {
  const { path, sha256, snippet } = evidence;
  // A header from anywhere may name any path.
  if (!staysInside(path)) return { state: "changed" };
  const file = read(root, join(root, ...path.split("/")));
  if (file.kind === "read" && isSupported(file, evidence)) return { state: "ok" };
  const others = await findNamed(basename(path), root);
  const found = others
    .filter((other) => other !== join(root, ...path.split("/")))
    .flatMap((other) => {
      const candidate = read(root, other);
      return candidate.kind === "read" && containsSnippet(candidate.bytes(), snippet)
        ? [{ path: relative(root, other).split(sep).join("/"), sha256: candidate.sha256 }]
        : [];
    });
  const same = found.filter((one) => one.sha256 === sha256);
  const [movedTo, ...rest] = same.length > 0 ? same : found;
  if (movedTo !== undefined) return { state: "moved", ...(rest.length === 0 ? { movedTo } : {}) };
  return { state: file.kind === "missing" ? "gone" : "changed" };
}

function isSupported(file: CheckedFile, { sha256, snippet }: Evidence): boolean {
  return file.sha256 === sha256 || containsSnippet(file.bytes(), snippet);
}

function staysInside(path: string): boolean {
  const names = path.split("/");
  return !/^[A-Za-z]:|[\\\0]/.test(path) && names.every((name) => !["", ".", ".."].includes(name));
}
