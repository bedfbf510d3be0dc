import { createServer } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { type HostProxyInput, startProxy } from "../../../src/node/sandbox/host-proxy.ts";
import { createSandboxHome, hasBubblewrap } from "../../support/sandbox-home.ts";

/** A web server on this machine that counts its requests. */
async function startServer(): Promise<{ readonly port: number; readonly requests: () => number }> {
  let requests = 0;
  const server = createServer((incoming, outgoing) => {
    requests += 1;
    outgoing.end(`hello ${incoming.headers.host}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return {
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    requests: () => requests,
  };
}

/** Sends lines to a proxy, and returns everything that comes back. */
async function send(input: Omit<HostProxyInput, "socket">, request: string): Promise<string> {
  const socket = join(await temporaryDirectory(), "socket");
  await startProxy({ ...input, socket });
  const connection = connect(socket);
  connection.write(request);
  return await text(connection);
}

const get = (url: string, host = new URL(url).host): string =>
  `GET ${url} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`;

describe("the proxy of the sandbox", () => {
  it("forwards requests to a host that the user named, and to no other port of it", async () => {
    const { port, requests } = await startServer();
    const allowedHosts = [`localhost:${port}`];
    const url = `http://localhost:${port}/`;
    expect(await send({ allowedHosts }, get(url, "other"))).toContain(`hello localhost:${port}`);
    expect(await send({ allowedHosts: ["localhost"] }, get(url))).toContain("403 Forbidden");
    expect(await send({ allowedHosts }, get(`http://127.0.0.1:${port}/`))).toContain("403");
    expect(requests()).toBe(1);
  });

  it("opens tunnels to allowed hosts only", async () => {
    const { port, requests } = await startServer();
    const target = `localhost:${port}`;
    const request = `CONNECT ${target} HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`;
    const allowed = await send({ allowedHosts: [target] }, request);
    expect(allowed).toMatch(/200 Connection established[^]*hello a/);
    const denied = await send({ allowedHosts: [`*.localhost:${port}`] }, request);
    expect(denied).toContain("403 Forbidden");
    expect(denied).toContain("add the host to sandbox.allowed_hosts");
    expect(requests()).toBe(1);
  });

  it.for([
    // A wildcard only means public addresses.
    ["*.example.com", "a.example.com", "127.0.0.1"],
    ["*.example.com", "a.example.com", "10.0.0.1"],
    ["*.example.com", "a.example.com", "::ffff:127.0.0.1"],
    ["*.example.com", "a.example.com", "fd00::1"],
    // A name that the user wrote out may be in the local network, but not this machine or its cloud.
    ["a.example.com", "a.example.com", "127.0.0.1"],
    ["a.example.com", "a.example.com", "169.254.169.254"],
    ["a.example.com", "a.example.com", "0.0.0.0"],
    ["a.example.com", "a.example.com", "::1"],
  ] as const)("does not connect %s to %s at %s", async ([allowed, host, address]) => {
    const { port, requests } = await startServer();
    const answer = await send(
      { allowedHosts: [`${allowed}:${port}`], resolveHost: async () => [address] },
      get(`http://${host}:${port}/`),
    );
    expect(answer).toContain("403 Forbidden");
    expect(requests()).toBe(0);
  });

  it.for([
    "CONNECT localhost:99999 HTTP/1.1\r\n\r\n",
    "GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n",
    "CONNECT : HTTP/1.1\r\n\r\n",
  ])("survives the request %j", async (request) => {
    const allowedHosts = ["localhost:99999", "a"];
    expect(await send({ allowedHosts }, request)).toContain("403 Forbidden");
  });
});

describe.skipIf(!hasBubblewrap)("a sandbox with allowed hosts", () => {
  it("reaches them through the proxy, and nothing else", async () => {
    const { port, requests } = await startServer();
    const home = await createSandboxHome({ mode: "on", allowedHosts: [`localhost:${port}`] });
    const through = (request: string): string =>
      `exec 3<>/dev/tcp/127.0.0.1/3128; printf '${request}' >&3; cat <&3`;
    const request = get(`http://localhost:${port}/`).replaceAll("\r\n", "\\r\\n");
    expect((await home.run(through(request))).text).toContain(`hello localhost:${port}`);
    const other = get(`http://localhost:${home.env["PORT"]}/`).replaceAll("\r\n", "\\r\\n");
    expect((await home.run(through(other))).text).toContain("403 Forbidden");
    const direct = await home.run(`exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`);
    expect(direct.text).toContain("Connection refused");
    expect([requests(), home.connections()]).toEqual([1, 0]);
  });

  it("lets programs use the proxy for this machine if the user allows that", async () => {
    const home = await createSandboxHome({ mode: "on", allowedHosts: ["localhost:8080"] });
    const { text: output } = await home.run("echo $NO_PROXY $no_proxy");
    expect(output).toBe("127.0.0.1,::1 127.0.0.1,::1\n\nExit code 0.");
  });

  it("tells programs about the proxy, and waits until it answers", async () => {
    const home = await createSandboxHome({ mode: "on", allowedHosts: ["example.com"] });
    const { text: output } = await home.run("echo $HTTPS_PROXY $no_proxy; jobs; exit 7");
    expect(output).toBe("http://127.0.0.1:3128 localhost,127.0.0.1,::1\n\nExit code 7.");
  });
});
