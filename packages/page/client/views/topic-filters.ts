import type { TopicRow } from "../../src/view/topic-view.ts";

/** What the list of topics is limited to. `all` sets no limit. */
export interface TopicFilters {
  readonly text: string;
  readonly type: string;
  readonly scope: string;
  readonly origin: string;
  readonly age: string;
  readonly evidence: string;
  readonly use: string;
  readonly sort: string;
}

const ALL = "all";

export const SORTS = ["newest", "oldest", "name", "most used", "largest"] as const;

export const NO_FILTERS: TopicFilters = {
  text: "",
  type: ALL,
  scope: ALL,
  origin: ALL,
  age: ALL,
  evidence: ALL,
  use: ALL,
  sort: SORTS[0],
};

export const FILTERS: readonly {
  readonly key: Exclude<keyof TopicFilters, "text" | "sort">;
  readonly label: string;
  readonly choices: readonly string[];
}[] = [
  {
    key: "type",
    label: "Type",
    choices: [ALL, "user", "feedback", "project", "reference", "untyped"],
  },
  { key: "scope", label: "Scope", choices: [ALL, "project", "user"] },
  {
    key: "origin",
    label: "Origin",
    choices: [ALL, "user", "agent", "tool", "web", "import", "other-agent", "unknown"],
  },
  { key: "age", label: "Age", choices: [ALL, "under 7 days", "over 30 days", "over 180 days"] },
  { key: "evidence", label: "Evidence", choices: [ALL, "ok", "doubtful", "none"] },
  { key: "use", label: "Use", choices: [ALL, "used", "never used"] },
];

const DAY_MS = 86_400_000;

/** The topics that match every filter, in the chosen order. */
export function filterTopics(
  rows: readonly TopicRow[],
  filters: TopicFilters,
  nowMs: number,
): readonly TopicRow[] {
  const words = filters.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return rows
    .filter((row) => {
      const days = (nowMs - row.updatedMs) / DAY_MS;
      const text = `${row.slug} ${row.description}`.toLowerCase();
      return (
        words.every((word) => text.includes(word)) &&
        isOneOf(filters.type, row.type ?? "untyped") &&
        isOneOf(filters.scope, row.scope) &&
        isOneOf(filters.origin, row.origin ?? "unknown") &&
        isOneOf(filters.evidence, evidenceOf(row)) &&
        isOneOf(filters.use, row.uses > 0 ? "used" : "never used") &&
        isOfAge(filters.age, days)
      );
    })
    .toSorted(ORDERS[filters.sort] ?? byTime);
}

/** What moved, changed or is gone needs a look. */
function evidenceOf({ evidence }: TopicRow): string {
  return evidence === "none" || evidence === "ok" ? evidence : "doubtful";
}

function isOneOf(filter: string, value: string): boolean {
  return filter === ALL || filter === value;
}

function isOfAge(filter: string, days: number): boolean {
  if (filter === "under 7 days") return days < 7;
  if (filter === "over 30 days") return days > 30;
  return filter === "over 180 days" ? days > 180 : true;
}

/** Much faster than `localeCompare` of each pair. */
const NAMES = new Intl.Collator();

type Order = (one: TopicRow, other: TopicRow) => number;

const byTime: Order = (one, other) => other.updatedMs - one.updatedMs;

const ORDERS: Readonly<Record<string, Order | undefined>> = {
  oldest: (one, other) => one.updatedMs - other.updatedMs,
  name: (one, other) => NAMES.compare(one.slug, other.slug),
  "most used": (one, other) => other.uses - one.uses,
  largest: (one, other) => other.bytes - one.bytes,
};
