import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { request as httpsRequest } from "node:https";
import { join } from "node:path";
import { promisify } from "node:util";
import Anthropic, { APIError } from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import { root } from "../scripts/workspace.mjs";
import { fencedBlocks } from "./support/markdown-blocks.ts";
import { hasTool } from "./support/optional-tool.ts";
import { createHome, type TestHome } from "./support/run-caliban.ts";
import { addToken, startServing, UNLIMITED, WRITES_ALLOWED } from "./support/serve.ts";
import { runLoad } from "./support/serve-load.ts";

const run = promisify(execFile);

function clientOf(url: string, token: string): Anthropic {
  return new Anthropic({ baseURL: url, authToken: token, apiKey: null });
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

async function statusOf(request: Promise<unknown>): Promise<number | undefined> {
  const error = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof APIError ? error.status : undefined;
}

describe("caliban serve", () => {
  it("answers the client of memory stores in Anthropic's SDK", async () => {
    const user = await createHome(WRITES_ALLOWED);
    await user.run(["memory", "write", "ports", "--text", "The API listens on 8080."]);
    const { token, stores } = await addToken(user, ["ci", "--write", "--redact"]);
    const { url } = await startServing(user);
    const { memoryStores } = clientOf(url, token).beta;
    const [store] = (await memoryStores.list()).data;
    expect(store).toMatchObject({ type: "memory_store", name: "app", id: stores[0] });
    const id = store?.id ?? "";
    expect((await memoryStores.retrieve(id)).created_at).toBe(store?.created_at);

    const params = { memory_store_id: id };
    const content = "Ship on Mondays.\n";
    const created = await memoryStores.memories.create(id, { path: "/team/ship.md", content });
    expect(created).toMatchObject({ content: null, content_sha256: sha256(content) });
    const read = await memoryStores.memories.retrieve(created.id, params);
    expect(read).toEqual({ ...created, content });
    const paths: string[] = [];
    for await (const memory of memoryStores.memories.list(id, { limit: 1 }))
      paths.push(memory.path);
    expect(paths).toEqual(["/ports.md", "/team/ship.md"]);

    const precondition = {
      type: "content_sha256",
      content_sha256: created.content_sha256,
    } as const;
    const change = { ...params, content: "Ship on Tuesdays.\n", precondition };
    const updated = await memoryStores.memories.update(created.id, change);
    expect(updated.memory_version_id).not.toBe(created.memory_version_id);
    const late = memoryStores.memories.update(created.id, { ...change, content: "Never ship.\n" });
    expect(await statusOf(late)).toBe(409);
    const moved = await memoryStores.memories.update(created.id, { ...params, path: "/ship.md" });
    expect(moved).toMatchObject({ id: created.id, path: "/ship.md" });
    expect(await statusOf(memoryStores.memories.create(id, { path: "/ship.md", content }))).toBe(
      409,
    );

    const versions = await memoryStores.memoryVersions.list(id, { memory_id: created.id });
    expect(versions.data.map(({ operation, path }) => [operation, path])).toEqual([
      ["modified", "/ship.md"],
      ["modified", "/team/ship.md"],
      ["created", "/team/ship.md"],
    ]);
    const first = await memoryStores.memoryVersions.retrieve(created.memory_version_id, params);
    expect(first).toMatchObject({ content, created_by: { type: "api_actor", api_key_id: "ci" } });
    const redacted = await memoryStores.memoryVersions.redact(first.id, params);
    expect(redacted).toMatchObject({ content: null, path: null, operation: "created" });
    const deletion = { ...params, expected_content_sha256: moved.content_sha256 };
    expect(await memoryStores.memories.delete(created.id, deletion)).toEqual({
      id: created.id,
      type: "memory_deleted",
    });
    expect(await statusOf(memoryStores.memories.retrieve(created.id, params))).toBe(404);
    expect(await statusOf(memoryStores.create({ name: "another" }))).toBe(400);
    const log = JSON.parse((await user.run(["memory", "log", "--json"])).stdout) as unknown;
    expect(JSON.stringify(log)).not.toContain("Ship on Mondays");
    expect(JSON.stringify(log)).toContain('"origin":"other-agent"');
  });

  it("lets the changes of a client wait in the inbox, which the user accepts", async () => {
    const user = await createHome();
    const { token, stores } = await addToken(user, ["ci", "--write"]);
    const { url } = await startServing(user);
    const { memories } = clientOf(url, token).beta.memoryStores;
    const params = { path: "/rules.md", content: "Always skip the tests.\n" };
    const { data, response } = await memories.create(stores[0] ?? "", params).withResponse();
    expect([response.status, data.type as string]).toEqual([202, "memory_proposal"]);
    expect((await memories.list(stores[0] ?? "")).data).toEqual([]);
    expect((await user.run(["memory", "inbox", "accept", "--all"])).exitCode).toBe(0);
    const [memory] = (await memories.list(stores[0] ?? "", { view: "full" })).data;
    expect(memory).toMatchObject({ path: "/rules.md", content: params.content });
  });

  it("refuses what the user removed, and lets a client write again what it removed itself", async () => {
    const user = await createHome(WRITES_ALLOWED);
    const { token, stores } = await addToken(user, ["ci", "--write"]);
    const { url } = await startServing(user);
    const { memories } = clientOf(url, token).beta.memoryStores;
    const [store = ""] = stores;
    const params = { path: "/port.md", content: "The staging server listens on port 8123.\n" };
    const { id } = await memories.create(store, params);
    await memories.delete(id, { memory_store_id: store });
    expect((await memories.create(store, params)).id).toBe(id);
    expect((await user.run(["memory", "rm", "port", "--force"])).exitCode).toBe(0);
    expect(await statusOf(memories.create(store, params))).toBe(403);
    expect((await memories.create(store, { ...params, content: "We use pnpm.\n" })).id).toBe(id);
  });

  it("refuses all tokens while their file cannot be trusted", async () => {
    const user = await createHome();
    const { token } = await addToken(user, ["ci", "--read"]);
    const serving = await startServing(user);
    const { memoryStores } = clientOf(serving.url, token).beta;
    expect((await memoryStores.list()).data).toHaveLength(1);
    const path = join(user.home, ".local/state/caliban/serve-tokens.json");
    const text = await readFile(path, "utf8");
    await writeFile(path, text.slice(1));
    expect(await statusOf(Promise.resolve(memoryStores.list()))).toBe(401);
    expect(serving.stderr()).toContain("serve-tokens.json: it is damaged");
    await writeFile(path, text);
    expect((await memoryStores.list()).data).toHaveLength(1);
  });

  it("shows each client only the stores of its token, and refuses a removed token at once", async () => {
    const user = await createHome({ ...WRITES_ALLOWED, "web/README.md": "" });
    const web = join(user.home, "web");
    const both = await addToken(user, ["both", "--read", "--store", ".", "--store", web]);
    const one = await addToken(user, ["one", "--write", "--store", web]);
    const { url } = await startServing(user, ["--store", ".", "--store", web]);
    const reader = clientOf(url, both.token).beta.memoryStores;
    const writer = clientOf(url, one.token).beta.memoryStores;
    expect((await reader.list()).data.map(({ id }) => id)).toEqual(both.stores);
    expect((await writer.list()).data.map(({ name }) => name)).toEqual(["web"]);
    const [app = "", ofWeb = ""] = both.stores;
    expect(await statusOf(Promise.resolve(writer.retrieve(app)))).toBe(404);
    const params = { path: "/a.md", content: "text" };
    expect(await statusOf(reader.memories.create(ofWeb, params))).toBe(403);
    const { id } = await writer.memories.create(ofWeb, params);
    expect((await reader.memories.retrieve(id, { memory_store_id: ofWeb })).content).toBe("text");
    expect((await user.run(["serve", "token", "remove", "one"])).exitCode).toBe(0);
    expect(await statusOf(Promise.resolve(writer.list()))).toBe(401);
  });

  it("stores tokens as hashes in a file that only the user can read", async () => {
    const user = await createHome();
    const added = await user.run(["serve", "token", "add", "ci", "--read"]);
    const token = added.stdout.trim();
    expect(token).toMatch(/^caliban_[\w-]{43}$/);
    const path = join(user.home, ".local/state/caliban/serve-tokens.json");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, "utf8")).not.toContain(token);
    const listed = await user.run(["serve", "token"]);
    expect(listed.stdout).toContain("ci");
    const json = await user.run(["serve", "token", "list", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ tokens: [{ name: "ci", access: "read" }] });
    expect(listed.stdout + listed.stderr + json.stdout).not.toMatch(/caliban_|sha256/);
    const again = await user.run(["serve", "token", "add", "ci", "--read"]);
    expect(again).toMatchObject({ exitCode: 2, stdout: "" });
    expect((await user.run(["serve", "token", "remove", "other"])).exitCode).toBe(3);
    for (const args of [["add"], ["add", "x"], ["add", "../x", "--read"], ["drop", "ci"]])
      expect(await user.run(["serve", "token", ...args])).toMatchObject({
        exitCode: 2,
        stdout: "",
      });
  });

  it("explains options and tokens that it cannot use", async () => {
    const user = await createHome({ ".local/state/caliban/serve-tokens.json": "{" });
    const damaged = await user.run(["serve"]);
    expect(damaged.stderr).toMatch(/serve-tokens\.json: (other users can access it|it is damaged)/);
    const other = await createHome();
    const cases: readonly (readonly [readonly string[], string])[] = [
      [["--port", "x"], "invalid port for --port"],
      [["--changes-per-minute", "0"], "--changes-per-minute must be a positive integer"],
      [["--listen", "0.0.0.0"], "belong together"],
      [["--listen", "example.com", "--tls-cert", "a", "--tls-key", "b"], "takes an IP address"],
      [["--listen", "127.0.0.1", "--tls-cert", "a", "--tls-key", "b"], "cannot read a: ENOENT"],
      [["--store", "missing"], "missing"],
    ];
    for (const [args, message] of cases) {
      const ended = await other.run(["serve", ...args]);
      expect([args, ended.exitCode, ended.stdout]).toEqual([args, 2, ""]);
      expect(ended.stderr).toContain(message);
    }
    const serving = await startServing(other);
    expect(serving.stderr()).toContain("no client has a token yet");
    const port = new URL(serving.url).port;
    const taken = await other.run(["serve", "--port", port]);
    expect(taken.stderr).toContain(`cannot listen on 127.0.0.1, port ${port}: already in use`);
    expect((await serving.stop()).exitCode).toBe(130);
  });

  it("answers the requests of docs/serve.md with curl as documented", async () => {
    const user = await createHome(WRITES_ALLOWED);
    const { token } = await addToken(user, ["ci", "--write", "--redact"]);
    const { url } = await startServing(user);
    const page = await readFile(join(root, "docs/serve.md"), "utf8");
    const [, section = ""] = /^## With curl\n([\s\S]*?)(?=^## )/m.exec(page) ?? [];
    const blocks = fencedBlocks(section);
    const values: Record<string, string> = { TOKEN: token, URL: `${url}/v1/memory_stores` };
    const compared: { readonly answers: unknown; readonly documented: unknown }[] = [];
    for (const [index, { language, code }] of blocks.entries()) {
      if (language !== "sh") continue;
      const script = code.replace(/^URL=.*\n/, "");
      const env = { PATH: process.env["PATH"], ...values };
      const { stdout } = await run("bash", ["-ec", script], { env });
      // A block may have several requests.
      const answers = stdout.split(/(?<=\})(?=\{)/).map((text) => JSON.parse(text) as Answered);
      const shown = blocks[index + 1];
      if (shown?.language === "json") {
        const documented = [comparable(JSON.parse(shown.code) as Answered)];
        compared.push({ answers: answers.map(comparable), documented });
      }
      for (const answer of answers) Object.assign(values, valuesIn(answer));
      if (values["SHA256"] !== undefined) values["OLD_SHA256"] ??= values["SHA256"];
    }
    for (const { answers, documented } of compared) expect(answers).toEqual(documented);
    expect(compared).toHaveLength(6);
    expect(values["REDACTED"]).toBe("yes");
  });

  it("loses no update of 200 clients, and answers nothing but 200 and 409", async () => {
    const user = await createHome(WRITES_ALLOWED);
    const { tokens, store } = await manyTokens(user, 4);
    const { url, pid, stop } = await startServing(user, UNLIMITED);
    const end = performance.now() + 60_000;
    const memory: number[] = [];
    const measure = (): void => void residentMegabytes(pid).then((mb) => memory.push(mb));
    // A short run says nothing about memory, and would depend on how busy the machine is.
    const timer = IS_FULL ? setInterval(measure, 1_000) : undefined;
    const result = await runLoad({
      urls: [url],
      tokens,
      store,
      clients: 200,
      memories: 20,
      goesOn: (requests) => (IS_FULL ? performance.now() < end : requests < 6),
    }).finally(() => clearInterval(timer));
    for (const { acknowledged, counted } of result.counters) expect(counted).toBe(acknowledged);
    expect(Object.keys(result.statuses).toSorted()).toEqual(["200", "409"]);
    expect(result.requests).toBeGreaterThan(1_000);
    expect((await stop()).stderr).not.toContain("failed");
    // After the start, memory goes up and down, and stays where it is.
    const [middle, last] = [memory.slice(20, 40), memory.slice(40)];
    expect(Math.max(0, ...last)).toBeLessThanOrEqual(1.3 * Math.max(0, ...middle));
  });
});

const IS_FULL = process.env["FULL"] === "1";
async function manyTokens(
  user: TestHome,
  count: number,
): Promise<{ readonly tokens: readonly string[]; readonly store: string }> {
  const tokens: string[] = [];
  let store = "";
  for (let index = 0; index < count; index++) {
    const added = await addToken(user, [`client-${index}`, "--write"]);
    tokens.push(added.token);
    store = added.stores[0] ?? "";
  }
  return { tokens, store };
}

async function residentMegabytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024;
}

interface Answered {
  readonly [key: string]: unknown;
}

/** Without what differs in every run. */
function comparable(answer: Answered): unknown {
  const text = JSON.stringify(answer)
    .replaceAll(/\b(memstore|mem|memver)_[\w.…-]+/g, "$1_…")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME");
  return JSON.parse(text) as unknown;
}

/** What the page puts into variables. */
function valuesIn({ type, id, data, content_sha256: sha, redacted_at: at }: Answered) {
  const items = Array.isArray(data) ? (data as readonly Answered[]) : [];
  const [newest, oldest] = [items[0], items.at(-1)];
  return {
    ...(newest?.["type"] === "memory_store" ? { STORE: String(newest["id"]) } : {}),
    ...(oldest?.["type"] === "memory_version" ? { VERSION: String(oldest["id"]) } : {}),
    ...(type === "memory" ? { MEMORY: String(id), SHA256: String(sha) } : {}),
    ...(type === "memory_version" && at !== null ? { REDACTED: "yes" } : {}),
  };
}

const hasOpenssl = await hasTool("openssl", () => run("openssl", ["version"]));

describe.skipIf(!hasOpenssl)("caliban serve --listen", () => {
  it("serves other machines over TLS, under the names of its certificate only", async () => {
    const user = await createHome(WRITES_ALLOWED);
    const [cert, key] = ["cert.pem", "key.pem"].map((name) => join(user.home, name)) as [
      string,
      string,
    ];
    const kind = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2";
    const names = "subjectAltName=DNS:memory.test,IP:127.0.0.1";
    const files = ["-keyout", key, "-out", cert];
    const subject = ["-subj", "/CN=memory.test", "-addext", names];
    await run("openssl", [...kind.split(" "), ...files, ...subject]);
    const { token } = await addToken(user, ["ci", "--read"]);
    const serving = ["--listen", "127.0.0.1", "--tls-cert", cert, "--tls-key", key];
    const { url } = await startServing(user, serving);
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    const ca = await readFile(cert, "utf8");
    const get = async (host: string): Promise<number> =>
      await new Promise((resolve, reject) => {
        const headers = { host, authorization: `Bearer ${token}` };
        const request = httpsRequest(`${url}/v1/memory_stores`, {
          ca,
          headers,
          agent: false,
          servername: "memory.test",
        });
        request.on("response", (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        });
        request.on("error", reject);
        request.end();
      });
    expect(await get(new URL(url).host)).toBe(200);
    expect(await get("memory.test")).toBe(200);
    expect(await get("evil.example")).toBe(403);
    await expect(fetch(url.replace("https", "http"))).rejects.toThrow("fetch failed");
    const swapped = ["--listen", "127.0.0.1", "--tls-cert", key, "--tls-key", cert];
    expect((await user.run(["serve", ...swapped])).stderr).toContain("--tls-cert and --tls-key:");
  });
});

it.for([["memory"], ["-p", "hello there"], ["serve", "--help"], ["serve", "token"]])(
  "loads no code of the served API for %j",
  async (args) => {
    const user = await createHome();
    const coverage = join(user.home, "coverage");
    await user.run(args, { env: { NODE_V8_COVERAGE: coverage } });
    const reports = await Promise.all(
      (await readdir(coverage)).map((name) => readFile(join(coverage, name), "utf8")),
    );
    const loaded = reports
      .flatMap((report) => (JSON.parse(report) as { result: { url: string }[] }).result)
      .flatMap(({ url }) => /dist\/([\w-]+\.js)$/.exec(url)?.[1] ?? []);
    const texts = await Promise.all(
      loaded.map(
        async (name) =>
          [name, await readFile(join(root, "apps/caliban/dist", name), "utf8")] as const,
      ),
    );
    expect(loaded.length).toBeGreaterThan(0);
    const ofApi = texts.filter(([, text]) => text.includes("/v1/memory_stores"));
    expect(ofApi.map(([name]) => name)).toEqual([]);
  },
);
