/** Whose place a skill stands in: the repository's, the person's own, the pipeline's, or ours. */
export type SkillOrigin = "workspace" | "user" | "generated" | "bundled";

/** Instructions for one kind of task, which a model takes up when it meets the task. */
export interface Skill {
  /** Unique among loaded skills, whatever the case of its letters. */
  readonly name: string;
  /** One line in which nothing can steer a terminal or close a tag, because it is listed before anybody chose it. */
  readonly description: string;
  /** Markdown as it was written, with LF line ends. Whoever puts it into a prompt frames it. */
  readonly body: string;
  readonly path: string;
  readonly origin: SkillOrigin;
  /** Whether the model may take it up by itself; otherwise only a person calls it. */
  readonly modelInvocation: boolean;
  /** Whether its body stands in the system prompt of every session. No file can ask for that. */
  readonly alwaysLoaded?: boolean;
}
