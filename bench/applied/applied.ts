import { TUNING } from "./cases/tuning.ts";
import { HELD_OUT } from "./cases/held-out.ts";
import { decoySessions } from "./decoys.ts";
import { openBenchProject } from "./project.ts";
import { runCases } from "./run-cases.ts";

const all = [...TUNING, ...HELD_OUT];
const own = all.flatMap(({ sessions }) => sessions);
const project = await openBenchProject({ sessions: [...own, ...decoySessions(200 - own.length)] });
for (const [name, cases] of [
  ["tuning", TUNING],
  ["held", HELD_OUT],
] as const) {
  const results = await runCases(project.search, cases);
  const count = (o: string) => results.filter((r) => r.outcome === o).length;
  console.log(
    name,
    results.length,
    "right",
    count("right"),
    "missing",
    count("missing"),
    "stale",
    count("stale"),
    "unrelated",
    count("unrelated"),
  );
  if (name === "tuning" || process.argv.includes("--show-held"))
    for (const r of results)
      if (r.outcome !== "right" || process.argv.includes("-v"))
        console.log(
          "  ",
          r.outcome,
          r.name,
          r.notes.map(
            (n) => `${n.why.score.toFixed(2)} ${n.text} [${n.why.terms}] ${n.was?.text ?? ""}`,
          ),
        );
}
project.remove();
