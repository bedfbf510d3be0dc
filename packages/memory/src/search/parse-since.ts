import { checkArguments } from "../check-arguments.ts";
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Months and years have a fixed length, whatever the calendar says. */
const UNITS_MS: Readonly<Record<string, number>> = {
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
  m: 30 * DAY_MS,
  y: 365 * DAY_MS,
};

const SPAN =
  /^([1-9]\d{0,3}) ?(?:(h)(?:ours?)?|(d)(?:ays?)?|(w)(?:eeks?)?|(m)(?:onths?)?|(y)(?:ears?)?)(?: ago)?$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const TIME =
  /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?:[Zz]|([+-]\d\d):?(\d\d))?$/;

/** The formats that `parseSince` accepts, for messages. */
export const SINCE_FORMS =
  "a day (2026-10-01), a time (2026-10-01T09:30Z) or a span (12h, 7d, 2w, 3m for months, 1y)";

/**
 * Parses the start of a period until now: a day (`2026-10-01`, from midnight), a time (`2026-10-01T09:30`), both in UTC
 * unless a zone is given, or a span: `12h`, `7d`, `2w`, `3m` (30 days each), `1y` (365 days). `undefined` for anything
 * else and for future times.
 *
 * @example
 * import { parseSince } from "@caliban/memory/search";
 *
 * const nowMs = Date.parse("2026-10-08");
 * console.log(parseSince("7d", nowMs) === Date.parse("2026-10-01")); // true
 */
export function parseSince(text: string, nowMs: number): number | undefined {
  checkArguments("parseSince", { text, nowMs }, { text: "string", nowMs: "number" });
  const trimmed = text.trim();
  const sinceMs = spanStart(trimmed.toLowerCase(), nowMs) ?? instant(trimmed);
  return sinceMs === undefined || sinceMs > nowMs ? undefined : sinceMs;
}

function spanStart(text: string, nowMs: number): number | undefined {
  const [, count, ...units] = SPAN.exec(text) ?? [];
  const unitMs = UNITS_MS[units.find((unit) => unit !== undefined) ?? ""];
  return unitMs === undefined ? undefined : nowMs - Number(count) * unitMs;
}

function instant(text: string): number | undefined {
  if (DAY.test(text)) return exactDay(text);
  const [, day, time, hours = "+00", minutes = "00"] = TIME.exec(text) ?? [];
  if (day === undefined || time === undefined || exactDay(day) === undefined) return undefined;
  return known(Date.parse(`${day}T${time}${hours}:${minutes}`));
}

/** `Date.parse` does not reject a day that a month does not have, but moves it to the next month. */
function exactDay(day: string): number | undefined {
  const start = known(Date.parse(`${day}T00:00Z`));
  if (start === undefined) return undefined;
  return new Date(start).toISOString().startsWith(day) ? start : undefined;
}

function known(time: number): number | undefined {
  return Number.isNaN(time) ? undefined : time;
}
