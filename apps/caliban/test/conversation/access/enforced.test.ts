import { join } from "node:path";
import { readFile } from "node:fs/promises";
import { expect, it, onTestFinished } from "vitest";
import { startModelServer } from "../../../../../test/support/model-server/model-server.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import { withTopics } from "../../commands/memory/topics/project-with-topics.ts";

const RULES = ".config/caliban/enforced.json";

it.for([
  [
    "npm --version",
    "Denied by the enforced memory deploy: run migrations first. Rule: Bash(npm *).",
  ],
  ["caliban memory enforce deploy --off --yes", "Only you decide about `caliban memory enforce`."],
  ["sh -c 'npx caliban memory inbox accept 1'", "Only you decide about `caliban memory inbox`."],
  ["rm ~/.config/caliban/enforced.json", "The command names enforced.json"],
] as const)(
  "refuses %s in yolo mode with an allow rule, and tells the model why",
  async ([command, reason]) => {
    const call = { toolCalls: [{ name: "Bash", input: { command } }] };
    const server = await startModelServer({ script: [call, { text: "ok" }] });
    onTestFinished(server.close);
    const at = await withTopics();
    await at.caliban("memory", "enforce", "deploy", "--deny", "Bash(npm *)", "--yes");
    const rules = await readFile(join(at.home, RULES), "utf8");
    const provider = `base_url = "${server.baseUrl("chat-completions")}"`;
    await writeFiles(at.home, {
      ".config/caliban/settings.toml": `[models]\ndefault = "local/m"\n[providers.local]\n${provider}\n`,
    });
    const flags = ["--mode", "yolo", "--allow", "Bash", "--no-memory"];
    const { exitCode } = await at.caliban("-p", "hi", ...flags);
    expect(exitCode).toBe(4);
    expect(server.requests.at(-1)?.text).toContain(JSON.stringify(reason).slice(1, -1));
    expect(await readFile(join(at.home, RULES), "utf8")).toBe(rules);
  },
);
