import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { timingSafeEqual } from "node:crypto";

/** Waits on this machine for the browser to come back from a login. */
export interface CallbackServer {
  readonly redirectUrl: string;
  /** The parameters that the browser came back with, once the state is right. */
  readonly returned: Promise<URLSearchParams>;
  readonly close: () => void;
}

const PATH = "/callback";

export async function startCallbackServer(state: string): Promise<CallbackServer> {
  const { promise: returned, resolve } = Promise.withResolvers<URLSearchParams>();
  const server = createServer(
    { headersTimeout: 5_000, requestTimeout: 5_000 },
    (request, response) => {
      const url = URL.parse(request.url ?? "", "http://127.0.0.1");
      if (request.method !== "GET" || url?.pathname !== PATH)
        return answer(response, 404, "Not found.");
      // Another page of the browser could call this address, too.
      if (!isSame(url.searchParams.get("state") ?? "", state))
        return answer(response, 400, "This is not the login that caliban started.");
      answer(
        response,
        200,
        "caliban has the answer. You can close this tab and go back to the terminal.",
      );
      resolve(url.searchParams);
    },
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    redirectUrl: `http://127.0.0.1:${port}${PATH}`,
    returned,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "content-security-policy": "default-src 'none'",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    connection: "close",
  });
  response.end(`${text}\n`);
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
