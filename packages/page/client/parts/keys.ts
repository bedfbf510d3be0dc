import { goTo, VIEWS } from "../state/route.ts";

/** Whether a key belongs to the text that is being typed. */
function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select");
}

/** The keys that work in every view. */
export function listenForKeys(showHelp: () => void): void {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && event.target instanceof HTMLElement) event.target.blur();
    if (isTyping(event)) return;
    const run = actionOf(event.key, showHelp);
    if (run === undefined) return;
    event.preventDefault();
    run();
  });
}

function actionOf(key: string, showHelp: () => void): (() => void) | undefined {
  const view = VIEWS[Number(key) - 1];
  if (view !== undefined) return () => goTo(`#/${view}`);
  if (key === "?") return showHelp;
  if (key === "/") return () => document.querySelector<HTMLElement>("[data-search]")?.focus();
  const step = STEPS[key];
  if (step !== undefined) return () => moveFocus(step);
  const button = document.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  return button === null ? undefined : () => button.click();
}

const STEPS: Readonly<Record<string, number | undefined>> = {
  j: 1,
  ArrowDown: 1,
  ArrowRight: 1,
  k: -1,
  ArrowUp: -1,
  ArrowLeft: -1,
};

/** Moves through the rows of a list. */
function moveFocus(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
  const at = rows.findIndex((row) => row === document.activeElement);
  const next = at === -1 ? (step > 0 ? 0 : rows.length - 1) : at + step;
  rows[Math.max(0, Math.min(rows.length - 1, next))]?.focus();
}
