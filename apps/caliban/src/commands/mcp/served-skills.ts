import { offeredTools, type PermissionPolicy } from "@caliban/agent-core";
import { isServable, type ServedSkill } from "@caliban/mcp";
import { offeredSkills } from "@caliban/skills";
import { loadProjectSkills } from "../../conversation/prompt/skills.ts";
import type { Project } from "../../project/project.ts";

const SKILL_TOOL = { name: "Skill", permission: "skill.read", isReadOnly: true };

/**
 * The skills that other agents get: those of caliban and those learned from sessions. Agents find the user's and the
 * repository's own skills themselves.
 */
export async function loadServedSkills(
  project: Project,
  {
    policy,
    report,
  }: { readonly policy: PermissionPolicy; readonly report: (line: string) => void },
): Promise<readonly ServedSkill[]> {
  if (offeredTools([SKILL_TOOL], policy).length === 0) return [];
  const memory = await project.memory();
  const { skills } = await loadProjectSkills(project, { autoMemory: true, memory });
  const own = offeredSkills(skills).filter(
    ({ origin }) => origin === "bundled" || origin === "generated",
  );
  const invalid = own.filter((skill) => !isServable(skill)).map(({ name }) => name);
  if (invalid.length > 0)
    report(`not served, because clients refuse their names or descriptions: ${invalid.join(", ")}`);
  return own.filter(isServable);
}
