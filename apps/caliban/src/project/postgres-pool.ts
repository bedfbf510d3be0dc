import { Socket } from "node:net";
import { Pool } from "pg";

/** Connections to a server. They do not keep the process alive, and `stop` ends those that wait for an answer. */
export function createPool(
  url: string,
  connectTimeoutMs: number,
): { readonly pool: Pool; readonly stop: () => void } {
  const sockets = new Set<Socket>();
  const pool = new Pool({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    allowExitOnIdle: true,
    keepAlive: true,
    stream: () => {
      const socket = new Socket();
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
      return socket;
    },
  });
  // An idle connection that ends is replaced when the next one is needed.
  pool.on("error", () => undefined);
  return {
    pool,
    stop: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}
