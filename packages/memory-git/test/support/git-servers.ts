import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createServer as createHttpServer, type Server, type ServerResponse } from "node:http";
import { connect, createServer } from "node:net";
import { basename, dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** Serves a bare repository with `git daemon` on loopback. */
export async function startDaemon(remote: string): Promise<string> {
  const port = await freePort();
  const child = spawn("git", [
    "daemon",
    "--export-all",
    "--enable=receive-pack",
    "--reuseaddr",
    "--listen=127.0.0.1",
    `--port=${port}`,
    `--base-path=${dirname(remote)}`,
    dirname(remote),
  ]);
  onTestFinished(() => void child.kill("SIGKILL"));
  await listening(port, child);
  return `git://127.0.0.1:${port}/${basename(remote)}`;
}

/** Serves a bare repository with `git http-backend` on loopback; `isAllowed` sees the Authorization header. */
export async function startHttp(
  remote: string,
  isAllowed: (authorization: string) => boolean = () => true,
): Promise<string> {
  execFileSync("git", ["-C", remote, "config", "http.receivepack", "true"]);
  const backend = join(
    execFileSync("git", ["--exec-path"], { encoding: "utf8" }).trim(),
    "git-http-backend",
  );
  const server = createHttpServer((request, response) => {
    if (!isAllowed(request.headers.authorization ?? "")) {
      response.writeHead(401, { "WWW-Authenticate": "Basic realm=x" }).end();
      return;
    }
    const url = new URL(request.url ?? "/", "http://localhost");
    const child = spawn(backend, [], {
      env: {
        PATH: process.env["PATH"],
        GIT_PROJECT_ROOT: dirname(remote),
        GIT_HTTP_EXPORT_ALL: "1",
        PATH_INFO: url.pathname,
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers["content-type"],
        HTTP_CONTENT_ENCODING: request.headers["content-encoding"],
        GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
        REMOTE_USER: "x",
      },
    });
    request.pipe(child.stdin);
    child.stdin.on("error", () => undefined);
    const parts: Buffer[] = [];
    child.stdout.on("data", (part: Buffer) => parts.push(part));
    child.on("close", () => answer(response, Buffer.concat(parts)));
  });
  const port = await listen(server);
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${port}/${basename(remote)}`;
}

function answer(response: ServerResponse, output: Buffer): void {
  const end = output.indexOf("\r\n\r\n");
  for (const line of output.subarray(0, end).toString("latin1").split("\r\n")) {
    const [name = "", value = ""] = line.split(": ", 2);
    if (name === "Status") response.statusCode = Number(value.split(" ")[0]);
    else response.setHeader(name, value);
  }
  response.end(output.subarray(end + 4));
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function listening(port: number, child: ChildProcess): Promise<void> {
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error("git daemon ended");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function accepts(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
