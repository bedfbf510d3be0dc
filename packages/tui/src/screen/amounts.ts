/** A number of tokens as people read it: `950`, `1.2k`, `34k`. */
export function shortCount(count: number): string {
  if (count < 1000) return String(Math.round(count));
  const thousands = count / 1000;
  return thousands < 10 ? `${thousands.toFixed(1)}k` : `${Math.round(thousands)}k`;
}

/** A time as people read it: `8s`, `1m 05s`. */
export function shortTime(elapsedMs: number): string {
  const seconds = Math.floor(elapsedMs / 1000);
  if (seconds < 60) return `${seconds}s`;
  return `${Math.floor(seconds / 60)}m ${String(seconds % 60).padStart(2, "0")}s`;
}
