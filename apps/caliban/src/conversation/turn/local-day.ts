/** The day on the user's calendar: `2026-11-18`. */
export function localDay(nowMs: number): string {
  const offsetMs = new Date(nowMs).getTimezoneOffset() * 60_000;
  return new Date(nowMs - offsetMs).toISOString().slice(0, 10);
}
