import { createRequire } from "node:module";
import { userInfo } from "node:os";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { hasTool } from "./optional-tool.ts";

/** Starts a real Chromium: the one from npm on Linux, the installed Chrome elsewhere. */
export async function launchBrowser(): Promise<Browser> {
  const { default: playwright } = await import("playwright-core");
  // Chromium has no sandbox of its own for root.
  const args = userInfo().uid === 0 ? ["--no-sandbox"] : [];
  if (process.platform !== "linux" || process.arch !== "x64")
    return await playwright.chromium.launch({ channel: "chrome", args });
  const { default: chromium } = await import("@sparticuz/chromium");
  return await playwright.chromium.launch({
    executablePath: await chromium.executablePath(),
    args: [...args, "--headless", "--disable-gpu"],
  });
}

/** Whether Chromium can run here. */
export async function hasBrowser(): Promise<boolean> {
  return await hasTool("chromium", async () => {
    const browser = await launchBrowser();
    await browser.close();
  });
}

/** What a page did that it must not do. */
export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Requests to anything but the page's own server. */
  readonly foreignRequests: readonly string[];
  /** Errors of scripts, refused loads, and dialogs. */
  readonly problems: readonly string[];
}

/** Opens a tab that reports everything suspicious. */
export async function watchedPage(
  browser: Browser,
  { origin, width = 1280, height = 800, colorScheme = "light" }: WatchedPageInput,
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  const page = await context.newPage();
  const foreignRequests: string[] = [];
  const problems: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(origin)) foreignRequests.push(request.url());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    // A refused change is an answer like any other.
    if (message.type() === "error" && !/status of 4\d\d/.test(message.text()))
      problems.push(message.text());
  });
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { page, context, foreignRequests, problems };
}

interface WatchedPageInput {
  /** `http://127.0.0.1:50123/` */
  readonly origin: string;
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: "light" | "dark";
}

/** Findings of axe-core that keep people from using the page. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  const path = createRequire(import.meta.url).resolve("axe-core");
  const { readFile } = await import("node:fs/promises");
  // Through the debugger, which the policy of the page does not concern.
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: await readFile(path, "utf8") });
  const { result } = await session.send("Runtime.evaluate", {
    expression:
      'axe.run().then(({ violations }) => JSON.stringify(violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id, nodes }) => id + ": " + nodes.map(({ html, failureSummary }) => html + " " + failureSummary).join(" | "))))',
    awaitPromise: true,
  });
  await session.detach();
  return JSON.parse(String(result.value)) as readonly string[];
}
