import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../scripts/workspace.mjs";
import { hasBrowser, launchBrowser, watchedPage } from "./support/browser.ts";
import { homeWithMemory, startPage } from "./support/memory-page.ts";
import { enrichForPictures } from "./support/picture-home.ts";
import { checkPage, openPage, openTopic, untilLoaded } from "./support/memory-page-browser.ts";

const canRun = await hasBrowser();
if (!canRun)
  process.stderr.write("The tests of the memory page are skipped: Chromium cannot start here.\n");

const SIZES = [
  { width: 360, height: 740, colorScheme: "dark" },
  { width: 1280, height: 800, colorScheme: "light" },
  { width: 2560, height: 1300, colorScheme: "dark" },
] as const;

const VIEWS = ["Prompt", "Topics", "Inbox", "Timeline", "Search", "Health"] as const;

/** `CALIBAN_SCREENSHOTS=1` writes the pictures of docs/page.md. Fonts differ between machines, so no test compares them. */
const writesPictures = process.env["CALIBAN_SCREENSHOTS"] === "1";

let browser: Browser;

describe.skipIf(!canRun)("the memory page in Chromium", () => {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(async () => await browser.close());

  it("shows every view at every size, with keys alone, without serious findings of axe", async () => {
    const user = await homeWithMemory();
    if (writesPictures) await enrichForPictures(user);
    const { address, origin, token } = await startPage(user);
    for (const size of SIZES) {
      const { page, problems, foreignRequests, context } = await watchedPage(browser, {
        origin,
        ...size,
      });
      await page.goto(address);
      for (const [at, view] of VIEWS.entries()) {
        await page.keyboard.press(String(at + 1));
        await page.getByRole("heading", { level: 1, name: view }).waitFor();
        await untilLoaded(page);
        if (view === "Inbox") await page.getByRole("button", { name: "Accept a" }).waitFor();
        await checkPage(page, `${view} ${size.width}`);
        await takePicture(page, size.width, view);
      }
      if (writesPictures) await page.goto(`${origin}#/topics/project/deploy`);
      else await openTopic(page, "deploy");
      await page.getByRole("group", { name: "Linked topics" }).waitFor();
      await checkPage(page, `topic ${size.width}`);
      await takePicture(page, size.width, "Topic");
      await page.keyboard.press("e");
      await page.getByLabel("File").waitFor();
      await checkPage(page, `editor ${size.width}`);
      await page.goto(`${origin}#/search?q=deploy`);
      await page.getByText("score").first().waitFor();
      await checkPage(page, `hits ${size.width}`);
      await takePicture(page, size.width, "Hits");
      expect(await page.evaluate("location.href + document.title")).not.toContain(token);
      expect({ problems, foreignRequests }).toEqual({ problems: [], foreignRequests: [] });
      await context.close();
    }
  });

  it("shows exactly what the model reads, and searches and finds notes", async () => {
    const user = await homeWithMemory();
    const { page } = await openPage(browser, user);
    await page.getByRole("link", { name: /^CLAUDE\.md project/ }).focus();
    await page.keyboard.press("Enter");
    const shown = await page.locator("pre.text").textContent();
    expect(shown).toMatch(/^<project-claude-md path=".*app\/CLAUDE\.md">\n# App/);
    const cut = page.locator(".tile.gray");
    expect(await cut.getAttribute("aria-label")).toMatch(
      /^CLAUDE\.md project, about \d+ tokens cut: OVER_BUDGET/,
    );
    const prompt = await user.run(["prompt"]);
    expect(prompt.stdout).toContain(shown);
    await page.keyboard.press("5");
    await page.keyboard.press("/");
    await page.keyboard.type("pnpm ship");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "deploy" }).waitFor();
    await page.getByRole("rowheader", { name: /“ship” in/ }).waitFor();
    await page
      .getByLabel(/^A file it reads/)
      .first()
      .focus();
    await page.getByRole("searchbox", { name: /^A file it reads/ }).fill("src/server.ts");
    await page.keyboard.press("Enter");
    await page.getByText("The API listens on 8080.").waitFor();
    await page.getByText("because the topic applies to it").waitFor();
  });

  it("edits, renames, moves and deletes a topic with keys, and undoes it", async () => {
    const user = await homeWithMemory();
    const { page } = await openPage(browser, user);
    await openTopic(page, "deploy");
    await page.keyboard.press("e");
    await page.getByLabel("File").waitFor();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("On Mondays only.");
    await page.keyboard.press("Control+Enter");
    await page.getByText("On Mondays only.").waitFor();
    expect(await user.run(["memory", "show", "deploy"])).toMatchObject({
      stdout: expect.stringContaining("On Mondays only."),
    });
    await page.keyboard.press("r");
    await page.getByLabel("New name").waitFor();
    await page.keyboard.press("Control+A");
    await page.keyboard.type("deploying");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 2, name: "deploying" }).waitFor();
    await page.keyboard.press("v");
    await page.getByText("yours, in every project").waitFor();
    expect((await user.run(["memory", "list", "--user"])).stdout).toContain("deploying");
    await page.keyboard.press("d");
    await page.getByText("deleted deploying").waitFor();
    expect((await user.run(["memory", "list", "--user"])).stdout).not.toContain("deploying");
    await page.keyboard.press("z");
    await page.getByText("undid remove of deploying").waitFor();
    expect((await user.run(["memory", "show", "deploying", "--user"])).stdout).toContain(
      "On Mondays only.",
    );
  });

  it("shows both versions when the command line changes a topic that is being edited", async () => {
    const user = await homeWithMemory();
    const { page } = await openPage(browser, user);
    await openTopic(page, "ports", "8080");
    await page.keyboard.press("e");
    await page.getByLabel("File").waitFor();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("Mine.");
    await user.run(["memory", "write", "ports", "--replace", "--text", "The API listens on 9090."]);
    await page.getByText("Someone else changed this topic").waitFor();
    // An edit is kept wherever the user goes.
    await page.getByRole("link", { name: "Health" }).press("Enter");
    await page.getByRole("heading", { level: 1, name: "Health" }).waitFor();
    await page.goBack();
    await page.getByLabel("File").waitFor();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("heading", { name: "The topic was changed meanwhile" }).waitFor();
    expect(await page.locator(".conflict pre").textContent()).toContain("9090");
    expect(await page.getByLabel("File").inputValue()).toContain("8080.\nMine.");
    expect((await user.run(["memory", "show", "ports"])).stdout).toContain("9090");
    await page.getByRole("button", { name: "Save mine" }).press("Enter");
    await page.getByText("saved ports").waitFor();
    expect((await user.run(["memory", "show", "ports"])).stdout).toContain("Mine.");
    // Nothing is lost: the other version is in the history.
    await page.keyboard.press("4");
    await page
      .getByRole("link", { name: /^edit ports/ })
      .first()
      .press("Enter");
    await page.locator(".diff .removed", { hasText: "9090" }).first().waitFor();
    await page.keyboard.press("u");
    await page.getByText("undid edit of ports").waitFor();
    expect((await user.run(["memory", "show", "ports"])).stdout).toContain("9090");
  });

  it("shows what another process does without being loaded again", async () => {
    const user = await homeWithMemory();
    const { page } = await openPage(browser, user);
    await page.keyboard.press("2");
    await page.getByText("4 of 4 topics").waitFor();
    await page.evaluate("globalThis.isSameDocument = true");
    await user.run(["memory", "write", "fresh", "--text", "Just written."]);
    await page.getByText("Just written.").waitFor();
    await user.run(["memory", "rm", "fresh", "--force"]);
    await page.getByText("Just written.").waitFor({ state: "detached" });
    expect(await page.evaluate("globalThis.isSameDocument")).toBe(true);
  });

  it("accepts an edited proposal and rejects another with keys", async () => {
    const user = await homeWithMemory();
    const { page } = await openPage(browser, user);
    await page.keyboard.press("3");
    await page.getByRole("heading", { level: 2, name: "write release-notes" }).waitFor();
    await page.getByText("20261117-101500-abcd").waitFor();
    await page.keyboard.press("e");
    await page.getByLabel("Text").waitFor();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("And sign it.");
    await page.keyboard.press("Control+Enter");
    await page.getByText("saved release-notes").waitFor();
    expect((await user.run(["memory", "show", "release-notes"])).stdout).toContain("And sign it.");
    await page.getByRole("heading", { level: 2, name: "delete old-notes" }).waitFor();
    await page.keyboard.press("x");
    await page.getByText("The inbox is empty.").waitFor();
    expect((await user.run(["memory", "list"])).stdout).toContain("old-notes");
  });

  it("lists problems of the topics and fixes them", async () => {
    const user = await homeWithMemory();
    const directory = (await user.run(["memory", "path"])).stdout.trim();
    await writeFile(join(directory, "MEMORY.md"), "- [gone](gone.md) — project: Gone.\n");
    const { page } = await openPage(browser, user);
    await page.keyboard.press("6");
    await page.getByText("The index has no line for deploy.").waitFor();
    await page.keyboard.press("f");
    await page.getByText("No problems found.").waitFor();
    expect((await user.run(["memory", "doctor"])).stdout).toContain("no problems found");
  });

  it("runs, loads and hides nothing of hostile topics", async () => {
    const user = await homeWithMemory();
    const directory = (await user.run(["memory", "path"])).stdout.trim();
    for (const [name, text] of Object.entries(HOSTILE))
      await writeFile(join(directory, `${name}.md`), text);
    const { page, origin, problems, foreignRequests } = await openPage(browser, user);
    await writeFile(join(directory, "huge.md"), topic("huge", "x".repeat(1_000_000)));
    for (const name of Object.keys(HOSTILE)) {
      await page.goto(`${origin}#/topics/project/${encodeURIComponent(name)}`);
      await page.getByRole("heading", { level: 2, name }).waitFor();
      await page.keyboard.press("b");
      await page.getByText(/of \d+ topics/).waitFor();
    }
    for (const key of ["1", "2", "4", "6"]) {
      await page.keyboard.press(key);
      await untilLoaded(page);
    }
    expect(await page.evaluate("globalThis.hacked")).toBeUndefined();
    expect(
      await page
        .locator("main script, main img, main svg:not([data-drawing]), main iframe, main style")
        .count(),
    ).toBe(0);
    expect(await page.locator('a[href^="javascript:" i], a[href^="data:" i]').count()).toBe(0);
    await page.goto(`${origin}#/topics/project/huge`);
    await page.getByRole("alert").filter({ hasText: "huge" }).waitFor();
    await page.goto(`${origin}#/topics/project/bidi`);
    await page
      .getByText(String.raw`\u{202e}`)
      .first()
      .waitFor();
    expect({ problems, foreignRequests }).toEqual({ problems: [], foreignRequests: [] });
  });

  it("exports one file without secrets and home paths that works without a server", async () => {
    const user = await homeWithMemory();
    const secret = ["ghp", "0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX"].join("_");
    await user.run([
      "memory",
      "write",
      "keys",
      "--allow-secrets",
      "--text",
      `Token ${secret} is in ${user.home}/app.`,
    ]);
    const { stdout, exitCode } = await user.run(["page", "--export", "memory.html"]);
    expect({ stdout, exitCode }).toEqual({ stdout: "wrote ~/app/memory.html\n", exitCode: 0 });
    const file = join(user.home, "app/memory.html");
    const text = await readFile(file, "utf8");
    expect(text).not.toContain(secret);
    expect(text).not.toContain(user.home);
    expect(text).not.toContain(user.slug);
    const { page, problems, foreignRequests } = await watchedPage(browser, { origin: "file://" });
    await page.goto(pathToFileURL(file).href);
    for (const view of ["Prompt", "Topics", "Inbox", "Timeline", "Health"]) {
      await page.getByRole("link", { name: new RegExp(`^${view}`) }).click();
      await page.getByRole("heading", { level: 1, name: view }).waitFor();
      await page.getByText("not part of the exported file").waitFor({ state: "detached" });
    }
    await page.goto(`${pathToFileURL(file).href}#/topics/project/deploy`);
    await page.getByText("pnpm ship").first().waitFor();
    expect(await page.getByRole("button").count()).toBe(0);
    expect({ problems, foreignRequests }).toEqual({ problems: [], foreignRequests: [] });
  });

  it("says what to do without a token, and after it was stopped", async () => {
    const user = await homeWithMemory();
    const { page, running } = await openPage(browser, user);
    const other = await watchedPage(browser, { origin: running.origin });
    await other.page.goto(running.origin);
    await other.page.getByText("This address needs its token. Run: caliban page").waitFor();
    expect((await running.stop()).exitCode).toBe(130);
    await page.getByText("The page was stopped. Start it again with: caliban page").waitFor();
  });
});

async function takePicture(page: Page, width: number, view: string): Promise<void> {
  const isShown =
    (width === 1280 && ["Prompt", "Topic", "Inbox", "Hits", "Health"].includes(view)) ||
    (width === 360 && view === "Topics");
  if (!writesPictures || !isShown) return;
  const directory = join(root, "docs/page");
  await mkdir(directory, { recursive: true });
  await page.screenshot({ path: join(directory, `${view.toLowerCase()}-${width}.png`) });
}

const HOSTILE: Readonly<Record<string, string>> = {
  script: topic(
    "<script>globalThis.hacked = 1</script>",
    "<script>globalThis.hacked = 1</script>\n<img src=x onerror='globalThis.hacked=1'>\n</pre></div><iframe src='https://evil.example'></iframe>",
  ),
  links: topic(
    "[a](javascript:globalThis.hacked=1)",
    "[a](javascript:globalThis.hacked=1) [b](JaVaScRiPt:alert(1)) [c](data:text/html,<script>1</script>) ![d](https://evil.example/x.png) <javascript:alert(1)> [[../../../etc/passwd]]",
  ),
  svg: topic(
    "<svg onload=globalThis.hacked=1>",
    "<svg onload=globalThis.hacked=1><script>globalThis.hacked=1</script></svg>\n<style>body{display:none}</style>\n<base href='https://evil.example'>",
  ),
  bidi: topic(
    "safe \u202Etxt.exe\u202C",
    "before \u202Ehidden\u2066 after \u0007 \u001B[31m red \u009B",
  ),
  line: topic("a long line", `${"x".repeat(100_000)}${"[".repeat(50_000)}${"*a".repeat(40_000)}`),
  rules: topic("many", `${"`".repeat(3)}\n${"> ".repeat(2_000)}\n${"- ".repeat(2_000)}`),
  scripts: topic(
    "Ω ж あ 한 中 ع ש ไ ก த ქ Ա አ",
    "Ω ж あ 한 中 ع ש ไ த ქ Ա አ 😀 e\u0301 \u200B\uFEFF",
  ),
};

function topic(description: string, body: string): string {
  return `---\nname: x\ndescription: ${JSON.stringify(description)}\nmetadata:\n  type: project\n---\n\n${body}\n`;
}
