import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findSecretsByPattern } from "../packages/common/src/secrets/find-by-pattern.ts";
import { findSecrets } from "../packages/common/src/secrets/find-secrets.ts";
import { expandForm } from "../packages/common/test/secrets/expand-form.ts";
import { HOSTILE_PIECES } from "../packages/common/test/secrets/hostile-pieces.ts";
import { ordinaryTexts } from "../packages/common/test/secrets/ordinary-forms.ts";
import { ordinaryLines } from "../packages/common/test/secrets/ordinary-lines.ts";
import { reviewedShapes } from "../packages/common/test/secrets/reviewed-shapes.ts";
import { VENDOR_FORMS } from "../packages/common/test/secrets/vendor-forms.ts";
import { root } from "../scripts/workspace.mjs";
import { type Measurement, timing } from "./measurement.ts";

const HOSTILE_SIZE = 2 ** 17;
const ROUNDS = 3;
// Shorter times are mostly noise.
const MIN_MS = 20;
const SEEDS = [1, 2, 3, 4, 5];

/** Counts what the secret scanner finds in its corpora, and compares texts of twice the size. */
export async function benchSecrets(): Promise<readonly (Measurement | string)[]> {
  const reviewed = SEEDS.flatMap((seed) => reviewedShapes(seed).map(({ text }) => text));
  const vendors = SEEDS.flatMap((seed) =>
    VENDOR_FORMS.map(([, form], at) => expandForm(form, 1_000 * seed + at).text),
  );
  const ordinary = [...ordinaryLines(), ...ordinaryTexts(SEEDS.length * 10)];
  return [
    `  caught       ${await count(reviewed)} of ${reviewed.length} shapes that a review found to be missed`,
    `  caught       ${await count(vendors)} of ${vendors.length} values in the documented form of ${VENDOR_FORMS.length} credentials`,
    `  false alarms ${await count(ordinary)} in ${ordinary.join("\n").split("\n").length} lines without secrets`,
    "",
    ...(await doubled("docs/cli.md", readFileSync(join(root, "docs/cli.md"), "utf8"))),
    ...(await slowestHostile()),
  ];
}

async function count(texts: readonly string[]): Promise<number> {
  let found = 0;
  for (const text of texts) found += (await findSecrets(text)).length > 0 ? 1 : 0;
  return found;
}

async function doubled(name: string, text: string): Promise<readonly Measurement[]> {
  const once = await cpuTime(text);
  const twice = await cpuTime(text + text);
  return [timing(name, once, once), timing(`${name}, twice`, twice, once)];
}

/** CPU time of the fastest of several runs, because a busy machine makes short runs much longer. */
async function cpuTime(text: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    await findSecretsByPattern(text);
    times.push(process.cpuUsage(before).user / 1_000);
  }
  return Math.min(...times);
}

/** The hostile text whose time grows most when its size doubles, and the one that takes longest. */
async function slowestHostile(): Promise<readonly Measurement[]> {
  const measured: (readonly Measurement[])[] = [];
  for (const piece of HOSTILE_PIECES) {
    const text = piece.repeat(Math.ceil(HOSTILE_SIZE / piece.length)).slice(0, HOSTILE_SIZE);
    measured.push(await doubled(`hostile: ${JSON.stringify(piece).slice(0, 40)}`, text));
  }
  const bySize = measured.toSorted((a, b) => (b[1]?.value ?? 0) - (a[1]?.value ?? 0));
  const byGrowth = bySize
    .filter(([, twice]) => (twice?.value ?? 0) > MIN_MS)
    .toSorted((a, b) => (b[1]?.ratio ?? 0) - (a[1]?.ratio ?? 0));
  return [...(bySize[0] ?? []), ...(byGrowth[0] ?? [])];
}
