import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { root } from "../../scripts/workspace.mjs";
import type { AppliedCase, SessionLines } from "./case.ts";

interface Dialogue {
  readonly sessions: readonly { readonly turns: readonly (readonly [string, string])[] }[];
  readonly probes: readonly {
    readonly query: string;
    readonly current: { readonly rule: string };
    readonly superseded: readonly { readonly rule: string }[];
  }[];
}

/** The conversations of a mentor, and what to ask for afterwards. */
export interface MentorProject {
  readonly sessions: readonly SessionLines[];
  readonly cases: readonly AppliedCase[];
}

export function readMentorProjects(): readonly MentorProject[] {
  const file = join(root, "bench/applied/memorycode/dialogues.jsonl.gz");
  const lines = gunzipSync(readFileSync(file)).toString("utf8").trim().split("\n");
  return lines.map((line) => toProject(JSON.parse(line) as Dialogue));
}

function toProject({ sessions, probes }: Dialogue): MentorProject {
  const mentor = sessions[0]?.turns[0]?.[0];
  return {
    sessions: sessions.map(({ turns }, at) => [
      dayOf(at),
      ...turns.map(([speaker, text]) => `${speaker === mentor ? "u" : "a"}: ${text}`),
    ]),
    cases: probes.flatMap(({ query, current, superseded }) => {
      const [value, old] = [
        valueOf(current.rule),
        superseded.flatMap(({ rule }) => valueOf(rule) ?? []),
      ];
      if (value === undefined) return [];
      return [
        {
          name: current.rule,
          sessions: [],
          message: `apply our rule for ${subjectOf(current.rule)} to the ${query.split(" ", 2).join(" ")}`,
          call: "create solution.py",
          expect: literally([value]),
          ...(old.length === 0 ? {} : { stale: literally(old) }),
        },
      ];
    }),
  };
}

function dayOf(session: number): string {
  return new Date(Date.UTC(2026, 0, 5 + 7 * session)).toISOString().slice(0, 10);
}

/** What a rule demands: the text in quotes. */
function valueOf(rule: string): string | undefined {
  return /'([^']+)'/.exec(rule)?.[1];
}

/** What a rule is about: `always start attribute names with 'q_'` is about attribute names. */
function subjectOf(rule: string): string {
  return rule
    .replaceAll(/'[^']*'/g, "")
    .replaceAll(
      /\b(?:always|never|start|end|with|use|add|the|to|all|from|in|your|every|each|a|an|for|include)\b/g,
      " ",
    )
    .replaceAll(/\s+/g, " ")
    .trim();
}

function literally(values: readonly string[]): RegExp {
  const escaped = values.map((value) => value.replaceAll(/[^\w]/g, String.raw`\$&`));
  return new RegExp(`(?<![A-Za-z0-9])(?:${escaped.join("|")})(?![A-Za-z0-9])`);
}
