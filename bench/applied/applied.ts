import { sessionsOf } from "./case.ts";
import { TUNING } from "./cases/tuning.ts";
import { HELD_OUT } from "./cases/held-out.ts";
import { decoySessions, DEVICE_AREAS, SHOP_AREAS } from "./decoys.ts";
import { openBenchProject } from "./project.ts";
import { runCases } from "./run-cases.ts";

for (const [name, cases, areas] of [["tuning", TUNING, SHOP_AREAS], ["held", HELD_OUT, DEVICE_AREAS]] as const) {
  const own = cases.flatMap(sessionsOf);
  const project = await openBenchProject({ sessions: [...own, ...decoySessions(areas, 200 - own.length)] });
  const results = await runCases(project.search, cases);
  const count = (o: string) => results.filter((r) => r.outcome === o).length;
  console.log(name, results.length, "right", count("right"), "missing", count("missing"), "stale", count("stale"), "unrelated", count("unrelated"), "arrived", results.filter((r, i) => cases[i]?.expect !== undefined && r.notes.some((n) => cases[i]?.expect?.test(n.text))).length, "/", cases.filter((c) => c.expect).length, "nothing-shown", results.filter((r, i) => cases[i]?.expect === undefined && r.notes.length > 0).length, "wrong but of the right session", results.filter((r, i) => r.outcome === "unrelated" && r.notes.some((n) => !cases[i]?.expect?.test(n.text) && n.source.kind === "session" && (cases[i]?.sessions ?? []).some((x) => n.source.kind === "session" && n.source.session.endsWith(`-${own.indexOf(x).toString(36).padStart(4, "0")}`)))).length, "second notes", results.filter((r) => r.notes.length > 1).length);
  for (const [i, r] of results.entries()) if (name === "tuning" ? !process.argv.includes("-q") : i % 2 === 0) if (r.outcome !== "right" || process.argv.includes("-v")) console.log("  ", r.outcome, r.name, r.notes.map((n) => `${n.why.score.toFixed(2)} ${n.text} [${n.why.terms}] ${n.was?.text ?? ""}`));
  project.remove();
}
