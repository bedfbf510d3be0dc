import type { Transport } from "@modelcontextprotocol/client";
import type { ServerFailure } from "../../../client/server-failure.ts";

/** A transport that knows why it ended. */
export interface ServerTransport extends Transport {
  /** Why it is closed, if the server or we caused it. */
  readonly reason: () => ServerFailure | undefined;
  /** Ends it at once, without waiting for anything. */
  readonly kill: () => void;
}
