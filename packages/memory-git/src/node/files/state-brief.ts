import { join } from "node:path";
import { parseJsonRecord } from "@caliban/common";
import { lstatIfExists, nodeDisk, readTextFile } from "@caliban/common/node";
import { writeFileSync } from "node:fs";
import type { TeamState } from "../../state/state.ts";

/** A few facts of the state, which has the texts of all topics and takes longer to read than git takes for a fetch. */
export interface StateBrief {
  readonly remote: string;
  readonly head: string | undefined;
  /** Whether nothing waits or is refused. */
  readonly isQuiet: boolean;
}

const MAX_BYTES = 10_000;

/** Only a cache: it says which file it describes. */
export async function writeBrief(directory: string, state: TeamState): Promise<void> {
  const isQuiet = state.unapproved.size === 0 && state.refused.length === 0;
  const { remote, head = null } = state;
  const path = join(directory, "state-brief.json");
  const temporary = `${path}.tmp`;
  const brief = { of: stampOf(directory), remote, head, isQuiet };
  writeFileSync(temporary, `${JSON.stringify(brief)}\n`, { mode: 0o600 });
  await nodeDisk.rename(temporary, path);
}

export function readBrief(directory: string): StateBrief | undefined {
  const file = readTextFile(join(directory, "state-brief.json"), MAX_BYTES, { refuseLinks: true });
  const { of, remote, head, isQuiet } = (file.kind === "text" && parseJsonRecord(file.text)) || {};
  if (of === undefined || of !== stampOf(directory)) return undefined;
  if (typeof remote !== "string" || (head !== null && typeof head !== "string")) return undefined;
  return { remote, head: head ?? undefined, isQuiet: isQuiet === true };
}

/** Another one after every write: each write makes a new file. */
function stampOf(directory: string): string | undefined {
  const stats = lstatIfExists(join(directory, "state.json"));
  return stats && `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeMs}`;
}
