import { TUNING } from "./cases/tuning.ts";
import { HELD_OUT } from "./cases/held-out.ts";
import { sessionsOf } from "./case.ts";
import { decoySessions, DEVICE_AREAS, SHOP_AREAS } from "./decoys.ts";
import { openBenchProject } from "./project.ts";
import { runCases } from "./run-cases.ts";
for (const count of [199]) for (const [name, cases, areas] of [["tuning", TUNING, SHOP_AREAS], ["held", HELD_OUT, DEVICE_AREAS]] as const) {
  const n: Record<string, number> = { arrived: 0 };
  for (const [i, c] of cases.entries()) {
    const project = await openBenchProject({ sessions: [...sessionsOf(c), ...decoySessions(areas, count)] });
    const [r] = await runCases(project.search, [c]);
    n[r!.outcome] = (n[r!.outcome] ?? 0) + 1;
    if (r!.notes.some((x) => c.expect?.test(x.text))) n["arrived"]!++;
    if ((name === "tuning" || i % 2 === 0) && r!.outcome !== "right") console.log(r!.outcome, c.name, r!.notes.map((x) => `${x.why.score.toFixed(2)} ${x.text} ${x.why.terms}`));
    project.remove();
  }
  console.log(count, name, n);
}
