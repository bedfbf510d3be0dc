import type { WatchedPage } from "../../test/support/browser.ts";

/** A tab. Only the tests have the types of the browser. */
export type Page = WatchedPage["page"];

/** Something that the user does, and what shows that it is done. */
export interface Interaction {
  readonly name: string;
  /** Brings the page to where it begins. */
  readonly prepare: (page: Page) => Promise<void>;
  /** JavaScript that does it. */
  readonly act: string;
  /** A JavaScript expression that is true once it is done. */
  readonly isDone: string;
}

const key = (name: string): string =>
  `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: ${JSON.stringify(name)}, bubbles: true }))`;
const heading = (text: string): string =>
  `document.querySelector("h1")?.textContent === ${JSON.stringify(text)}`;
const status = (pattern: string): string =>
  `/${pattern}/.test(document.querySelector(".list p[role=status]")?.textContent ?? "")`;
const type = (selector: string, text: string): string =>
  `(() => { const field = document.querySelector(${JSON.stringify(selector)}); field.value = ${JSON.stringify(text)}; field.dispatchEvent(new Event(field.matches("select") ? "change" : "input", { bubbles: true })); })()`;

async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await page.waitForTimeout(150);
}

async function goToList(page: Page): Promise<void> {
  await goTo(page, "#/topics");
  await page.evaluate(type("[data-search]", ""));
  await page.waitForTimeout(150);
}

export const INTERACTIONS: readonly Interaction[] = [
  {
    name: "open Topics",
    prepare: async (page) => await goTo(page, "#/search"),
    act: key("2"),
    isDone: `${heading("Topics")} && document.querySelectorAll(".rows li").length > 100`,
  },
  {
    name: "search in the list",
    prepare: goToList,
    act: type("[data-search]", "number 99"),
    isDone: status("^280 of"),
  },
  {
    name: "clear the search",
    prepare: async (page) => {
      await goToList(page);
      await page.evaluate(type("[data-search]", "number 99"));
      await page.waitForTimeout(150);
    },
    act: type("[data-search]", ""),
    isDone: status("^10,000 of"),
  },
  {
    name: "sort the list by name",
    prepare: async (page) => {
      await goToList(page);
      await page.evaluate(type("form.filters select", "newest"));
      await page.waitForTimeout(150);
    },
    act: type("form.filters select", "name"),
    isDone: `document.querySelector(".rows strong")?.textContent === "topic-0"`,
  },
  {
    name: "move to the next row",
    prepare: goToList,
    act: key("j"),
    isDone: `document.activeElement.matches("[data-row]")`,
  },
  {
    name: "open a topic",
    prepare: async (page) => {
      await goToList(page);
      await goTo(page, "#/topics");
    },
    act: `location.hash = "#/topics/project/topic-" + (globalThis.opened = (globalThis.opened ?? 100) + 1)`,
    isDone: `document.querySelector(".detail h2")?.textContent === "topic-" + globalThis.opened`,
  },
  {
    name: "select a topic",
    prepare: goToList,
    act: `document.querySelector(".rows input[type=checkbox]").click()`,
    isDone: `document.querySelector(".selected") !== null || document.querySelector(".rows input:checked") === null`,
  },
  {
    name: "open the Timeline",
    prepare: async (page) => await goTo(page, "#/search"),
    act: key("4"),
    isDone: heading("Timeline"),
  },
  {
    name: "open Health",
    prepare: async (page) => await goTo(page, "#/search"),
    act: key("6"),
    isDone: `${heading("Health")} && document.querySelectorAll(".sizes meter").length > 0`,
  },
];

const GIVE_UP_MS = 10_000;

/** From the event to the frame that shows its result. */
export async function timeInteraction(
  page: Page,
  { name, prepare, act, isDone }: Interaction,
): Promise<number> {
  await prepare(page);
  const ms: unknown = await page.evaluate(`new Promise((resolve) => {
    const startMs = performance.now();
    ${act};
    const look = () => {
      if (${isDone}) requestAnimationFrame(() => resolve(performance.now() - startMs));
      else if (performance.now() - startMs > ${GIVE_UP_MS}) resolve(-1);
      else requestAnimationFrame(look);
    };
    look();
  })`);
  if (ms === -1) throw new Error(`nothing came of: ${name}`);
  return Number(ms);
}
