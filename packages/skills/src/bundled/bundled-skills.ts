import type { Skill } from "../skill.ts";
import { AUTO_MEMORY_BODY, AUTO_MEMORY_DESCRIPTION } from "./auto-memory-text.ts";

const AUTO_MEMORY: Skill = {
  name: "auto-memory",
  description: AUTO_MEMORY_DESCRIPTION,
  body: AUTO_MEMORY_BODY,
  path: "bundled:auto-memory",
  origin: "bundled",
  modelInvocation: true,
  alwaysLoaded: true,
};

/** The skills that come with caliban. They are parsed at build time, so that no session waits for a parser. */
export function bundledSkills(): readonly Skill[] {
  return [AUTO_MEMORY];
}
