type Headers = Readonly<Record<string, string | undefined>>;

/** Longer than that is no pause but an outage, and a number nobody can wait for. */
const LONGEST_MS = 24 * 60 * 60 * 1000;

/** How long a provider wants to be left alone, by its headers or its words. */
export function readRetryAfter(headers: Headers | undefined, body: string): number | undefined {
  const milliseconds =
    inMilliseconds(headers?.["retry-after-ms"], 1) ??
    inMilliseconds(headers?.["retry-after"], 1000) ??
    untilDate(headers) ??
    inMilliseconds(/"retryDelay":\s*"([\d.]+)s"/.exec(body)?.[1], 1000);
  if (milliseconds === undefined || milliseconds < 0) return undefined;
  return Math.min(Math.ceil(milliseconds), LONGEST_MS);
}

function inMilliseconds(text: string | undefined, unit: number): number | undefined {
  return text !== undefined && /^\d+(?:\.\d+)?$/.test(text.trim())
    ? Number(text) * unit
    : undefined;
}

/** A date is held against the server's own clock; ours may be wrong. */
function untilDate(headers: Headers | undefined): number | undefined {
  const wait = Date.parse(headers?.["retry-after"] ?? "") - Date.parse(headers?.["date"] ?? "");
  return Number.isNaN(wait) ? undefined : wait;
}
