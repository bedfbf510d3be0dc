import { terminalSafeLine } from "@caliban/common";
import type { SkillDiagnostic } from "./skill-diagnostic.ts";
import type { Skill, SkillOrigin } from "./skill.ts";

/** The skills that count, each name once, and what is said of the others. */
export interface ResolvedSkills {
  readonly skills: readonly Skill[];
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** Whose skills may bear a bundled name: a repository could otherwise rewrite what every session is told. */
const MAY_BEAR_BUNDLED_NAME: ReadonlySet<SkillOrigin> = new Set(["user", "bundled"]);

/** Keeps the first skill of each name, whatever the case of its letters, and reports the others. */
export function resolveShadowing(candidates: readonly Skill[]): ResolvedSkills {
  const bundled = new Map(
    candidates.filter(({ origin }) => origin === "bundled").map((skill) => [keyOf(skill), skill]),
  );
  const kept = new Map<string, Skill>();
  const diagnostics: SkillDiagnostic[] = [];
  for (const skill of candidates) {
    const key = keyOf(skill);
    const [ours, first] = [bundled.get(key), kept.get(key)];
    if (ours !== undefined && !MAY_BEAR_BUNDLED_NAME.has(skill.origin)) {
      diagnostics.push(bundledName(skill));
    } else if (first === undefined) {
      kept.set(key, ours === undefined ? skill : inPlaceOf(ours, skill));
    } else {
      diagnostics.push(shadowed(skill, first));
    }
  }
  return { skills: [...kept.values()], diagnostics };
}

function keyOf({ name }: Skill): string {
  return name.toLowerCase();
}

/** What stands in for a bundled skill is found under its name, and goes into the prompt where that one would. */
function inPlaceOf(bundled: Skill, skill: Skill): Skill {
  if (skill.origin === "bundled") return skill;
  const alwaysLoaded = bundled.alwaysLoaded === true && skill.modelInvocation;
  return { ...skill, name: bundled.name, alwaysLoaded };
}

function bundledName({ name, path }: Skill): SkillDiagnostic {
  const sentence = `${name} is a skill that comes with caliban, and only a skill of your own configuration may replace it; give this one another name.`;
  return { code: "BUNDLED_NAME", path, sentence };
}

function shadowed({ name, path }: Skill, first: Skill): SkillDiagnostic {
  const sentence = `It is not used, because ${terminalSafeLine(first.path)} has the name ${name} and comes first.`;
  return { code: "SHADOWED", path, sentence };
}
