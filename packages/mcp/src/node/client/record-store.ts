import { join } from "node:path";
import { readTextFile } from "@caliban/common/node";
import type { MemoryServer } from "@caliban/memory";
import type { StartableServer } from "../../client/mcp-server.ts";
import {
  parseRecord,
  type RecordKey,
  renderRecord,
  type ServerRecord,
} from "../../client/server-record.ts";
import { memoryServer } from "../../client/server-status.ts";
import { shortHash } from "../../short-hash.ts";

/** Stores what is known about servers between runs. */
export interface RecordStore {
  /** A record that cannot be read is empty, with the problem. */
  readonly read: (server: RecordKey["server"]) => Promise<LoadedRecord>;
  /** Returns a message if the record cannot be saved; the next run then knows less. */
  readonly write: (
    server: RecordKey["server"],
    record: ServerRecord,
  ) => Promise<string | undefined>;
}

export interface LoadedRecord extends ServerRecord {
  /** Set if the file is damaged or cannot be read. */
  readonly problem?: string | undefined;
}

const MAX_BYTES = 1024 * 1024;

/** One small file per server and workspace in the state directory. Without that directory, nothing is stored. */
export function createRecordStore(
  stateDirectory: string | undefined,
  workspaceRoot: string,
): RecordStore {
  const pathOf = ({ name, fingerprint }: RecordKey["server"]): string =>
    join(
      stateDirectory ?? "",
      "mcp",
      `${name}-${fingerprint.slice(0, 16)}-${shortHash(workspaceRoot)}.json`,
    );
  return {
    read: async (server) => {
      if (stateDirectory === undefined) return {};
      const path = pathOf(server);
      const file = readTextFile(path, MAX_BYTES, { refuseLinks: true });
      if (file.kind === "missing") return {};
      if (file.kind !== "text") return { problem: `${path}: ${file.message}` };
      const record = parseRecord(file.text, { workspaceRoot, server });
      return record ?? { problem: `${path} is damaged; asking for its tools again` };
    },
    write: async (server, record) => {
      if (stateDirectory === undefined) return undefined;
      // Loaded with the first write, because most runs write nothing.
      const { saveRecord } = await import("./save-record.ts");
      return await saveRecord(pathOf(server), renderRecord(record, { workspaceRoot, server }));
    },
  };
}

export interface RecordedServersInput {
  readonly servers: readonly StartableServer[];
  /** Where the records of earlier runs are. */
  readonly stateDirectory: string | undefined;
  readonly workspaceRoot: string;
  readonly nowMs: number;
}

/** The servers that are a memory tier, as the last run recorded them. Starts nothing. */
export async function recordedMemoryServers(
  input: RecordedServersInput,
): Promise<readonly MemoryServer[]> {
  const { servers, stateDirectory, workspaceRoot, nowMs } = input;
  const { read } = createRecordStore(stateDirectory, workspaceRoot);
  const rows = servers.map(async ({ server }) => {
    const record = await read(server);
    return memoryServer({
      server,
      record,
      state: { kind: "idle" },
      offeredTools: 0,
      change: "",
      nowMs,
    });
  });
  return (await Promise.all(rows)).flatMap((row) => row ?? []);
}
