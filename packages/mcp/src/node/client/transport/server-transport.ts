import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { ServerFailure } from "../../../client/server-failure.ts";

/** A way to a server that also knows why it ended. */
export interface ServerTransport extends Transport {
  /** Why it is closed, where the server or we ourselves brought it about. */
  readonly reason: () => ServerFailure | undefined;
  /** Ends it at once, without waiting for anything. */
  readonly kill: () => void;
}
