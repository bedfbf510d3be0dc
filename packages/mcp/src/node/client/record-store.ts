import { join } from "node:path";
import { readTextFile } from "@caliban/common/node";
import {
  type RecordKey,
  type ServerRecord,
  parseRecord,
  renderRecord,
} from "../../client/server-record.ts";
import { hashOf } from "../../client/tool-names.ts";

/** Where what is known of servers is kept. */
export interface RecordStore {
  /** What cannot be read counts as not known, and is said. */
  readonly read: (server: RecordKey["server"]) => Promise<LoadedRecord>;
  /** A sentence when it cannot be kept: the next session knows less then. */
  readonly write: (
    server: RecordKey["server"],
    known: ServerRecord,
  ) => Promise<string | undefined>;
}

export interface LoadedRecord extends ServerRecord {
  /** A sentence on a file that is damaged or cannot be read. */
  readonly problem?: string | undefined;
}

const MOST_BYTES = 1024 * 1024;

/** One small file for each server and workspace, in the state home; without one, nothing is kept. */
export function createRecordStore(stateHome: string | undefined, workspaceRoot: string): RecordStore {
  const pathOf = ({ name, fingerprint }: RecordKey["server"]): string =>
    join(
      stateHome ?? "",
      "mcp",
      `${name}-${fingerprint.slice(0, 16)}-${hashOf(workspaceRoot)}.json`,
    );
  return {
    read: async (server) => {
      if (stateHome === undefined) return {};
      const path = pathOf(server);
      const file = await readTextFile(path, MOST_BYTES, { refuseLinks: true });
      if (file.kind === "missing") return {};
      if (file.kind !== "text") return { problem: `${path} cannot be read: ${file.message}` };
      const known = parseRecord(file.text, { workspaceRoot, server });
      return known ?? { problem: `${path} is damaged, and its tools are asked for anew` };
    },
    write: async (server, known) => {
      if (stateHome === undefined) return undefined;
      const { saveRecord: keepKnown } = await import("./save-record.ts");
      return await keepKnown(pathOf(server), renderRecord(known, { workspaceRoot, server }));
    },
  };
}
