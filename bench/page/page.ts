import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { launchBrowser } from "../../test/support/browser.ts";
import { type Measurement, median, timing } from "../measurement.ts";
import { INTERACTIONS, type Page, timeInteraction } from "./interactions.ts";
import { createLargeHome } from "./large-home.ts";

const ROOT = join(import.meta.dirname, "../..");
const TOPICS = 10_000;
const ROUNDS = 9;
/** What people notice as a delay. */
const MAX_MS = 100;
const MAX_BYTES = 60 * 1024;

/** Times what the user does on the page of a project with 10,000 topics, in a real browser. */
export async function benchPage(): Promise<readonly (Measurement | string)[]> {
  const home = createLargeHome(TOPICS);
  const { child, address } = await startPage(home);
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(address);
    const first = await timeFirst(page);
    const rows = await timeAll(page);
    const busy = await timeWhileChecking(page);
    const changes = await timeChanges(page, home);
    const slow = [...rows, ...busy, ...changes].filter(({ value }) => value > MAX_MS);
    const bytes = ["client.js", "client.css"]
      .map((name) => gzipSync(readFileSync(join(ROOT, "packages/page/dist", name))).length)
      .reduce((sum, each) => sum + each, 0);
    if (slow.length > 0 || bytes > MAX_BYTES) process.exitCode = 1;
    return [
      timing("first list of topics in a new process", first),
      ...rows,
      ...busy,
      ...changes,
      `  ${(bytes / 1024).toFixed(1)} KB gzipped (limit ${MAX_BYTES / 1024} KB)`,
      ...slow.map(({ name }) => `  FAILED: ${name} takes more than ${MAX_MS} ms`),
      ...(bytes > MAX_BYTES ? ["  FAILED: the page is too large"] : []),
    ];
  } finally {
    await browser.close();
    child.kill("SIGINT");
    await once(child, "exit");
    rmSync(home, { recursive: true });
  }
}

async function startPage(
  home: string,
): Promise<{ readonly child: ChildProcess; readonly address: string }> {
  const bin = join(ROOT, "apps/caliban/dist/bin.js");
  const child = spawn(process.execPath, [bin, "page", "--no-open"], {
    cwd: join(home, "app"),
    env: { HOME: home, PATH: process.env["PATH"] },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const [chunk]: unknown[] = await once(child.stdout, "data");
  return { child, address: String(chunk).trim() };
}

/** Every file is read. */
async function timeFirst(page: Page): Promise<number> {
  const startMs = performance.now();
  await page.keyboard.press("2");
  await page.getByText("10,000 of 10,000 topics").waitFor();
  const ms = performance.now() - startMs;
  await page.keyboard.press("6");
  await page.getByText("Checking every topic…").waitFor({ state: "detached", timeout: 60_000 });
  return ms;
}

async function timeAll(page: Page): Promise<readonly Measurement[]> {
  const rows: Measurement[] = [];
  for (const interaction of INTERACTIONS) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++)
      times.push(await timeInteraction(page, interaction));
    rows.push(timing(interaction.name, median(times)));
  }
  return rows;
}

/** The server checks every topic meanwhile. */
async function timeWhileChecking(page: Page): Promise<readonly Measurement[]> {
  const opening = INTERACTIONS.find(({ name }) => name === "open a topic");
  if (opening === undefined) return [];
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await page.evaluate(`location.hash = "#/health"`);
    await page.waitForTimeout(20);
    times.push(await timeInteraction(page, { ...opening, prepare: stayThere }));
  }
  return [timing("open a topic while every topic is checked", median(times))];
}

async function stayThere(): Promise<void> {}

/** How long the page does not react when another program changes a topic. */
async function timeChanges(page: Page, home: string): Promise<readonly Measurement[]> {
  await page.evaluate(`location.hash = "#/topics"`);
  await page.waitForTimeout(500);
  const directory = join(
    home,
    `.local/share/caliban/projects/${home.slice(1).replaceAll("/", "-")}-app/memory`,
  );
  const longest: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const text = `changed in round ${round}`;
    await page.evaluate(`(() => {
      globalThis.longestMs = 0;
      let last = performance.now();
      const look = () => {
        const now = performance.now();
        globalThis.longestMs = Math.max(globalThis.longestMs, now - last);
        last = now;
        globalThis.frame = requestAnimationFrame(look);
      };
      cancelAnimationFrame(globalThis.frame);
      look();
    })()`);
    writeFileSync(
      join(directory, "fresh.md"),
      `---\nname: fresh\ndescription: ${text}\nmetadata:\n  type: project\n---\n\nNew.\n`,
    );
    await page.getByText(text).waitFor();
    longest.push(Number(await page.evaluate("globalThis.longestMs")));
  }
  return [timing("longest frame when another program changes a topic", median(longest))];
}
