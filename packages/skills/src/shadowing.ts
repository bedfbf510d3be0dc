import { terminalSafeLine } from "@caliban/common";
import type { SkillDiagnostic } from "./skill-diagnostic.ts";
import type { Skill, SkillOrigin } from "./skill.ts";

/** The skills in effect, each name once, and diagnostics about the others. */
export interface ResolvedSkills {
  readonly skills: readonly Skill[];
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** Origins that may use a bundled name: a repository could otherwise rewrite what every session is told. */
const MAY_REPLACE_BUNDLED: ReadonlySet<SkillOrigin> = new Set(["user", "bundled"]);

/** Keeps the first skill of each name, ignoring case, and reports the others. */
export function resolveShadowing(candidates: readonly Skill[]): ResolvedSkills {
  const bundled = new Map(
    candidates.filter(({ origin }) => origin === "bundled").map((skill) => [keyOf(skill), skill]),
  );
  const kept = new Map<string, Skill>();
  const diagnostics: SkillDiagnostic[] = [];
  for (const skill of candidates) {
    const key = keyOf(skill);
    const [ours, first] = [bundled.get(key), kept.get(key)];
    if (ours !== undefined && !MAY_REPLACE_BUNDLED.has(skill.origin)) {
      diagnostics.push(bundledName(skill));
    } else if (first === undefined) {
      kept.set(key, ours === undefined ? skill : replaceBundled(ours, skill));
    } else {
      diagnostics.push(shadowed(skill, first));
    }
  }
  return { skills: [...kept.values()], diagnostics };
}

function keyOf({ name }: Skill): string {
  return name.toLowerCase();
}

/** A skill that replaces a bundled one takes its name and its place in the prompt. */
function replaceBundled(bundled: Skill, skill: Skill): Skill {
  if (skill.origin === "bundled") return skill;
  const alwaysLoaded = bundled.alwaysLoaded === true && skill.modelInvocation;
  return { ...skill, name: bundled.name, alwaysLoaded };
}

function bundledName({ name, path }: Skill): SkillDiagnostic {
  const message = `${name} is a bundled skill, which only a skill in your own configuration can replace. Give this one another name.`;
  return { code: "BUNDLED_NAME", path, message };
}

function shadowed({ name, path }: Skill, first: Skill): SkillDiagnostic {
  const message = `Not used, because ${terminalSafeLine(first.path)} is also named ${name} and comes first.`;
  return { code: "SHADOWED", path, message };
}
