import { join } from "node:path";
import {
  createGenerations,
  withPipelineStore,
} from "../../packages/autonomous-memory/src/node/index.ts";
import type { TestHome } from "./run-caliban.ts";

type GeneratedSkills = Parameters<
  ReturnType<typeof createGenerations>["write"]
>[0]["memory"]["skills"];

const DAY_MS = 86_400_000;

/** Writes what a run of the pipeline would: a generation for each text, and what each run cost. */
export async function learn(
  { home, slug }: Pick<TestHome, "home" | "slug">,
  texts: readonly string[],
  skills: GeneratedSkills = [],
): Promise<string> {
  const directory = join(home, ".local/share/caliban/projects", slug, "autonomous");
  const generations = createGenerations({ directory });
  const startMs = Date.now() - texts.length * DAY_MS;
  for (const [at, text] of texts.entries()) {
    await generations.write({
      memory: { memoryMd: `# Memory\n\n${text}`, memorySummary: text, skills },
      extractions: [],
      nowMs: startMs + at * DAY_MS,
      isStillClaimed: () => true,
    });
  }
  const path = join(home, ".local/state/caliban/memories.sqlite");
  await withPipelineStore({ path, create: true }, ({ ledger }) => {
    for (const at of texts.keys()) {
      const nowMs = startMs + at * DAY_MS;
      const run = ledger.begin({ project: slug, trigger: "start", nowMs });
      const spent = { requests: 2, inputTokens: 1_000 * (1 + ((at * 7) % 11)), outputTokens: 100 };
      ledger.spend(run, spent, nowMs);
      const isLast = at === texts.length - 1;
      ledger.end(run, {
        outcome: isLast ? "failed" : "done",
        reason: isLast ? "the model did not answer" : undefined,
        sessionsRead: 1,
        sessionsFailed: 0,
        hasConsolidated: true,
        nowMs: nowMs + 1,
      });
    }
  });
  return directory;
}
