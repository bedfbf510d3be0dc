const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A month and a year are as many days, whatever the calendar says. */
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

/** What `parseSince` understands, for messages. */
export const SINCE_FORMS =
  "a day (2026-10-01), a time (2026-10-01T09:30Z) or a span (12h, 7d, 2w, 3m for months, 1y)";

/**
 * The beginning of a time up to now: a day (`2026-10-01`, from midnight on) or a time (`2026-10-01T09:30`), in UTC unless it has a zone,
 * or a span before now: `12h`, `7d`, `2w`, `3m` (30 days each), `1y` (365 days). `undefined` for anything else, and for what is yet to come.
 */
export function parseSince(text: string, nowMs: number): number | undefined {
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

/** Days that no month has are moved on by `Date.parse`, not refused. */
function exactDay(day: string): number | undefined {
  const start = known(Date.parse(`${day}T00:00Z`));
  if (start === undefined) return undefined;
  return new Date(start).toISOString().startsWith(day) ? start : undefined;
}

function known(time: number): number | undefined {
  return Number.isNaN(time) ? undefined : time;
}
