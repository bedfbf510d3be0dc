import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser, launchBrowser } from "./support/browser.ts";
import { openPage } from "./support/memory-page-browser.ts";
import { homeWithMemory, sendRaw, startPage } from "./support/memory-page.ts";

const canRun = await hasBrowser();

let browser: Browser;

describe.skipIf(!canRun)("tabs of the memory page", () => {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(async () => await browser.close());

  it("answers in the eighth tab, and a tab that is shown again has what changed meanwhile", async () => {
    const user = await homeWithMemory();
    const { page: first, running, context } = await openPage(browser, user);
    await first.keyboard.press("2");
    await first.getByText("4 of 4 topics").waitFor();
    await setHidden(first, true);
    for (let tab = 2; tab < 8; tab++) {
      const page = await context.newPage();
      await page.goto(running.address);
      await page.getByText(/of 32,000 tokens/).waitFor();
      await setHidden(page, true);
    }
    const last = await context.newPage();
    await last.goto(running.address);
    await last.keyboard.press("2");
    await last.getByText("4 of 4 topics").waitFor();
    await user.run(["memory", "write", "fresh", "--text", "Just written."]);
    await last.getByText("Just written.").waitFor();
    expect(await first.getByText("Just written.").count()).toBe(0);
    await setHidden(first, false);
    await first.getByText("Just written.").waitFor();
    expect(await first.getByRole("alert").count()).toBe(0);
  });

  it("begins again when the address of a new start on the same port is opened in the same tab", async () => {
    const user = await homeWithMemory();
    const { page, running } = await openPage(browser, user);
    await running.stop();
    await page.getByText("The page was stopped.").waitFor();
    const again = await startPage(user, ["--port", String(running.port)]);
    await page.goto(again.address);
    await page.getByText("The page was stopped.").waitFor({ state: "detached" });
    await user.run(["memory", "write", "fresh", "--text", "Just written."]);
    await page.keyboard.press("2");
    await page.getByText("Just written.").waitFor();
    expect(page.url()).not.toContain(again.token);
  });

  it("decides on one proposal however long the key is held, and forgets an edit that is canceled", async () => {
    const user = await homeWithMemory();
    const { page } = await openPage(browser, user);
    await page.keyboard.press("3");
    await page.getByRole("heading", { level: 2, name: "write release-notes" }).waitFor();
    await page.keyboard.press("e");
    await page.getByLabel("Text").fill("Something else.");
    await page.getByRole("button", { name: "Cancel" }).press("Enter");
    await page.getByLabel("Text").waitFor({ state: "detached" });
    await page.keyboard.down("a");
    await page.getByText("saved release-notes").waitFor();
    await page.getByRole("heading", { level: 2, name: "delete old-notes" }).waitFor();
    await page.keyboard.down("a");
    await page.keyboard.down("a");
    await page.keyboard.up("a");
    await page.keyboard.press("4");
    await page.getByRole("link", { name: /^write release-notes/ }).waitFor();
    expect(await page.getByRole("link", { name: /^remove old-notes/ }).count()).toBe(0);
    expect((await user.run(["memory", "show", "release-notes"])).stdout).not.toContain("else");
  });

  it("shows the score of a word that is in every topic", async () => {
    const user = await homeWithMemory();
    for (let at = 0; at < 30; at++)
      await user.run(["memory", "write", `port-${at}`, "--text", `The API of part ${at}.`]);
    const { page, origin } = await openPage(browser, user);
    await page.goto(`${origin}#/search?q=api`);
    const scores = page.getByText(/score \d/);
    await scores.first().waitFor();
    expect((await scores.allTextContents()).join()).not.toMatch(/score 0\.00\b/);
  });
});

/** What the browser tells a tab that another one covers. Tabs that are driven by a test are always visible. */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, "hidden", { configurable: true, value: ${isHidden} });
    document.dispatchEvent(new Event("visibilitychange"));
  `);
}

it("undoes the other changes when one of them cannot be undone, and says which", async () => {
  const user = await homeWithMemory();
  const page = await startPage(user);
  const ask = async (path: string, body?: object): Promise<Record<string, unknown>> => {
    const headers = {
      authorization: `Bearer ${page.token}`,
      "content-type": "application/json",
    };
    const post = { method: "POST", path: `/api/${path}`, headers, body: JSON.stringify(body) };
    const answer = await sendRaw(
      page,
      body === undefined ? { path: `/api/${path}`, headers } : post,
    );
    return JSON.parse(answer.text) as Record<string, unknown>;
  };
  const { rows } = (await ask("topics")) as { rows: { slug: string; updatedMs: number }[] };
  const seen = (slug: string) => rows.find((row) => row.slug === slug)?.updatedMs;
  const items = ["ports", "deploy", "old-notes"].map((id) => ({
    scope: "project",
    id,
    seenMs: seen(id),
  }));
  const removed = await ask("topics/remove", { items });
  expect(removed).toMatchObject({ done: 3, failed: [] });
  await user.run(["memory", "write", "deploy", "--text", "We deploy with make."]);
  const undone = await ask("changes/undo", { items: removed["changes"] });
  expect(undone).toMatchObject({
    kind: "batch",
    done: 2,
    failed: [{ message: expect.stringContaining("deploy") }],
  });
  expect((await user.run(["memory", "show", "deploy"])).stdout).toContain("make");
  expect((await user.run(["memory", "show", "old-notes"])).stdout).toContain("old release");
});
