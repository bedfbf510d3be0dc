import { TUNING } from "./cases/tuning.ts";
import { HELD_OUT } from "./cases/held-out.ts";
import { decoySessions } from "./decoys.ts";
import { findStatements } from "../../packages/memory/src/notes/statements.ts";
import { createNoteIndex } from "../../packages/memory/src/notes/note-index.ts";
import { noteQuery } from "../../packages/memory/src/notes/note-query.ts";
const all = [...TUNING, ...HELD_OUT];
const own = all.flatMap(({ sessions }) => sessions);
const index = createNoteIndex();
const texts = new Map<string, string>();
for (const [i, [day, ...lines]] of [...own, ...decoySessions(200 - own.length)].entries()) {
  const turns: any[] = [];
  let touched: string[] = [];
  let tainted = false;
  lines.forEach((l, at) => {
    if (l.startsWith("t:")) {
      tainted = true;
      const p = l.split(" ").slice(2).join(" ");
      if (!/^t: (Bash|Grep)/.test(l)) touched.push(p);
      return;
    }
    const role = l.startsWith("u:") ? "user" : "assistant";
    if (role === "user") tainted = false;
    turns.push({
      at: String(at),
      role,
      text: l.slice(3),
      atMs: Date.parse(day),
      isTainted: role === "assistant" && tainted,
      touched,
    });
    touched = [];
  });
  const n = findStatements(turns);
  index.add(`s:${i}`, n, "replace");
  for (const r of n.records)
    texts.set(
      `s:${i}#${r.at}#${r.span?.from}`,
      turns.find((t) => t.at === r.at).text.slice(r.span!.from, r.span!.to),
    );
}
for (const c of TUNING) {
  const [verb, ...rest] = c.call.split(" ");
  const target = rest.join(" ");
  const trigger: any =
    verb === "run"
      ? { kind: "command", command: target }
      : { kind: "file", action: verb, path: target, text: c.text ?? "" };
  const q = noteQuery({ trigger, message: c.message }, index.rarity);
  const m = index
    .match(q.all, 0.1)
    .map((x) => ({
      ...x,
      t: texts.get(`${x.note.entry}#${x.note.at}#${x.note.span?.from}`) ?? "",
      score: (x.own + 0.5 * x.near + 0.25 * x.whole) * x.note.strength,
    }))
    .sort((a, b) => b.score - a.score);
  const total = [...q.message].reduce((s, [t, w]) => s + w * Math.min(1, index.rarity(t)), 0);
  console.log(`\n== ${c.name}: ${c.message} | ${c.call} | msgmass ${total.toFixed(2)}`);
  let shown = 0;
  for (const [k, x] of m.entries()) {
    const gold = c.expect?.test(x.t);
    const st = c.stale?.test(x.t);
    if (k >= 3 && !(gold && k < 60)) continue;
    const o = new Set(x.note.own),
      nr = new Set(x.note.near);
    const f = (s: Set<string>) =>
      [...q.all]
        .filter(([t]) => s.has(t))
        .map(([t, w]) => `${t}:${(w * index.rarity(t)).toFixed(2)}`)
        .join(" ");
    console.log(
      `${gold ? "GOLD" : st ? "OLD " : "    "} #${k} ${x.score.toFixed(2)} own ${x.own.toFixed(2)} near ${x.near.toFixed(2)} whole ${x.whole.toFixed(2)} str ${x.note.strength} | ${x.t.slice(0, 70)} | own ${f(o)} | near ${f(nr)}`,
    );
  }
  if (c.expect && !m.some((x) => c.expect!.test(x.t))) console.log("   NO GOLD");
}
