import { createQueue } from "@caliban/common";
import type { McpServer } from "../../client/mcp-server.ts";
import type { ServerListing, ServerRecord } from "../../client/server-record.ts";
import { describeToolChanges } from "../../client/tool-changes.ts";
import type { ListedTool } from "../../client/tool-list.ts";
import type { LoadedRecord, RecordStore } from "./record-store.ts";

/** What is known about one server: from disk until the server answers, then from the server. */
export interface ServerKnowledge {
  readonly record: () => ServerRecord;
  /** How the known tools differ from those the model is offered; empty if they do not. */
  readonly change: () => string;
  /** Reads the record of an earlier run if nothing is known yet. */
  readonly load: () => Promise<void>;
  /** Makes the tools known now those the model is offered, until the next call. */
  readonly offer: () => Promise<LoadedRecord>;
  readonly setListing: (listing: ServerListing) => void;
  readonly setFailure: (failure: NonNullable<ServerRecord["failure"]>) => void;
  /** Whether the server itself answered in this run. */
  readonly isCurrent: () => boolean;
  /** Resolves when everything is on disk. */
  readonly saved: () => Promise<void>;
}

export interface ServerKnowledgeInput {
  readonly server: McpServer;
  readonly store: RecordStore;
  readonly onUnsaved: (message: string) => void;
}

export function createServerKnowledge(input: ServerKnowledgeInput): ServerKnowledge {
  const { server, store, onUnsaved } = input;
  const enqueue = createQueue();
  let record: ServerRecord = {};
  let origin: "none" | "disk" | "server" = "none";
  let offered: readonly ListedTool[] | undefined;
  // A failure of this run is newer than one on disk.
  let ownFailure: ServerRecord["failure"];
  let lastWrite: Promise<void> = Promise.resolve();
  const read = async (): Promise<string | undefined> => {
    if (origin === "server") return undefined;
    const { listing, failure, problem } = await store.read(server);
    record = { listing, failure: ownFailure ?? failure };
    origin = "disk";
    return problem;
  };
  // One write after the other, so that the last one wins.
  const save = (): void => {
    const current = record;
    lastWrite = enqueue(async () => {
      const problem = await store.write(server, current);
      if (problem !== undefined) onUnsaved(problem);
    });
    lastWrite.catch(() => undefined);
  };
  return {
    record: () => record,
    change: () => describeToolChanges(offered, record.listing?.tools ?? offered ?? []),
    load: async () => {
      if (origin === "none") await read();
    },
    offer: async () => {
      const problem = await read();
      offered = record.listing?.tools;
      return { ...record, problem };
    },
    setListing: (listing) => {
      record = { listing };
      ownFailure = undefined;
      origin = "server";
      save();
    },
    setFailure: (failure) => {
      ownFailure = failure;
      record = { ...record, failure };
      save();
    },
    isCurrent: () => origin === "server",
    saved: () => lastWrite,
  };
}
