import { spawn } from "node:child_process";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { root } from "../scripts/workspace.mjs";
import { childEnvironment } from "./support/child-environment.ts";
import { startModelServer } from "./support/model-server/model-server.ts";
import { systemOf } from "./support/model-server/received-request.ts";
import { waitForExit } from "./support/run-caliban.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const PROVIDERS = {
  anthropic: "anthropic",
  openai: "openai-responses",
  google: "gemini",
  "openai-compatible": "chat-completions",
} as const;
type Api = keyof typeof PROVIDERS;
const APIS = Object.keys(PROVIDERS) as readonly Api[];

const KEY = "sk-test-0123456789";

/** Prints at exit whether Node's own fetch was loaded. */
const PRINT_LOADED = `process.on("exit", () => {
  const loaded = process.moduleLoadList.filter((name) => name.includes("undici"));
  process.stderr.write("fetch: " + JSON.stringify(loaded));
});`;

describe("the built program", () => {
  it.for(APIS)(
    "loads only the code of the %s provider, and not Node's fetch, to ask a model",
    async (api) => {
      const home = await temporaryDirectory();
      const built = join(home, "dist");
      await cp(join(root, "apps/caliban/dist"), built, { recursive: true });
      for (const other of APIS.filter((name) => name !== api)) {
        await rm(join(built, `${other}.js`));
      }
      const server = await startModelServer({ script: [{ text: "Hello." }] });
      onTestFinished(server.close);
      await mkdir(join(home, ".config/caliban"), { recursive: true });
      await writeFile(
        join(home, ".config/caliban/settings.toml"),
        `[providers.acme]\napi = "${api}"\nbase_url = "${server.baseUrl(PROVIDERS[api])}"\napi_key_env = "ACME_KEY"\n`,
      );
      await writeFile(join(home, "package.json"), '{ "type": "module" }');
      const preload = `data:text/javascript,${encodeURIComponent(PRINT_LOADED)}`;
      const child = spawn(
        process.execPath,
        ["--import", preload, join(built, "bin.js"), "-p", "hi", "--model", "acme/some-model"],
        {
          env: { ...childEnvironment(home), ACME_KEY: KEY },
          cwd: home,
          stdio: ["ignore", "pipe", "pipe"],
        },
      );
      expect(await waitForExit(child)).toEqual({
        exitCode: 0,
        stdout: "Hello.\n",
        stderr: "fetch: []",
      });
      const [request] = server.requests;
      expect(request && systemOf(request)).toContain("caliban");
      expect(JSON.stringify(request?.headers)).toContain(KEY);
    },
  );
});
