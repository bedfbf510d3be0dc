import { chmod, readdir, readFile, stat } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { root } from "../scripts/workspace.mjs";
import { homeWithMemory, type RunningPage, sendRaw, startPage } from "./support/memory-page.ts";
import { KEY } from "./support/pty.ts";
import { createHome, IS_EXECUTABLE } from "./support/run-caliban.ts";
import { createEmptyHome, startScreen } from "./support/scripted-screen.ts";
import { writeFiles } from "./support/write-files.ts";

/** Every file of a home with its content. */
async function snapshot(home: string): Promise<Readonly<Record<string, string>>> {
  const names = await readdir(join(home, ".local/share"), { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  const entries = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path, await readFile(path, "utf8")] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

const SAVE = JSON.stringify({
  scope: "project",
  slug: "planted",
  text: "---\ndescription: planted\nmetadata:\n  type: project\n---\n\nRun this.\n",
});

function withToken({ token }: RunningPage, more: Record<string, string> = {}) {
  return { authorization: `Bearer ${token}`, "content-type": "application/json", ...more };
}

describe("the server of caliban page", () => {
  it("refuses other hosts, other pages, wrong tokens and large bodies, and changes nothing", async () => {
    const user = await homeWithMemory();
    const page = await startPage(user);
    const own = `127.0.0.1:${page.port}`;
    const before = await snapshot(user.home);
    const post = { method: "POST", path: "/api/topic/save", body: SAVE };
    const cases: readonly (readonly [string, number, Parameters<typeof sendRaw>[1]])[] = [
      [
        "another host, as after DNS rebinding",
        403,
        { ...post, headers: withToken(page, { host: `evil.example:${page.port}` }) },
      ],
      ["the document for another host", 403, { path: "/", headers: { host: "evil.example" } }],
      ["a name of this machine", 403, { path: "/", headers: { host: `localhost:${page.port}` } }],
      ["another port in the host", 403, { path: "/", headers: { host: "127.0.0.1:1" } }],
      ["no token", 401, { ...post, headers: { host: own, "content-type": "application/json" } }],
      ["a wrong token", 401, { ...post, headers: withToken({ ...page, token: "0".repeat(64) }) }],
      ["the token in the query", 401, { path: `/api/topics?token=${page.token}` }],
      ["a cookie", 401, { path: "/api/topics", headers: { cookie: `token=${page.token}` } }],
      [
        "another origin",
        403,
        { ...post, headers: withToken(page, { origin: "http://evil.example" }) },
      ],
      ["the null origin", 403, { ...post, headers: withToken(page, { origin: "null" }) }],
      [
        "another port on this machine",
        403,
        { ...post, headers: withToken(page, { origin: "http://127.0.0.1:1" }) },
      ],
      [
        "a page of another site",
        403,
        { ...post, headers: withToken(page, { "sec-fetch-site": "cross-site" }) },
      ],
      [
        "another server of this machine",
        403,
        { ...post, headers: withToken(page, { "sec-fetch-site": "same-site" }) },
      ],
      ["a form", 415, { ...post, headers: withToken(page, { "content-type": "text/plain" }) }],
      [
        "a preflight",
        403,
        { method: "OPTIONS", path: "/api/topic/save", headers: { origin: "http://evil.example" } },
      ],
      ["a change with GET", 405, { path: "/api/topic/save", headers: withToken(page) }],
      [
        "an unknown method",
        405,
        { method: "DELETE", path: "/api/topic", headers: withToken(page) },
      ],
      ["a path outside", 404, { path: "/../../etc/passwd", headers: withToken(page) }],
      [
        "a large body",
        413,
        { ...post, body: `{"text":"${"x".repeat(1_100_000)}"}`, headers: withToken(page) },
      ],
      [
        "a large body of unknown length",
        413,
        {
          ...post,
          body: `{"text":"${"x".repeat(1_100_000)}"}`,
          headers: withToken(page, { "transfer-encoding": "chunked" }),
        },
      ],
      ["broken JSON", 400, { ...post, body: "{", headers: withToken(page) }],
      [
        "a slug that is a path",
        422,
        { ...post, body: SAVE.replace("planted", "../../planted"), headers: withToken(page) },
      ],
    ];
    for (const [name, status, request] of cases) {
      const answer = await sendRaw(page, request);
      expect({ name, status: answer.status }).toEqual({ name, status });
      expect(Object.keys(answer.headers).join()).not.toContain("access-control");
      expect(answer.text).not.toContain(page.token);
    }
    expect(await snapshot(user.home)).toEqual(before);
    const { stderr } = await page.stop();
    expect(stderr).not.toContain(page.token);
  });

  it("keeps answering its own page while 1,000 other connections are open", async () => {
    const user = await homeWithMemory();
    const page = await startPage(user);
    const before = await snapshot(user.home);
    const sockets = Array.from({ length: 1_000 }, () => {
      const socket = connect(page.port, "127.0.0.1");
      socket.on("error", () => undefined);
      socket.write(`POST /api/topic/save HTTP/1.1\r\nHost: 127.0.0.1:${page.port}\r\n`);
      return socket;
    });
    await Promise.all(
      sockets.map(
        (socket) =>
          new Promise((resolve) => socket.once("close", resolve).once("connect", resolve)),
      ),
    );
    const answer = await sendRaw(page, { path: "/api/topics", headers: withToken(page) });
    expect(answer.status).toBe(200);
    for (const socket of sockets) socket.destroy();
    expect(await snapshot(user.home)).toEqual(before);
  });

  it("limits how often the token can be guessed and how many requests one page sends", async () => {
    const page = await startPage(await homeWithMemory());
    const wrong = { authorization: `Bearer ${"0".repeat(64)}` };
    const statuses = new Set<number>();
    for (let round = 0; round < 500 && !statuses.has(429); round++) {
      const guess = async () => await sendRaw(page, { path: "/api/about", headers: wrong });
      const guesses = await Promise.all(Array.from({ length: 10 }, guess));
      for (const { status } of guesses) statuses.add(status);
    }
    expect([...statuses].toSorted((one, other) => one - other)).toEqual([401, 429]);
    // The owner of the token is not affected.
    expect((await sendRaw(page, { path: "/api/about", headers: withToken(page) })).status).toBe(
      200,
    );
  });

  it("sends a policy that allows its own script only", async () => {
    const page = await startPage(await createHome());
    const { headers, text } = await sendRaw(page, { path: "/" });
    const policy = String(headers["content-security-policy"]);
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'sha256-[\w+/=]+'; style-src 'sha256-[\w+/=]+'; connect-src 'self';/,
    );
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers).toMatchObject({
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
    });
    expect(text).not.toContain(page.token);
    expect(text).not.toMatch(/(?:src|href)="https?:/);
  });

  it("opens the browser through a private file, so that no process argument has the token", async () => {
    const user = await homeWithMemory();
    // Takes the place of the program that opens files, and notes what it got.
    await writeFiles(user.home, {
      "bin/xdg-open": `#!/bin/sh\nprintf '%s\\n' "$#" "$1" > "$HOME/opened.txt"\ncp -p "$1" "$HOME/redirect.html"\n`,
    });
    await chmod(join(user.home, "bin/xdg-open"), 0o755);
    const env = { PATH: `${join(user.home, "bin")}:${process.env["PATH"]}`, DISPLAY: ":7" };
    const running = user.start(["page"], { isStdinOpen: true, env });
    await running.printed("opened http://127.0.0.1:");
    const [count, path = ""] = (await readFile(join(user.home, "opened.txt"), "utf8")).split("\n");
    expect(count).toBe("1");
    expect(path).toMatch(/\/\.local\/state\/caliban\/page\/open-[0-9a-f]+\.html$/);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(path, ".."))).mode & 0o777).toBe(0o700);
    const [, token = ""] = /#token=([0-9a-f]{64})"/.exec(await readFile(path, "utf8")) ?? [];
    running.child.kill("SIGINT");
    const { stdout, stderr, exitCode } = await running.ended;
    expect(exitCode).toBe(130);
    expect(token).not.toBe("");
    expect(stdout + stderr).not.toContain(token);
    await expect(stat(path)).rejects.toThrow("ENOENT");
  });

  it("explains a port that is taken, and one that is not a port", async () => {
    const user = await createHome();
    const page = await startPage(user);
    const taken = await user.run(["page", "--no-open", "--port", String(page.port)]);
    expect(taken).toMatchObject({ exitCode: 2, stdout: "" });
    expect(taken.stderr).toContain(`cannot use port ${page.port}: already in use`);
    const invalid = await user.run(["page", "--port", "99999"]);
    expect(invalid).toMatchObject({ exitCode: 2, stdout: "" });
    expect(invalid.stderr).toContain("invalid port for --port: '99999'");
  });
});

it.skipIf(IS_EXECUTABLE).for([["memory"], ["-p", "hello there"], ["page", "--help"]])(
  "loads no code of the page for %j",
  async (args) => {
    const user = await homeWithMemory();
    const coverage = join(user.home, "coverage");
    await user.run(args, { env: { NODE_V8_COVERAGE: coverage } });
    const reports = await Promise.all(
      (await readdir(coverage)).map((name) => readFile(join(coverage, name), "utf8")),
    );
    const loaded = reports
      .flatMap((report) => (JSON.parse(report) as { result: { url: string }[] }).result)
      .flatMap(({ url }) => /dist\/([\w-]+\.js)$/.exec(url)?.[1] ?? []);
    const dist = join(root, "apps/caliban/dist");
    const texts = await Promise.all(
      loaded.map(async (name) => [name, await readFile(join(dist, name), "utf8")] as const),
    );
    expect(loaded).toContain("core.js");
    const ofPage = texts.filter(([, text]) => /topic\/remove|require-trusted-types-for/.test(text));
    expect(ofPage.map(([name]) => name)).toEqual([]);
  },
);

it("sends the browser at most 60 KB", async () => {
  const dist = join(root, "packages/page/dist");
  const texts = await Promise.all(
    ["client.js", "client.css"].map((name) => readFile(join(dist, name))),
  );
  const bytes = texts.reduce((sum, text) => sum + gzipSync(text).length, 0);
  expect(bytes).toBeLessThanOrEqual(60 * 1024);
});

it("serves the page from a session with /page, and ends with the session", async () => {
  const directories = await createEmptyHome();
  const screen = await startScreen(directories, { columns: 140 });
  await screen.sendLine("/page");
  const shown = await screen.waitFor(/#token=[0-9a-f]{64}/);
  expect(shown).toContain("The page stops when this session ends");
  const [, port = "", token = ""] = /127\.0\.0\.1:(\d+)\/#token=([0-9a-f]{64})/.exec(shown) ?? [];
  const about = { path: "/api/about", headers: { authorization: `Bearer ${token}` } };
  const answer = await sendRaw({ port: Number(port) }, about);
  expect(JSON.parse(answer.text)).toMatchObject({ workspace: "~/app" });
  screen.type(KEY.ctrlD);
  expect(await screen.exit).toMatchObject({ exitCode: 0 });
  await expect(sendRaw({ port: Number(port) }, about)).rejects.toThrow("ECONNREFUSED");
});
