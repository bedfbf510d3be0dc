/** A time as the user's clock shows it. */
export function shortTime(time: number | string): string {
  return new Date(time).toLocaleString("sv-SE", { dateStyle: "short", timeStyle: "short" });
}

/** `2026-11-19`, as the user's calendar shows it. */
export function dayOf(time: number | string): string {
  return new Date(time).toLocaleDateString("sv-SE");
}

/** `14:03` */
export function hourOf(time: number | string): string {
  return new Date(time).toLocaleTimeString("sv-SE", { timeStyle: "short" });
}

const DAY_MS = 86_400_000;

/** How long ago something was. */
export function age(ms: number): string {
  const days = Math.floor((Date.now() - ms) / DAY_MS);
  if (days < 1) return "today";
  return days === 1 ? "yesterday" : `${days} days ago`;
}

/** A number as people write it. */
export function count(number: number): string {
  return number.toLocaleString("en-US");
}

/** `4.21`; of a small number, what is left of it: `0.0016`. */
export function scoreText(score: number): string {
  return Math.abs(score) >= 0.1 || score === 0
    ? score.toFixed(2)
    : String(Number(score.toPrecision(2)));
}

/** `3 topics` */
export function countOf(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
}
