import type { ReadEntry, SearchSource } from "../../../src/search/live-index/source.ts";
import { MemoryError } from "../../../src/errors.ts";

/** A source of texts in memory that records its calls. */
export interface ScriptedSource extends SearchSource {
  /** By key. Changes are visible at the next refresh. */
  readonly texts: Map<string, ScriptedText>;
  /** The keys that were read, in order, with the cursor of the previous read. */
  readonly reads: string[];
  readonly looks: () => number;
  /** Makes the next refreshes fail, until it is called without arguments. */
  readonly fail: (message?: string) => void;
}

export interface ScriptedText {
  readonly fingerprint: string;
  readonly body: string;
  readonly change?: ReadEntry["change"];
  readonly kind?: "topic" | "turn";
  readonly problem?: string;
  readonly throws?: Error;
}

export function scriptedSource(
  name: string,
  texts: Readonly<Record<string, ScriptedText | string>> = {},
): ScriptedSource {
  const all = new Map(
    Object.entries(texts).map(([key, text]) => [
      key,
      typeof text === "string" ? { fingerprint: "1", body: text } : text,
    ]),
  );
  const reads: string[] = [];
  let looks = 0;
  let failure: string | undefined;
  return {
    name,
    texts: all,
    reads,
    looks: () => looks,
    fail: (message) => (failure = message),
    list: async () => {
      looks++;
      if (failure !== undefined) throw new MemoryError("REFUSED_FILE", failure);
      return Array.from(all, ([key, { fingerprint }]) => ({ key, fingerprint }));
    },
    read: async ({ key }, before) => {
      reads.push(before === undefined ? key : `${key} after ${before.cursor}`);
      const text = all.get(key);
      if (text === undefined) return undefined;
      return readText(name, key, text);
    },
    show: async (id) => {
      const text = all.get(id.slice(name.length + 1, id.indexOf("#")));
      if (text?.throws !== undefined) throw text.throws;
      if (text === undefined) return undefined;
      if (text.kind === "turn") {
        const said = text.body.split("|")[Number(id.slice(id.lastIndexOf("-") + 1))] ?? "";
        return { kind: "turn", role: "user", agent: "caliban", title: "a talk", text: said };
      }
      const key = id.slice(name.length + 1, -1);
      const address = `memory://${name}/${key}`;
      return {
        kind: "topic",
        name: key,
        address,
        type: undefined,
        description: "",
        text: text.body,
      };
    },
  };
}

function readText(name: string, key: string, text: ScriptedText): ReadEntry {
  const { fingerprint, body, change = "replace", kind = "topic", problem, throws } = text;
  if (throws !== undefined) throw throws;
  const parts = body === "" ? [] : body.split("|");
  return {
    change,
    cursor: fingerprint,
    problem,
    documents: parts.map((part, at) => ({
      id: `${name}:${key}#${kind === "turn" || parts.length > 1 ? `${fingerprint}-${at}` : ""}`,
      kind,
      body: part,
      session: kind === "turn" ? key : undefined,
      turn: at,
    })),
  };
}
