import { TUNING as T1 } from "./cases/tuning.ts";
import { HELD_OUT } from "./cases/held-out.ts";
import { decoySessions, DEVICE_AREAS, SHOP_AREAS as S1 } from "./decoys.ts";
const held = process.argv.includes("--held");
const TUNING = held ? HELD_OUT : T1;
const SHOP_AREAS = held ? DEVICE_AREAS : S1;
import { findStatements } from "../../packages/memory/src/notes/statements.ts";
import { createNoteIndex } from "../../packages/memory/src/notes/note-index.ts";
import { noteQuery } from "../../packages/memory/src/notes/note-query.ts";
import { findCandidates } from "../../packages/memory/src/notes/choose-note.ts";
const own = TUNING.flatMap(({ sessions }) => sessions);
const index = createNoteIndex();
const texts = new Map<string, string>();
const notes = [...own, ...decoySessions(SHOP_AREAS, 200 - own.length)].map(([day, ...lines], i) => {
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
  for (const r of n.records)
    texts.set(
      `s:${i}#${r.at}#${r.span?.from}`,
      turns.find((t) => t.at === r.at).text.slice(r.span!.from, r.span!.to),
    );
  return n;
});
notes.forEach((n, i) => index.add(`s:${i}`, n, "replace"));
let fp = 0,
  hit = 0;
for (const [ci, c] of TUNING.entries()) {
  const see = !held || ci % 2 === 0;
  const [verb, ...rest] = c.call.split(" ");
  const target = rest.join(" ");
  const trigger: any =
    verb === "run"
      ? { kind: "command", command: target }
      : { kind: "file", action: verb, path: target, text: c.text ?? "" };
  const mine = new Set(c.sessions.map((x) => `s:${own.indexOf(x)}`));
  const ask = (t: any) => {
    const q = noteQuery({ trigger: t, message: c.message }, index.rarity);
    return findCandidates(index, q).map((x) => ({
      ...x,
      q,
      text: texts.get(`${x.note.entry}#${x.note.at}#${x.note.span?.from}`),
    }));
  };
  const margin = (x: any) => {
    const m =
      index
        .match(x.q.all, 0.3)
        .filter(
          (y) => y.note.entry !== x.note.entry && !mine.has(y.note.entry) && y.note.strength >= 0.6,
        )
        .map((y) => (y.own + 0.5 * y.near + 0.25 * y.whole) * y.note.strength)
        .sort((a, b) => b - a)[0] ?? 0.1;
    return (x.score / m).toFixed(2);
  };
  const show = (x: any) =>
    `margin ${margin(x)} cov ${([...x.q.message].filter(([t]: any) => x.note.own.includes(t) || x.note.near.includes(t)).reduce((a: number, [t, w]: any) => a + w * index.rarity(t), 0) / [...x.q.message].reduce((a: number, [t, w]: any) => a + w * Math.min(1, index.rarity(t)), 0)).toFixed(2)} ${x.score.toFixed(2)} str ${x.note.strength} ${x.text.slice(0, 60)} | own ${[
      ...x.q.all,
    ]
      .filter(([t]: any) => x.note.own.includes(t))
      .map(([t, w]: any) => `${t}:${(w * index.rarity(t)).toFixed(2)}`)
      .join(" ")} | near ${[...x.q.all]
      .filter(([t]: any) => x.note.near.includes(t))
      .map(([t, w]: any) => `${t}:${(w * index.rarity(t)).toFixed(2)}`)
      .join(" ")}`;
  const full = [...ask({ kind: "message", text: c.message }), ...ask(trigger)];
  if (full.length && mine.has(full[0]!.note.entry)) hit++;
  for (const e of mine) index.remove(e);
  const loo = [...ask({ kind: "message", text: c.message }), ...ask(trigger)];
  for (const e of mine) index.add(e, notes[Number(e.slice(2))]!, "replace");
  if (loo.length) {
    fp++;
    if (see) console.log(`FP ${c.name}: ${c.message} | ${c.call}\n     ${show(loo[0])}`);
  }
  if (see && c.expect && !(full.length && mine.has(full[0]!.note.entry))) {
    const q = noteQuery({ trigger, message: c.message }, index.rarity);
    const all = index
      .match(q.all, 0.1)
      .map((x) => ({
        ...x,
        q,
        score: (x.own + 0.5 * x.near + 0.25 * x.whole) * x.note.strength,
        text: texts.get(`${x.note.entry}#${x.note.at}#${x.note.span?.from}`) ?? "",
      }))
      .sort((a, b) => b.score - a.score);
    console.log(`MISS ${c.name}: ${c.message} | ${c.call}`);
    all.forEach((x, k) => {
      if (k < 2 || (mine.has(x.note.entry) && k < 40))
        console.log(`   ${mine.has(x.note.entry) ? "GOLD" : "    "} #${k} ${show(x)}`);
    });
  }
  if (see && process.argv.includes("-v") && full.length)
    console.log(
      `${mine.has(full[0]!.note.entry) ? "ok" : "WRONG"} ${c.name}\n     ${show(full[0])}`,
    );
}
console.log({ hit, fp });
