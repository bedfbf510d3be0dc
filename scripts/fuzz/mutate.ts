/** Returns a number from 0 up to, but not including, the limit. */
export type Random = (limit: number) => number;

/** A small generator with a seed, so that a run can be repeated. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0 || 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % Math.max(1, limit);
  };
}

/** What mutations draw from. */
export interface Material {
  readonly corpus: readonly string[];
  readonly dictionary: readonly string[];
}

/** Inputs stay short, because most mistakes need only a few tokens. `repeatToLength` makes the long ones. */
const MAX_CHARACTERS = 4096;

/** Changes a text in one to four places. */
export function mutate(text: string, material: Material, random: Random): string {
  let changed = text;
  for (let left = 1 + random(4); left > 0; left -= 1) {
    const mutation = MUTATIONS[random(MUTATIONS.length)];
    changed = mutation?.(changed, material, random) ?? changed;
  }
  return changed.slice(0, MAX_CHARACTERS);
}

/** Repeats a part of a text, to find work that grows faster than its input. */
export function repeatToLength(text: string, length: number, random: Random): string {
  const start = random(text.length);
  const part = text.slice(start, start + 1 + random(24)) || "x";
  const before = text.slice(0, random(2) === 0 ? 0 : start);
  return before + part.repeat(Math.ceil(length / part.length));
}

type Mutation = (text: string, material: Material, random: Random) => string;

const MUTATIONS: readonly Mutation[] = [
  (text, { dictionary }, random) => insert(text, pick(dictionary, random), random),
  (text, { dictionary }, random) => insert(text, pick(dictionary, random), random),
  (text, _, random) => insert(text, pick(CHARACTERS, random), random),
  (text, _, random) => insert(text, String.fromCharCode(random(0x10000)), random),
  // Removes a part.
  (text, _, random) => {
    const at = random(text.length);
    return text.slice(0, at) + text.slice(at + 1 + random(16));
  },
  // Repeats a part.
  (text, _, random) => {
    const at = random(text.length);
    return insert(text, text.slice(at, at + 1 + random(16)).repeat(1 + random(8)), random);
  },
  // Replaces a character.
  (text, _, random) => {
    const at = random(text.length);
    return text.slice(0, at) + pick(CHARACTERS, random) + text.slice(at + 1);
  },
  // Joins two inputs.
  (text, { corpus }, random) => {
    const other = pick(corpus, random);
    return text.slice(0, random(text.length + 1)) + other.slice(random(other.length + 1));
  },
  // Swaps two parts.
  (text, _, random) => {
    const at = random(text.length);
    return text.slice(at) + text.slice(0, at);
  },
];

const CHARACTERS = [
  ...Array.from("\n\r\t \0\"'`\\/<>[]{}()*&#!|:;,.=-+@$%~?^_09azAZ"),
  "\u200B",
  "\u2028",
  "é",
  "日",
  "\uD800",
  "\u0085",
  "\uFEFF",
];

function insert(text: string, inserted: string, random: Random): string {
  const at = random(text.length + 1);
  return text.slice(0, at) + inserted + text.slice(at);
}

function pick(items: readonly string[], random: Random): string {
  return items[random(items.length)] ?? "";
}
