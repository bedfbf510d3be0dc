import type { Socket } from "node:net";

/** The open connections of an HTTP server. */
export interface Connections {
  readonly add: (socket: Socket) => void;
  /** Marks the connection of a request that had the token. */
  readonly trust: (socket: Socket) => void;
}

/** How many there may be at once. Each may hold a body. */
interface ConnectionLimits {
  readonly maxTrusted?: number | undefined;
  readonly maxUnknown?: number | undefined;
}

/**
 * Limits connections so that those without the token cannot keep out those with it: a connection that has not sent the
 * token yet gives way to newer ones, and never to make room among the trusted ones.
 */
export function createConnections({
  maxTrusted = 192,
  maxUnknown = 64,
}: ConnectionLimits = {}): Connections {
  const unknown = new Set<Socket>();
  const trusted = new Set<Socket>();
  return {
    add: (socket) => {
      addTo(unknown, socket, maxUnknown);
      socket.once("close", () => {
        unknown.delete(socket);
        trusted.delete(socket);
      });
    },
    trust: (socket) => {
      if (unknown.delete(socket)) addTo(trusted, socket, maxTrusted);
    },
  };
}

/** The oldest one makes room. */
function addTo(sockets: Set<Socket>, socket: Socket, max: number): void {
  const [oldest] = sockets;
  if (oldest !== undefined && sockets.size >= max) {
    sockets.delete(oldest);
    oldest.destroy();
  }
  sockets.add(socket);
}
