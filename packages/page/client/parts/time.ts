/** A time as the user's clock shows it. */
export function shortTime(time: number | string): string {
  return new Date(time).toLocaleString("sv-SE", { dateStyle: "short", timeStyle: "short" });
}

const DAY_MS = 86_400_000;

/** How long ago something was. */
export function age(ms: number): string {
  const days = Math.floor((Date.now() - ms) / DAY_MS);
  if (days < 1) return "today";
  return days === 1 ? "1 day" : `${days} days`;
}
