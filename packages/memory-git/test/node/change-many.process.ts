// `node change-many.process.ts HOME WRITER SEED COUNT`: makes COUNT random changes in the clone below HOME, with syncs in between,
// and prints a line for each change once it is acknowledged.
import { writeSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { openTeam } from "@caliban/memory-git/node";

const [home = "", writer = "", seed = "", count = ""] = process.argv.slice(2);
const SYNC_EVERY = 8;
const env = { ...process.env, HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
const team = openTeam({
  directory: join(home, "team"),
  allowedSignersFile: join(home, "signers"),
  env,
  signingKey: false,
});
const random = randomNumbers(Number(seed));

for (let number = 1; number <= Number(count); number += 1) {
  await changeSomething(`${writer}-${seed}-${number}`);
  if (number % SYNC_EVERY === 0) await sync();
}
await sync();

async function changeSomething(mark: string): Promise<void> {
  const topics = await team.topics();
  const topic = topics[Math.floor(random() * topics.length)];
  const kind = random();
  if (topic === undefined || kind < 0.4) {
    const slug = `topic-${Math.floor(random() * 30)}`;
    const known = topics.find((other) => other.slug === slug);
    await share(slug, known?.text ?? header(slug), mark);
  } else if (kind < 0.8) {
    await share(topic.slug, topic.text, mark);
  } else if (kind < 0.9) {
    await share(`${topic.slug.slice(0, 20)}-${Math.floor(random() * 9)}`, topic.text, mark);
    await remove(topic.slug);
  } else {
    await remove(topic.slug);
  }
}

async function share(slug: string, text: string, mark: string): Promise<void> {
  const paragraphs = text.trimEnd().split("\n\n");
  // The header stays first. A new paragraph, or another text for an old one.
  const at = 1 + Math.floor(random() * paragraphs.length);
  const isEdit = random() < 0.3 && at < paragraphs.length;
  const old = isEdit ? `${paragraphs[at]?.split(" then ").slice(-2).join(" then ")} then ` : "";
  const changed = paragraphs.toSpliced(at, isEdit ? 1 : 0, `${old}mark ${mark}.`);
  const kept = changed.length > 12 ? changed.toSpliced(1, 1) : changed;
  await team.share({ slug, text: `${kept.join("\n\n")}\n` });
  if (kept.join("\n").includes(`mark ${mark}.`)) acknowledge("share", slug, mark);
}

async function remove(slug: string): Promise<void> {
  try {
    await team.unshare(slug);
    acknowledge("unshare", slug, "");
  } catch (error) {
    // Another process with this clone was faster.
    if (!(error instanceof Error && "code" in error && error.code === "UNKNOWN_TOPIC")) throw error;
  }
}

function acknowledge(action: string, slug: string, mark: string): void {
  // In one system call, so that a killed process never leaves half a line.
  writeSync(1, `${action} ${slug} ${mark}\n`);
}

async function sync(): Promise<void> {
  const result = await team.sync();
  if (result.kind !== "synced") return;
  for (const { version } of result.waiting) {
    try {
      await team.accept(version);
    } catch (error) {
      const isChanged =
        error instanceof Error && "code" in error && error.code === "CHANGED_MEANWHILE";
      if (!isChanged) throw error;
    }
  }
}

function header(slug: string): string {
  return `---\nname: ${slug}\ndescription: "what ${slug} is about"\nmetadata:\n  node_type: memory\n  type: project\n---\n`;
}

/** The same numbers for the same seed. */
function randomNumbers(from: number): () => number {
  let state = from * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}
