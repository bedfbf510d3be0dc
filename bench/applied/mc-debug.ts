import { readMentorProjects } from "./memorycode.ts";
import { openBenchProject } from "./project.ts";
import { runCases } from "./run-cases.ts";
const all: any[] = [];
let k = 0;
for (const { sessions, cases } of readMentorProjects().slice(0, 16)) {
  const project = await openBenchProject({ sessions });
  const r = await runCases(project.search, cases);
  for (const [i, x] of r.entries()) if (x.outcome !== "right" && k++ < 25) console.log(x.outcome, "|", cases[i]!.message, "|", x.name, "|", x.notes.map((n) => n.text).join(" // "));
  all.push(...r);
  project.remove();
}
const c = (o: string) => all.filter((x) => x.outcome === o).length;
console.log(all.length, "right", c("right"), "missing", c("missing"), "stale", c("stale"), "unrelated", c("unrelated"), "amended", all.filter((x) => x.isAmended).length, "amended right", all.filter((x) => x.isAmended && x.outcome === "right").length);
