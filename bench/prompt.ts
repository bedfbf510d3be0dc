import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, workspaceNode } from "../scripts/workspace.mjs";
import { startModelServer } from "../test/support/model-server/model-server.ts";
import { systemOf } from "../test/support/model-server/received-request.ts";
import { programOf } from "./startup.ts";
import { watchProcess } from "./first-request/watch-process.ts";
import type { Measurement } from "./measurement.ts";

/** Estimates the tokens that a model receives before the first user message, as memory estimates them. */
export async function benchPrompt(): Promise<readonly Measurement[]> {
  const home = mkdtempSync(join(tmpdir(), "caliban-bench-"));
  const server = await startModelServer({ script: [{ text: "pong" }, { text: "pong" }] });
  const env = {
    HOME: home,
    ANTHROPIC_API_KEY: "none-at-all",
    XDG_CONFIG_HOME: join(home, "config"),
  };
  try {
    mkdirSync(join(home, "config/caliban"), { recursive: true });
    const provider = `[providers.anthropic]\nbase_url = "${server.baseUrl("anthropic")}"\n`;
    writeFileSync(join(home, "config/caliban/settings.toml"), provider);
    await watchProcess(workspaceNode, [programOf(root), "-p", "ping"], { cwd: home, env });
    const [request] = server.requests;
    if (request === undefined) throw new Error("caliban sent no request; run `pnpm build` first");
    const system = systemOf(request);
    const skill = /^# Skills\n[\s\S]*?(?=^# Conventions$)/m.exec(system)?.[0] ?? "";
    const rows = {
      "system prompt without memory and skill": system.length - skill.length,
      tools: JSON.stringify(request.body["tools"]).length,
    };
    const total = Object.values(rows).reduce((sum, bytes) => sum + bytes, 0);
    return Object.entries({
      ...rows,
      "both (limit 3000)": total,
      "auto-memory skill": skill.length,
    }).map(([name, bytes]) => ({ name, value: bytes / 4, unit: "tokens" }));
  } finally {
    await server.close();
    rmSync(home, { recursive: true });
  }
}
