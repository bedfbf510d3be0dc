import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseJsonRecord } from "@caliban/common";
import { hasCode, randomHex } from "@caliban/common/node";

/** A memory that a hook has shown. */
interface SpooledUse {
  /** The directory name of the project home. */
  readonly project: string;
  readonly address: string;
  readonly atMs: number;
}

/** Notes a use in a file of the project, because counting it takes a lock that an agent should not wait for. */
export function spoolUse(stateDirectory: string, { project, address, atMs }: SpooledUse): void {
  const directory = spoolDirectory(stateDirectory);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const line = `${JSON.stringify({ address, atMs })}\n`;
  appendFileSync(join(directory, `${project}.jsonl`), line, { mode: 0o600 });
}

/** Takes the uses of a project. What a process took that died since is taken as well. */
export function takeUses(
  stateDirectory: string,
  project: string,
): readonly Omit<SpooledUse, "project">[] {
  const directory = spoolDirectory(stateDirectory);
  const name = `${project}.jsonl`;
  try {
    // A hook that has the file open still writes to it, so what is read is complete or in the next one.
    renameSync(join(directory, name), join(directory, `${name}.${randomHex(4)}.taken`));
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
  const taken = namesIn(directory).filter(
    (each) => each.startsWith(`${name}.`) && each.endsWith(".taken"),
  );
  return taken.flatMap((each) => {
    const file = join(directory, each);
    const text = readFileSync(file, "utf8");
    rmSync(file, { force: true });
    return text.split("\n").flatMap(parseUse);
  });
}

function parseUse(line: string): readonly Omit<SpooledUse, "project">[] {
  const { address, atMs } = parseJsonRecord(line) ?? {};
  return typeof address === "string" && typeof atMs === "number" ? [{ address, atMs }] : [];
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}

function spoolDirectory(stateDirectory: string): string {
  return join(stateDirectory, "uses");
}
