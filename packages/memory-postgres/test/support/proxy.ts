import { createServer, connect, type AddressInfo, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** What happens to bytes of a client that match. */
export type Fault =
  /** They do not arrive, and the connection ends. */
  | "cut before"
  /** They arrive, the server answers, and the connection ends before the answer arrives. */
  | "cut after"
  /** They do not arrive, and nothing ends. */
  | "hang";

export interface Proxy {
  readonly url: string;
  /** Lets the next message that contains the text fail. With `isDown`, no new connection succeeds from then on. */
  readonly failOnce: (
    fault: Fault,
    input: { readonly at: string; readonly isDown?: boolean },
  ) => void;
  readonly faults: () => number;
}

/** Passes everything on to a server, except for what a test lets fail. */
export async function startProxy(serverUrl: string): Promise<Proxy> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let next: { readonly fault: Fault; readonly at: string; readonly isDown: boolean } | undefined;
  let [isDown, faults] = [false, 0];
  const proxy = createServer((client) => {
    if (isDown) return void client.destroy();
    const server = connect(Number(target.port), target.hostname);
    let isCut = false;
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
    }
    client.on("close", () => server.destroy());
    server.on("close", () => client.destroy());
    server.on("data", (bytes) => (isCut ? client.destroy() : client.write(bytes)));
    client.on("data", (bytes) => {
      if (next === undefined || !bytes.includes(next.at)) return void server.write(bytes);
      const { fault } = next;
      isDown = next.isDown;
      next = undefined;
      faults += 1;
      if (fault === "cut before") server.destroy();
      if (fault !== "cut after") return;
      isCut = true;
      server.write(bytes);
    });
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    proxy.close();
    for (const socket of sockets) socket.destroy();
  });
  const url = new URL(serverUrl);
  url.port = String((proxy.address() as AddressInfo).port);
  return {
    url: url.href,
    failOnce: (fault, { at, isDown: isDownAfter = false }) => {
      next = { fault, at, isDown: isDownAfter };
    },
    faults: () => faults,
  };
}
