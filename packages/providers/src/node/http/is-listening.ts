import { connect } from "node:net";

const CONNECT_TIMEOUT_MS = 1000;

/** Whether a server accepts connections. Nothing is sent. */
export async function isListening({ hostname, port, protocol }: URL): Promise<boolean> {
  const defaultPort = protocol === "https:" ? 443 : 80;
  return await new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ""),
      port: port === "" ? defaultPort : Number(port),
      timeout: CONNECT_TIMEOUT_MS,
    });
    const finish = (result: boolean): void => {
      socket.destroy();
      resolve(result);
    };
    socket.on("connect", () => finish(true));
    socket.on("timeout", () => finish(false));
    socket.on("error", () => finish(false));
  });
}
