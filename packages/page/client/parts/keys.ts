import { addressOf, goTo, VIEWS } from "../state/route.ts";

/** Whether a key belongs to the text that is being typed. */
function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement && target.matches("input:not([type=checkbox]), textarea, select")
  );
}

/** The keys that work in every view. */
export function listenForKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && event.target instanceof HTMLElement) event.target.blur();
    if (isTyping(event)) return;
    // A key that is held down moves through a list, and decides only once.
    if (event.repeat && STEPS[event.key] === undefined) return;
    const run = actionOf(event.key);
    if (run === undefined) return;
    event.preventDefault();
    run();
  });
}

const ACTIONS: Readonly<Record<string, (() => void) | undefined>> = {
  "?": () => goTo(addressOf("help")),
  "/": () => document.querySelector<HTMLElement>("[data-search]")?.focus(),
  p: () => document.querySelector<HTMLElement>("[data-switch]")?.focus(),
  s: selectRow,
};

function actionOf(key: string): (() => void) | undefined {
  const view = VIEWS[Number(key) - 1];
  if (view !== undefined) return () => goTo(addressOf(view));
  if (key === "0" && document.querySelector("[data-switch]") !== null)
    return () => goTo("#/projects");
  const action = Object.hasOwn(ACTIONS, key) ? ACTIONS[key] : undefined;
  if (action !== undefined) return action;
  const step = STEPS[key];
  if (step !== undefined) return () => moveFocus(step);
  const button = document.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  return button === null ? undefined : () => button.click();
}

const STEPS: Readonly<Record<string, number | undefined>> = {
  j: 1,
  ArrowDown: 1,
  k: -1,
  ArrowUp: -1,
};

/** Moves through the rows of a list; from outside of it, to the one that is open. */
function moveFocus(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")].filter(isShown);
  const focused = rows.findIndex((row) => row.contains(document.activeElement));
  const at = focused === -1 ? rows.findIndex((row) => row.ariaCurrent === "true") : focused;
  const next = at === -1 ? (step > 0 ? 0 : rows.length - 1) : at + step;
  rows[Math.max(0, Math.min(rows.length - 1, next))]?.focus();
}

/** A list next to what is open is hidden on a narrow screen. */
function isShown(row: HTMLElement): boolean {
  return row.offsetParent !== null;
}

/** Selects or deselects the row that has the focus. */
function selectRow(): void {
  document.activeElement
    ?.closest("li")
    ?.querySelector<HTMLInputElement>("input[type=checkbox]")
    ?.click();
}
