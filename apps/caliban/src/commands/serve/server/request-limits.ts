import { createRateLimit, type RateLimit } from "@caliban/common/http";

/** How much one client may do. */
export interface ClientLimits {
  readonly requestsPerSecond: number;
  readonly changesPerMinute: number;
  readonly changesPerHour: number;
}

/** A few agents at work stay far below; a loop reaches it. */
export const DEFAULT_LIMITS: ClientLimits = {
  requestsPerSecond: 50,
  changesPerMinute: 120,
  changesPerHour: 1_000,
};

/** Counts the requests of each client. */
export interface RequestLimits {
  /** Counts a request. Returns why it is refused, if it is. */
  readonly count: (client: string, isChange: boolean) => string | undefined;
  /** Counts a request that was refused before its client was known; false if there are too many. */
  readonly countRefused: RateLimit;
}

interface ClientCounters {
  readonly request: RateLimit;
  readonly changeInMinute: RateLimit;
  readonly changeInHour: RateLimit;
}

/** How many requests may come at once, in seconds of the limit. */
const BURST_SECONDS = 4;
const REFUSED = { burst: 100, perSecond: 20 };

export function createRequestLimits(limits: ClientLimits, nowMs: () => number): RequestLimits {
  const clients = new Map<string, ClientCounters>();
  const countersOf = (client: string): ClientCounters => {
    const known = clients.get(client) ?? createCounters(limits, nowMs);
    clients.set(client, known);
    return known;
  };
  return {
    count: (client, isChange) => {
      const { request, changeInMinute, changeInHour } = countersOf(client);
      if (!request()) return `more than ${limits.requestsPerSecond} requests a second; slow down`;
      if (!isChange) return undefined;
      if (!changeInMinute())
        return `more than ${limits.changesPerMinute} changes a minute, which looks like a loop; wait a minute`;
      if (!changeInHour())
        return `more than ${limits.changesPerHour} changes an hour, which looks like a loop; continue later`;
      return undefined;
    },
    countRefused: createRateLimit({ ...REFUSED, nowMs }),
  };
}

function createCounters(
  { requestsPerSecond, changesPerMinute, changesPerHour }: ClientLimits,
  nowMs: () => number,
): ClientCounters {
  const requests = { burst: BURST_SECONDS * requestsPerSecond, perSecond: requestsPerSecond };
  return {
    request: createRateLimit({ ...requests, nowMs }),
    changeInMinute: createRateLimit({
      burst: changesPerMinute,
      perSecond: changesPerMinute / 60,
      nowMs,
    }),
    changeInHour: createRateLimit({
      burst: changesPerHour,
      perSecond: changesPerHour / 3_600,
      nowMs,
    }),
  };
}
