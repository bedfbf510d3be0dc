import { connect } from "node:net";

const MOST_MS = 1000;

/** Whether a connection to an address comes about; nothing is sent. */
export async function isListening({ hostname, port, protocol }: URL): Promise<boolean> {
  const usual = protocol === "https:" ? 443 : 80;
  return await new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ""),
      port: port === "" ? usual : Number(port),
      timeout: MOST_MS,
    });
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.on("connect", () => end(true));
    socket.on("timeout", () => end(false));
    socket.on("error", () => end(false));
  });
}
