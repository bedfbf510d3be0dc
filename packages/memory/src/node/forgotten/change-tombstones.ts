import { randomBytes } from "node:crypto";
import { terminalSafeLine } from "@caliban/common";
import { statIfExists, withFileLock, writeFileAtomic } from "@caliban/common/node";
import { MemoryError } from "../../errors.ts";
import { hashTerms } from "../../forgotten/forgotten-index.ts";
import { statementsOf } from "../../forgotten/split-statements.ts";
import { analyzeStatement } from "../../forgotten/statement-terms.ts";
import {
  type Lift,
  parseLine,
  renderLift,
  renderTombstone,
  type Tombstone,
} from "../../forgotten/tombstone.ts";
import { reportUnwritable } from "../report-unwritable.ts";
import type { ForgetInput } from "./open-forgotten.ts";
import { readTombstones, type TombstoneFile } from "./tombstone-file.ts";

interface AddTombstoneInput {
  readonly path: string;
  readonly input: ForgetInput;
  readonly hashTerm: (term: string, salt: string) => string;
  readonly prepare?: (() => Promise<void>) | undefined;
  readonly now?: (() => number) | undefined;
}

/** Writes a tombstone before anything is removed, so that a crash in between brings nothing back. */
export async function addTombstone(request: AddTombstoneInput): Promise<string | undefined> {
  // oxlint-disable-next-line no-restricted-properties -- the default of a clock that callers may pass
  const { path, input, hashTerm, prepare, now = Date.now } = request;
  const analyzed = [...new Set(input.statements.flatMap(statementsOf))]
    .map(analyzeStatement)
    .filter(({ exact }) => exact !== "");
  const turns = input.turns ?? [];
  if (analyzed.length === 0 && turns.length === 0) return undefined;
  await prepare?.();
  return await changeFile(path, (file) => {
    const salt = file.tombstones[0]?.salt ?? randomBytes(16).toString("hex");
    const tombstone: Tombstone = {
      id: randomBytes(4).toString("hex"),
      at: new Date(now()).toISOString(),
      salt,
      slug: input.slug,
      agentSession: input.agentSession,
      statements: analyzed.map((terms) => hashTerms(terms, (term) => hashTerm(term, salt))),
      turns: turns.map(({ session, byte, text }) => ({
        session,
        byte,
        hash: hashTerm(text, salt),
      })),
    };
    return { result: tombstone.id, added: renderTombstone(tombstone) };
  });
}

/** Lifts tombstones in every file that has them; returns how many whole or partial ones there were. */
export async function liftTombstones(
  paths: readonly string[],
  lifts: readonly Lift[],
): Promise<number> {
  let lifted = 0;
  for (const path of paths.filter((each) => statIfExists(each) !== undefined)) {
    lifted += await changeFile(path, ({ tombstones }) => {
      const known = new Set(tombstones.map(({ id }) => id));
      const own = lifts.filter(({ id }) => known.has(id));
      return { result: own.length, added: own.map(renderLift).join("") };
    });
  }
  return lifted;
}

interface FileChange<Result> {
  readonly result: Result;
  readonly added: string;
}

/** Adds lines to the file, and leaves out what they lift. Damaged lines stay: a newer version may have written them. */
async function changeFile<Result>(
  path: string,
  change: (file: TombstoneFile) => FileChange<Result>,
): Promise<Result> {
  return await reportUnwritable(path, () =>
    withFileLock(path, async () => {
      const file = readTombstones(path);
      if (file.isUnreadable) {
        const message = `${terminalSafeLine(path)} cannot be read, so it is not overwritten. Fix it or move it away.`;
        throw new MemoryError("UNWRITABLE", message);
      }
      const { result, added } = change(file);
      if (added !== "") await writeFileAtomic(path, compacted([...file.lines, added]));
      return result;
    }),
  );
}

/** Without tombstones that are lifted as a whole, and what lifted them. */
function compacted(texts: readonly string[]): string {
  const lines = texts.flatMap((text) => text.split("\n").filter((line) => line !== ""));
  const gone = new Set(
    lines.flatMap((line) => {
      const parsed = parseLine(line);
      return parsed?.kind === "lift" && parsed.lift.statements === undefined
        ? [parsed.lift.id]
        : [];
    }),
  );
  const kept = lines.filter((line) => {
    const parsed = parseLine(line);
    if (parsed === undefined) return true;
    return !gone.has(parsed.kind === "lift" ? parsed.lift.id : parsed.tombstone.id);
  });
  return kept.map((line) => `${line}\n`).join("");
}
