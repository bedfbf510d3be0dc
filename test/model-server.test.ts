import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { root } from "../scripts/workspace.mjs";
import { startModelServer } from "./support/model-server/model-server.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const PATHS = [
  "/v1/messages",
  "/v1/responses",
  "/v1/chat/completions",
  "/v1beta/models/m:generateContent",
] as const;

async function post(url: string, body: unknown): Promise<string> {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  return await response.text();
}

describe("the model server", () => {
  it.for(PATHS)("answers a request without streaming at %s", async (path) => {
    const server = await startModelServer({ script: [{ text: "Hello." }] });
    onTestFinished(server.close);
    const text = await post(`${server.url}${path}`, { model: "m" });
    expect(JSON.stringify(JSON.parse(text))).toContain("Hello.");
  });

  it("rejects a request beyond the end of its script and a request for another path", async () => {
    const server = await startModelServer({ script: [{ text: "Hello." }] });
    onTestFinished(server.close);
    await post(`${server.url}/v1/messages`, { model: "m" });
    expect(await post(`${server.url}/v1/messages`, {})).toContain("no answer number 2");
    expect((await fetch(`${server.url}/v1/models`)).status).toBe(404);
    expect(server.requests).toHaveLength(2);
  });

  it("runs as a program of its own and repeats its script", async () => {
    const script = join(await temporaryDirectory(), "script.json");
    await writeFile(script, JSON.stringify([{ text: "one" }, { text: "two" }]));
    const program = join(root, "test/support/model-server/serve.ts");
    const child = spawn(
      process.execPath,
      [program, "--port", "0", "--script", script, "--repeat"],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    onTestFinished(() => void child.kill());
    const [line] = (await once(child.stdout, "data")) as [Uint8Array];
    const url = Buffer.from(line).toString().trim();
    const answers: string[] = [];
    for (let turn = 0; turn < 3; turn++) answers.push(await post(`${url}/v1/messages`, {}));
    expect(answers.map((text) => /one|two/.exec(text)?.[0])).toEqual(["one", "two", "one"]);
  });
});
