import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import { seriousFindings, type WatchedPage, watchedPage } from "./browser.ts";
import { type RunningPage, startPage } from "./memory-page.ts";
import type { TestHome } from "./run-caliban.ts";

/** A page that is served and shown. */
export interface OpenedPage extends WatchedPage {
  readonly running: RunningPage;
  readonly origin: string;
}

/** Starts `caliban page` and shows it. */
export async function openPage(
  browser: Browser,
  user: TestHome,
  args: readonly string[] = [],
): Promise<OpenedPage> {
  const running = await startPage(user, args);
  const watched = await watchedPage(browser, { origin: running.origin });
  await watched.page.goto(running.address);
  await watched.page.getByRole("heading", { level: 1 }).waitFor();
  return { ...watched, running, origin: running.origin };
}

/** Opens a topic from the list with keys. */
export async function openTopic(page: Page, slug: string, words = slug): Promise<void> {
  await page.keyboard.press("2");
  await page.getByText(/of \d+ topics/).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.press("Control+A");
  await page.keyboard.type(words);
  await page.getByText(/^1 of \d+ topics/).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 2, name: slug }).waitFor();
}

/** Everything fits, and nothing keeps people from using it. */
export async function checkPage(page: Page, name: string): Promise<void> {
  const tooWide = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
  const findings = await seriousFindings(page);
  expect({ name, findings, isTooWide: Number(tooWide) > 0 }).toEqual({
    name,
    findings: [],
    isTooWide: false,
  });
}

/** Nothing of the view is still on its way. */
export async function untilLoaded(page: Page): Promise<void> {
  const waiting = page.getByText(/^(?:Loading…|Checking every topic…)$/);
  await expect.poll(async () => await waiting.count(), { timeout: 10_000 }).toBe(0);
}
