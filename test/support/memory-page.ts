import { once } from "node:events";
import { type IncomingHttpHeaders, request as httpRequest } from "node:http";
import { createHome, type TestHome } from "./run-caliban.ts";

/** A project with something to see in each view. */
const PAGE_FILES: Readonly<Record<string, string>> = {
  // Does not fit in, so that something is cut.
  ".config/caliban/settings.toml": "[memory]\ncap_tokens_claude_md = 400\n",
  ".config/caliban/CLAUDE.md": "# Me\n\nI like short answers.\n",
  "app/CLAUDE.md": `# App\n\nUse pnpm.\n${"A line about how this project is built and tested.\n".repeat(40)}`,
  "app/src/server.ts": "export const PORT = 8080;\n",
  ".local/share/caliban/projects/SLUG/inbox/1f0c9a2b.json": JSON.stringify({
    action: "write",
    topic: {
      name: "release-notes",
      description: "Release notes are in CHANGES.md",
      type: "project",
      body: "Write them before the tag.\n",
    },
    scope: "project",
    origin: "tool",
    reason: "INSTRUCTION",
    session: "20261117-101500-abcd",
    after: ["Read"],
    at: "2026-11-17T10:15:00.000Z",
    times: 2,
  }),
  ".local/share/caliban/projects/SLUG/inbox/2f0c9a2b.json": JSON.stringify({
    action: "delete",
    topic: { name: "old-notes" },
    scope: "project",
    origin: "agent",
    reason: "CHANGES_TOPIC",
    at: "2026-11-17T10:16:00.000Z",
    times: 1,
  }),
};

/** Writes topics as a user does, so that there is a history. */
export async function homeWithMemory(
  files: Readonly<Record<string, string>> = {},
): Promise<TestHome> {
  const user = await createHome({ ...PAGE_FILES, ...files });
  const write = async (...args: readonly string[]): Promise<void> => {
    const { exitCode, stderr } = await user.run(["memory", "write", ...args]);
    if (exitCode !== 0) throw new Error(stderr);
  };
  await write("old-notes", "--text", "The old release process.");
  await write("ports", "--text", "The API listens on 8080.", "--applies-path", "src/**");
  await write("deploy", "--text", "We deploy with **pnpm ship**, see [[ports]].");
  await write("tabs", "--user", "--text", "I indent with tabs.");
  return user;
}

export interface RunningPage {
  /** With the token in the fragment. */
  readonly address: string;
  readonly origin: string;
  readonly port: number;
  readonly token: string;
  /** Ends it as Ctrl-C does. */
  readonly stop: () => Promise<{ readonly exitCode: number | null; readonly stderr: string }>;
}

/** Starts `caliban page --no-open`. */
export async function startPage(
  user: Pick<TestHome, "start">,
  args: readonly string[] = [],
): Promise<RunningPage> {
  const { child, ended } = user.start(["page", "--no-open", ...args], { isStdinOpen: true });
  let printed = "";
  while (!printed.includes("\n") && child.stdout !== null) {
    const [chunk] = (await Promise.race([
      once(child.stdout, "data"),
      ended.then(({ stderr }) => Promise.reject(new Error(stderr))),
    ])) as [Buffer];
    printed += String(chunk);
  }
  const address = printed.trim();
  const { origin, port, hash } = new URL(address);
  return {
    address,
    origin: `${origin}/`,
    port: Number(port),
    token: hash.replace("#token=", ""),
    stop: async () => {
      child.kill("SIGINT");
      return await ended;
    },
  };
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

interface RawRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends any request, which a browser would not. */
export async function sendRaw(
  { port }: Pick<RunningPage, "port">,
  { method = "GET", path, headers = {}, body }: RawRequest,
): Promise<RawAnswer> {
  return await new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: "127.0.0.1", port, method, path, headers, agent: false },
      (response) => {
        let text = "";
        response.on("data", (chunk) => (text += String(chunk)));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
        response.on("error", reject);
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}
