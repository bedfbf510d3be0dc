/** Where a skill comes from: the repository, the user, the pipeline that learns from sessions, caliban, or an MCP server. */
export type SkillOrigin = "workspace" | "user" | "generated" | "bundled" | "server";

/** Instructions for one kind of task, which a model follows when it meets the task. */
export interface Skill {
  /** Unique among loaded skills, ignoring case. */
  readonly name: string;
  /** One line that cannot control a terminal or close a tag, because it is listed before anyone chose the skill. */
  readonly description: string;
  /** Markdown as written, with LF line ends. Frame it when you put it into a prompt. */
  readonly body: string;
  readonly path: string;
  readonly origin: SkillOrigin;
  /** Whether the model may invoke it; otherwise only the user does. */
  readonly modelInvocation: boolean;
  /** Whether its body is in the system prompt of every session. No file can request that. */
  readonly alwaysLoaded?: boolean;
}

/** The skills that are listed to the model, which may invoke them. */
export function offeredSkills(skills: readonly Skill[]): readonly Skill[] {
  return skills.filter(({ modelInvocation }) => modelInvocation);
}
