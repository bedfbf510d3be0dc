import { join } from "node:path";
import { readTextFile } from "@caliban/common/node";
import {
  type KnownIdentity,
  type KnownServer,
  parseKnownServer,
  renderKnownServer,
} from "../../client/server-record.ts";
import { hashOf } from "../../client/tool-names.ts";

/** Where what is known of servers is kept. */
export interface KnownStore {
  /** What cannot be read counts as not known, and is said. */
  readonly read: (server: KnownIdentity["server"]) => Promise<ReadKnown>;
  /** A sentence when it cannot be kept: the next session knows less then. */
  readonly write: (
    server: KnownIdentity["server"],
    known: KnownServer,
  ) => Promise<string | undefined>;
}

export interface ReadKnown extends KnownServer {
  /** A sentence on a file that is damaged or cannot be read. */
  readonly problem?: string | undefined;
}

const MOST_BYTES = 1024 * 1024;

/** One small file for each server and workspace, in the state home; without one, nothing is kept. */
export function createKnownStore(stateHome: string | undefined, workspaceRoot: string): KnownStore {
  const pathOf = ({ name, fingerprint }: KnownIdentity["server"]): string =>
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
      const known = parseKnownServer(file.text, { workspaceRoot, server });
      return known ?? { problem: `${path} is damaged, and its tools are asked for anew` };
    },
    write: async (server, known) => {
      if (stateHome === undefined) return undefined;
      const { keepKnown } = await import("./save-record.ts");
      return await keepKnown(pathOf(server), renderKnownServer(known, { workspaceRoot, server }));
    },
  };
}
