import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser, launchBrowser, watchedPage } from "./support/browser.ts";
import { learn } from "./support/learned-memory.ts";
import { checkPage, openPage, openTopic, untilLoaded } from "./support/memory-page-browser.ts";
import { homeWithMemory } from "./support/memory-page.ts";
import { gitDirectory, writeFiles } from "./support/write-files.ts";

const canRun = await hasBrowser();

let browser: Browser;

describe.skipIf(!canRun)("the views of the memory page", () => {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(async () => await browser.close());

  it("shows and changes every project with --all, with keys alone", async () => {
    const user = await homeWithMemory();
    await writeFiles(user.home, { ...gitDirectory("shop"), ...gitDirectory("gone") });
    for (const project of ["shop", "gone"])
      await writeIn(user, project, ["hosting", "--text", `Where ${project} runs.`]);
    await rename(join(user.home, "gone"), join(user.home, "moved"));
    const { page, problems } = await openPage(browser, user, ["--all"]);
    await page.getByRole("heading", { level: 1, name: "Projects" }).waitFor();
    await page.getByText("3 of 3 projects").waitFor();
    await page.getByText("its directory no longer exists").waitFor();
    await checkPage(page, "projects");
    await page.keyboard.press("/");
    await page.keyboard.type("shop");
    await page.getByText("1 of 3 projects").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByText("Where shop runs.").waitFor();
    expect(page.url()).toMatch(/#\/@[0-9a-f]{12}\/topics$/);
    expect(page.url()).not.toContain("shop");
    // The user's own topics hold in every project.
    await page.getByText("2 of 2 topics").waitFor();
    await writeIn(user, "shop", ["invoices", "--text", "Sent on Fridays."]);
    await page.getByText("Sent on Fridays.").waitFor();
    await openTopic(page, "hosting");
    await page.keyboard.press("e");
    await page.getByLabel("File").waitFor();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("In two regions.");
    await page.keyboard.press("Control+Enter");
    await page.getByText("In two regions.").waitFor();
    const shown = await user.run(["memory", "show", "hosting", "--workspace", "../shop"]);
    expect(shown.stdout).toContain("In two regions.");
    await page.keyboard.press("p");
    await page.getByRole("combobox", { name: "Project" }).selectOption("~/app");
    await page.getByText("4 of 4 topics").waitFor();
    expect(problems).toEqual([]);
  });

  it("draws the topics around a topic, and opens them from the drawing", async () => {
    const user = await homeWithMemory();
    const directory = (await user.run(["memory", "path"])).stdout.trim();
    const links = Array.from({ length: 40 }, (_, at) => `[[far-${at}]]`).join(" ");
    await writeFile(join(directory, "hub.md"), topicText("A hub", `See [[deploy]] ${links}`));
    const { page } = await openPage(browser, user);
    await openTopic(page, "deploy");
    const drawing = page.getByRole("group", { name: "Linked topics" });
    await drawing.getByRole("link", { name: "ports, linked from this topic" }).focus();
    await drawing.getByRole("link", { name: "hub, links to this topic" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 2, name: "ports" }).waitFor();
    await drawing.getByRole("link", { name: "deploy, links to this topic" }).waitFor();
    await openTopic(page, "hub");
    await page.getByText("and 12 more").waitFor();
    // The drawing follows when its width is known.
    await drawing.locator(".node").first().waitFor();
    expect(await drawing.locator(".node").count()).toBe(30);
    expect(await drawing.locator(".node.missing").count()).toBe(28);
    await checkPage(page, "links");
  });

  it("marks the part of the prompt that stays the same when something is remembered", async () => {
    const user = await homeWithMemory();
    const { page } = await openPage(browser, user);
    const stable = page.locator(".tile.stable");
    await stable.first().waitFor();
    expect(await stable.locator("strong").allTextContents()).toEqual(["CLAUDE.md", "CLAUDE.md"]);
    const tokens = page.locator(".figures div", { hasText: "cache-stable" }).locator("dd");
    const before = await tokens.textContent();
    const prompt = async (): Promise<string> => (await user.run(["prompt"])).stdout;
    const first = await prompt();
    await user.run(["memory", "write", "fresh", "--text", "Just written."]);
    await page.locator(".figures div", { hasText: "in the prompt" }).waitFor();
    expect(await tokens.textContent()).toBe(before);
    const end = first.indexOf("<auto-memory-index");
    expect((await prompt()).slice(0, end)).toBe(first.slice(0, end));
    expect(await prompt()).not.toBe(first);
  });

  it("shows generations of learned memory with their changes, and goes back to the one before", async () => {
    const user = await homeWithMemory();
    const directory = await learn(user, ["- Use npm.\n", "- Use pnpm.\n"]);
    const { page } = await openPage(browser, user);
    await page.keyboard.press("4");
    await page.getByRole("link", { name: /learned generation 2/ }).press("Enter");
    await page.getByRole("heading", { name: "Learned memory, generation 2" }).waitFor();
    await page.locator(".diff .removed", { hasText: "Use npm." }).first().waitFor();
    await page.locator(".diff .added", { hasText: "Use pnpm." }).first().waitFor();
    await checkPage(page, "generation");
    await page.keyboard.press("u");
    await page.getByText("new sessions use generation 1 again").waitFor();
    expect(await readFile(join(directory, "current"), "utf8")).toBe("1\n");
    await page.getByText("not used by new sessions").waitFor();
  });

  it("shows what learning costs, sizes, changed evidence and topics that no session used", async () => {
    const user = await homeWithMemory();
    await learn(user, ["- Use npm.\n", "- Use pnpm.\n"]);
    const directory = (await user.run(["memory", "path"])).stdout.trim();
    const evidence = `evidence: [{"path": "src/server.ts", "sha256": "${"0".repeat(64)}", "snippet": "PORT = 9090"}]\n`;
    const text = topicText("The port is 9090", "See src/server.ts.");
    await writeFile(join(directory, "port.md"), text.replace("metadata", `${evidence}metadata`));
    const sessions = Array.from({ length: 50 }, (_, at) => `20990101-10${10 + at}00-abcd`);
    await writeFiles(user.home, {
      [`.local/state/caliban/use/${user.slug}.json`]: '{"version":1,"sinceMs":0,"memories":{}}',
      ...Object.fromEntries(
        sessions.map((id) => [
          `.local/share/caliban/projects/${user.slug}/sessions/${id}.jsonl`,
          "",
        ]),
      ),
    });
    const { page, problems } = await openPage(browser, user);
    await page.keyboard.press("6");
    await untilLoaded(page);
    const section = (name: string) =>
      page.locator("section", { has: page.getByRole("heading", { level: 2, name }) });
    await section("Changed evidence").getByText("is not in src/server.ts any more").waitFor();
    await section("Size")
      .getByText(/of 32,000 tokens/)
      .waitFor();
    await section("Size").getByText("nearly full").waitFor();
    await section("Unused topics").getByText("not used in 50 sessions").first().waitFor();
    const costs = section("Cost of learning");
    await costs.getByText("9,200 in all").waitFor();
    await costs.getByText("As a table").press("Enter");
    const row = costs.getByRole("row", { name: /8,000 100 1 the model did not answer/ });
    await row.waitFor();
    await checkPage(page, "health");
    await page.keyboard.press("2");
    await page.getByText("evidence changed").waitFor();
    expect(problems).toEqual([]);
  });

  it("deletes several topics with keys, and brings them back", async () => {
    const user = await homeWithMemory();
    const { page } = await openPage(browser, user);
    await page.keyboard.press("2");
    await page.getByText("4 of 4 topics").waitFor();
    for (let row = 0; row < 4; row++) {
      await page.keyboard.press("j");
      await page.keyboard.press("s");
    }
    await page.getByText("4 selected").waitFor();
    await checkPage(page, "selected");
    await page.keyboard.press("D");
    await page.getByText("deleted 4 topics").waitFor();
    await page.getByText("No topics yet").waitFor();
    expect((await user.run(["memory", "list"])).stdout).not.toContain("deploy");
    await page.keyboard.press("z");
    await page.getByText("undid 4 changes").waitFor();
    expect((await user.run(["memory", "show", "deploy"])).stdout).toContain("pnpm ship");
    expect((await user.run(["memory", "show", "tabs", "--user"])).stdout).toContain("tabs");
  });

  it("rejects several proposals with keys", async () => {
    const user = await homeWithMemory();
    const { page } = await openPage(browser, user);
    await page.keyboard.press("3");
    await page.getByRole("heading", { level: 2, name: "write release-notes" }).waitFor();
    await page.keyboard.press("k");
    await page.keyboard.press("s");
    await page.keyboard.press("j");
    await page.keyboard.press("s");
    await page.getByText("2 selected").waitFor();
    await page.keyboard.press("X");
    await page.getByText("rejected 2 proposals").waitFor();
    await page.getByText("The inbox is empty.").waitFor();
    expect((await user.run(["memory", "inbox"])).stdout).not.toContain("release-notes");
  });

  it("loses nothing when two tabs edit the same topic", async () => {
    const user = await homeWithMemory();
    const { page: one, running, origin, context } = await openPage(browser, user);
    const other = await context.newPage();
    await other.goto(running.address);
    for (const [tab, text] of [
      [one, "From one."],
      [other, "From the other."],
    ] as const) {
      await openTopic(tab, "ports", "8080");
      await tab.keyboard.press("e");
      await tab.getByLabel("File").waitFor();
      await tab.keyboard.press("Control+End");
      await tab.keyboard.type(text);
    }
    await one.keyboard.press("Control+Enter");
    await one.getByText("saved ports").waitFor();
    await other.getByText("Someone else changed this topic").waitFor();
    await other.keyboard.press("Control+Enter");
    await other.getByRole("heading", { name: "The topic was changed meanwhile" }).waitFor();
    expect(await other.locator(".conflict pre").textContent()).toContain("From one.");
    expect(await other.getByLabel("File").inputValue()).toContain("From the other.");
    await other.locator(".conflict .diff .removed", { hasText: "From one." }).waitFor();
    expect((await user.run(["memory", "show", "ports"])).stdout).toContain("From one.");
    // A third tab has no token: each tab gets its own from the address.
    const third = await watchedPage(browser, { origin });
    await third.page.goto(`${origin}#/topics`);
    await third.page.getByText("This address needs its token").waitFor();
  });

  it("keeps a new topic that is not saved yet, and never replaces an existing one with it", async () => {
    const user = await homeWithMemory();
    const { page } = await openPage(browser, user);
    await page.keyboard.press("2");
    await page.getByText("4 of 4 topics").waitFor();
    await page.keyboard.press("n");
    await page.getByLabel("File").waitFor();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("Half of a thought.");
    await page.getByRole("textbox", { name: "Name" }).fill("ports");
    await page.getByRole("link", { name: "Health" }).press("Enter");
    await page.getByRole("heading", { level: 1, name: "Health" }).waitFor();
    await page.goBack();
    await page.getByLabel("File").waitFor();
    expect(await page.getByLabel("File").inputValue()).toContain("Half of a thought.");
    await page.getByLabel("File").press("Control+Enter");
    await page.getByText("A topic ports already exists.").waitFor();
    expect((await user.run(["memory", "show", "ports"])).stdout).toContain("8080");
    await page.getByRole("textbox", { name: "Name" }).fill("thoughts");
    await page.getByLabel("File").press("Control+Enter");
    await page.getByRole("heading", { level: 2, name: "thoughts" }).waitFor();
    expect((await user.run(["memory", "show", "thoughts"])).stdout).toContain("Half of a thought.");
  });

  it("lists and opens topics with names in 40 scripts", async () => {
    const user = await homeWithMemory();
    const directory = (await user.run(["memory", "path"])).stdout.trim();
    for (const name of NAMES) await writeFile(join(directory, `${name}.md`), topicText(name, name));
    const { page, origin, problems } = await openPage(browser, user);
    await page.keyboard.press("2");
    await page.getByText(`${NAMES.length + 4} of ${NAMES.length + 4} topics`).waitFor();
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await checkPage(page, `scripts ${width}`);
    }
    for (const name of NAMES) {
      await page.goto(`${origin}#/topics/project/${encodeURIComponent(name)}`);
      await page.getByRole("heading", { level: 2, name, exact: true }).waitFor();
    }
    expect(problems).toEqual([]);
  });
});

async function writeIn(
  user: Awaited<ReturnType<typeof homeWithMemory>>,
  project: string,
  args: readonly string[],
): Promise<void> {
  const { exitCode, stderr } = await user.run([
    "memory",
    "write",
    ...args,
    "--workspace",
    `../${project}`,
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
}

function topicText(description: string, body: string): string {
  return `---\ndescription: ${JSON.stringify(description)}\nmetadata:\n  type: project\n---\n\n${body}\n`;
}

const NAMES = [
  "deployment",
  "развёртывание",
  "ανάπτυξη",
  "տեղակայում",
  "გაშვება",
  "פריסה",
  "نشر",
  "ߟߊߞߎߟߎ",
  "ܦܪܝܣܐ",
  "ކުރުން",
  "तैनाती",
  "স্থাপনা",
  "ਤੈਨਾਤੀ",
  "જમાવટ",
  "ନିୟୋଜନ",
  "பயன்பாடு",
  "అమలు",
  "ನಿಯೋಜನೆ",
  "വിന്യാസം",
  "යෙදවීම",
  "ปรับใช้",
  "ນຳໃຊ້",
  "བཀོད་སྒྲིག",
  "ဖြန့်ကျက်",
  "ማሰማራት",
  "ᏗᎪᎵᏰᏗ",
  "ᐱᓕᕆᐊᖅ",
  "ដាក់ពង្រាយ",
  "ᠪᠠᠢᠷᠢᠰᠢᠯ",
  "部署",
  "デプロイ",
  "はいび",
  "배포",
  "ㄅㄨˋㄕㄨˇ",
  "ꀀꀁꀂ",
  "ⴰⵙⵎⴰⵔ",
  "ꕙꔤꕯ",
  "ᱵᱮᱵᱷᱟᱨ",
  "ꤊꤢꤛꤢ",
  "ⲡⲣⲱⲙⲉ",
  "𐐔𐐯𐐹𐑊𐐫𐐮",
  "ᜎᜓᜈᜐ",
];
