import type { ServerResponse } from "node:http";
import { SECURITY_HEADERS } from "@caliban/common/http";

/** The open pages that want to know about changes. */
export interface EventStreams {
  /** Keeps a response open; false if there are too many. */
  readonly add: (response: ServerResponse) => boolean;
  /** Tells all of them that something changed. */
  readonly send: () => void;
  readonly close: () => void;
}

const MAX_STREAMS = 32;

export function createEventStreams(): EventStreams {
  const open = new Set<ServerResponse>();
  return {
    add: (response) => {
      if (open.size >= MAX_STREAMS) return false;
      response.writeHead(200, { ...SECURITY_HEADERS, "content-type": "text/event-stream" });
      response.write(": open\n\n");
      open.add(response);
      response.once("close", () => open.delete(response));
      return true;
    },
    send: () => {
      // A page that does not read misses nothing: any later event makes it load everything again.
      for (const response of open)
        if (!response.writableNeedDrain) response.write("event: changed\ndata: {}\n\n");
    },
    close: () => {
      for (const response of open) response.end();
    },
  };
}
