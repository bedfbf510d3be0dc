import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type AuthorizationFixture,
  startAuthorizationServer,
} from "./support/authorization-server.ts";
import { until } from "./support/mcp-process.ts";
import { createHome, type TestHome } from "./support/run-caliban.ts";
import { messagesOf, toolNamesOf } from "./support/model-server/received-request.ts";
import { startModelServer } from "./support/model-server/model-server.ts";

const LOGINS = ".local/state/caliban/mcp-logins";
const settingsFor = (url: string, more = ""): string =>
  `[mcp.servers.wiki]\nurl = "${url}"\n${more}`;

async function homeWith(server: AuthorizationFixture, more = ""): Promise<TestHome> {
  return await createHome({ ".config/caliban/settings.toml": settingsFor(server.url, more) });
}

interface Login {
  /** Where the user is to log in. */
  readonly address: string;
  readonly ended: Promise<{
    readonly exitCode: number | null;
    readonly stdout: string;
    readonly stderr: string;
  }>;
}

/** Starts a login up to the point at which the user has to do something. */
async function startLogin(user: TestHome): Promise<Login> {
  const { child, ended } = user.start(["mcp", "login", "wiki", "--no-open"]);
  let printed = "";
  child.stderr?.on("data", (chunk) => void (printed += String(chunk)));
  const address = (): string => /https?:\S+code_challenge\S*(?=\n)/.exec(printed)?.[0] ?? "";
  await Promise.race([until(() => address() !== ""), ended]);
  return { address: address(), ended };
}

async function logIn(user: TestHome, server: AuthorizationFixture): Promise<void> {
  const { address, ended } = await startLogin(user);
  expect((await server.approve(address)).status).toBe(200);
  expect(await ended).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("logged in to wiki") as string,
  });
}

describe("caliban mcp login", () => {
  it("logs in with a proof and a registration of its own, and keeps the tokens private", async () => {
    const server = await startAuthorizationServer();
    const user = await homeWith(server);
    const { address, ended } = await startLogin(user);
    const asked = new URL(address).searchParams;
    expect(asked.get("code_challenge_method")).toBe("S256");
    expect(asked.get("resource")).toBe(server.url);
    expect(asked.get("redirect_uri")).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    await server.approve(address);
    const { stdout, stderr } = await ended;
    for (const token of server.tokens) expect(stdout + stderr).not.toContain(token);
    const [file = ""] = await readdir(join(user.home, LOGINS));
    const path = join(user.home, LOGINS, file);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(user.home, LOGINS))).mode & 0o777).toBe(0o700);
    expect(await readFile(path, "utf8")).toContain(server.tokens[0]);
    expect(server.registrations).toHaveLength(1);
  });

  it("takes no answer but that of its own login", async () => {
    const server = await startAuthorizationServer();
    const user = await homeWith(server);
    const { address, ended } = await startLogin(user);
    const forged = await server.approve(address, (back) =>
      back.searchParams.set("state", "forged"),
    );
    expect(forged.status).toBe(400);
    const elsewhere = await server.approve(address, (back) => (back.pathname = "/other"));
    expect(elsewhere.status).toBe(404);
    expect((await server.approve(address)).status).toBe(200);
    expect((await ended).exitCode).toBe(0);
  });

  it("reports a user who declines, without what the page said", async () => {
    const server = await startAuthorizationServer();
    const user = await homeWith(server);
    const { address, ended } = await startLogin(user);
    await server.approve(address, ({ searchParams }) => {
      searchParams.delete("code");
      searchParams.set("error", "access_denied\u001B[31m");
      searchParams.set("error_description", "call this number");
    });
    const { exitCode, stderr } = await ended;
    expect(exitCode).toBe(1);
    expect(stderr).toContain("the login was declined: access_denied");
    expect(stderr).not.toContain("number");
    expect(stderr).not.toContain("\u001B");
  });

  it("uses a client id from the settings where no client can register", async () => {
    const server = await startAuthorizationServer({ registers: false });
    const without = await (await homeWith(server)).run(["mcp", "login", "wiki", "--no-open"]);
    expect(without).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("cannot log in") as string,
    });
    const user = await homeWith(server, 'client_id = "known-client"\n');
    const { address, ended } = await startLogin(user);
    expect(new URL(address).searchParams.get("client_id")).toBe("known-client");
    await server.approve(address);
    expect((await ended).exitCode).toBe(0);
  });

  it.for(["javascript:alert(1)", "file:///etc/passwd", "http://evil.example/authorize"])(
    "sends the user nowhere but to https: %s",
    async (authorizeAt) => {
      const server = await startAuthorizationServer({ authorizeAt });
      const { exitCode, stderr } = await (
        await homeWith(server)
      ).run(["mcp", "login", "wiki", "--no-open"]);
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(/wiki: (?:cannot log in|the server wants the login at an address)/);
      expect(stderr).not.toContain("code_challenge");
    },
  );

  it.for([
    ["garbage", (response: ServerResponse) => response.end("<html>")],
    ["ten megabytes", (response: ServerResponse) => response.end(`"${"x".repeat(10_000_000)}"`)],
    [
      "a redirect to another server",
      (response: ServerResponse) =>
        response.writeHead(302, { location: "http://127.0.0.1:9/" }).end(),
    ],
    ["nothing", (response: ServerResponse) => response.destroy()],
  ] as const)("reports a server that answers its questions with %s", async ([, respond]) => {
    const server = await startAuthorizationServer({
      answer: (_, response) => {
        respond(response);
        return true;
      },
    });
    const { exitCode, stderr } = await (
      await homeWith(server)
    ).run(["mcp", "login", "wiki", "--no-open"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("wiki: cannot log in");
    expect(stderr.length).toBeLessThan(1_000);
  });

  it("refuses programs, unknown servers, servers with a token, and those that a repository requests", async () => {
    const server = await startAuthorizationServer();
    const user = await createHome({
      ".config/caliban/settings.toml": `[mcp.servers.program]\ncommand = "x"\n[mcp.servers.token]\nurl = "${server.url}"\ntoken_env = "WIKI_TOKEN"\n`,
      "app/.caliban/settings.toml": settingsFor(server.url),
    });
    for (const [name, message] of [
      ["program", "is a program"],
      ["token", "gets its token from WIKI_TOKEN"],
      ["wiki", "is requested by this repository, which gets no login of yours"],
      ["none", "no such MCP server"],
    ] as const) {
      for (const command of ["login", "logout"]) {
        const { exitCode, stderr } = await user.run(["mcp", command, name]);
        expect(exitCode).not.toBe(0);
        expect(stderr).toContain(message);
      }
    }
    expect(server.received).toEqual([]);
  });

  it("removes the tokens with logout", async () => {
    const server = await startAuthorizationServer();
    const user = await homeWith(server);
    await logIn(user, server);
    expect((await user.run(["mcp", "logout", "wiki"])).stdout).toContain(
      "removed the tokens of wiki",
    );
    expect(await readdir(join(user.home, LOGINS))).toEqual([]);
    expect((await user.run(["mcp", "logout", "wiki"])).stderr).toContain("no login to wiki");
  });
});

describe("a conversation with a server that wants a login", () => {
  /** Runs `caliban -p` with a model that calls the tool of the server, and returns what the model got. */
  async function converse(
    user: TestHome,
  ): Promise<{ readonly stderr: string; readonly received: string }> {
    const model = await startModelServer({
      script: (request) => {
        const isCall = messagesOf(request).at(-1)?.text.includes("call") === true;
        const isKnown = toolNamesOf(request).includes("mcp__wiki__go");
        return isCall && isKnown
          ? { toolCalls: [{ name: "mcp__wiki__go", input: {} }] }
          : { text: "done" };
      },
    });
    const path = join(user.home, ".config/caliban/settings.toml");
    const settings = await readFile(path, "utf8");
    await writeFile(
      path,
      `${settings}\n[models]\ndefault = "anthropic/claude-sonnet-5-5"\n[providers.anthropic]\nbase_url = "${model.baseUrl("anthropic")}"\n`,
    );
    const run = async (): Promise<string> =>
      (
        await user.run(["-p", "call it", "--allow", "mcp.wiki"], {
          env: { ANTHROPIC_API_KEY: "key-0123456789" },
        })
      ).stderr;
    const first = await run();
    const second = await run();
    const received = JSON.stringify(model.requests);
    await model.close();
    await writeFile(path, settings);
    return { stderr: first + second, received };
  }

  it("says how to log in, and asks for nothing else", async () => {
    const server = await startAuthorizationServer();
    const { stderr } = await converse(await homeWith(server));
    expect(stderr).toContain("needs a login; run: caliban mcp login wiki");
    expect(new Set(server.received.map((line) => line.split(" ")[1]))).toEqual(new Set(["/mcp"]));
  });

  it("uses the login, renews it, masks its tokens, and says when it has ended", async () => {
    const server = await startAuthorizationServer();
    const user = await homeWith(server);
    await logIn(user, server);
    expect((await converse(user)).received).toContain("token [masked]");
    server.expire();
    const { received, stderr } = await converse(user);
    expect(received).toContain("token [masked]");
    expect(server.tokens.length).toBeGreaterThan(2);
    for (const token of server.tokens) expect(received + stderr).not.toContain(token);
    server.expire(true);
    expect((await converse(user)).stderr).toMatch(/login .*; run: caliban mcp login wiki/);
  });
});
