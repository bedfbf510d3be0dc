import { readManifest } from "./copy-corpus.ts";

/** Keys whose values are text for users, which a later version may reword. */
const TEXT_KEYS = new Set(
  "age hint message note notes notices problem problems reason remark remedy sentence warnings".split(
    " ",
  ),
);
/** Keys whose values differ from run to run, or from version to version. */
const VOLATILE_KEYS = new Set(["durationMs", "elapsedMs", "version"]);

/** Codes, such as `NEEDS_APPROVAL`, are for programs. */
const CODE = /^[A-Z][A-Z_]+$/;
/** A field of topics that a later version has added. */
const ORIGIN = /^ {2}origin: (?:user|agent|tool)\n/gm;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const SESSION_ID = /\d{8}-\d{6}-[a-z0-9]{4}/g;
const NOW = readManifest().now;
const NOW_MS = Date.parse(NOW);
/** Larger numbers are times. */
const MIN_TIME_MS = 1e12;

interface Masks {
  /** More keys with text for users. */
  readonly text?: readonly string[];
  /** More keys whose values differ from run to run. */
  readonly volatile?: readonly string[];
}

/** Masks wording and values that differ from run to run, so that the output of two versions can be compared. */
export function comparable(value: unknown, masks: Masks = {}): unknown {
  const textKeys = new Set([...TEXT_KEYS, ...(masks.text ?? [])]);
  const volatileKeys = new Set([...VOLATILE_KEYS, ...(masks.volatile ?? [])]);
  const visit = (key: string, item: unknown): unknown => {
    if (volatileKeys.has(key)) return `<${key}>`;
    if (typeof item === "string") {
      return textKeys.has(key) && !CODE.test(item) ? "<text>" : maskRunValues(item);
    }
    if (typeof item === "number" && item > MIN_TIME_MS) {
      return item >= NOW_MS ? "<later>" : Math.round(item);
    }
    if (Array.isArray(item)) {
      return mergeDeltas(item)
        .filter((part) => !isAddedSetting(part) && !(key === "tools" && ADDED_TOOLS.has(part)))
        .map((part) => visit(key, part));
    }
    if (typeof item !== "object" || item === null) return item;
    return Object.fromEntries(
      Object.entries(item)
        .filter(([name]) => !isAddedToReport(name, item))
        .map(([name, part]) => [maskRunValues(name), visit(name, part)]),
    );
  };
  return visit("", value);
}

/**
 * Whether a key is what a later version has added: the cost and the addresses of notes in a report, the origin of a change,
 * the proposal in the result of one, the facts that are stored with the result of a tool, and the uses of a topic.
 */
function isAddedToReport(name: string, item: object): boolean {
  return ADDED_KEYS[name]?.every((other) => other in item) ?? false;
}

const ADDED_TOOLS: ReadonlySet<unknown> = new Set([
  "BashOutput",
  "ExitPlanMode",
  "Task",
  "TodoWrite",
  "WebFetch",
]);

/** For each added key, others that tell which object it was added to. */
const ADDED_KEYS: Readonly<Record<string, readonly string[]>> = {
  notes: ["recalled", "saved"],
  origin: ["who", "action"],
  costUsd: ["usage", "turns"],
  facts: ["text", "isError"],
  proposal: ["slug", "change"],
  used: ["slug", "updatedMs"],
  unattended: ["cwd", "workspace"],
  lastUsed: ["slug", "updatedMs"],
  followed: ["slug", "updatedMs"],
  ignored: ["slug", "updatedMs"],
};

const ADDED_SETTINGS =
  /^(?:budget\..*|sandbox\..*|ui\..*|memory\.(?:store|postgres_url_variable|project))$/;

/** Whether an entry is a setting that a later version has added. */
function isAddedSetting(item: unknown): boolean {
  const key: unknown = typeof item === "object" && item !== null ? Reflect.get(item, "key") : "";
  return typeof key === "string" && ADDED_SETTINGS.test(key);
}

/** Masks the times and session ids of this run. */
function maskRunValues(text: string): string {
  const digits = NOW.replaceAll(/\D/g, "");
  return text
    .replaceAll(ORIGIN, "")
    .replaceAll(TIME, (time) => (time >= NOW ? "<later>" : time))
    .replaceAll(SESSION_ID, (id) =>
      id.replaceAll(/\D/g, "").slice(0, 14) >= digits.slice(0, 14) ? "<new session>" : id,
    );
}

/** Merges consecutive deltas, because how a text is split into deltas depends on its wording. */
function mergeDeltas(items: readonly unknown[]): readonly unknown[] {
  const isDelta = (item: unknown): boolean =>
    typeof item === "object" && item !== null && Reflect.get(item, "type") === "text-delta";
  return items.filter((item, at) => !(isDelta(item) && isDelta(items[at - 1])));
}

/** Removes titles and descriptions from schemas. Properties with these names stay. */
export function withoutDescriptions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDescriptions);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => !(/^(?:title|description)$/.test(key) && typeof item === "string"))
      .map(([key, item]) => [key, withoutDescriptions(item)]),
  );
}
