import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A home directory with a project `~/app`. */
export interface GrowingHome {
  readonly home: string;
  /** The data of the project. */
  readonly project: string;
  readonly remove: () => void;
}

export function createGrowingHome(): GrowingHome {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "caliban-bench-")));
  const slug = join(home, "app").slice(1).replaceAll("/", "-");
  const project = join(home, ".local/share/caliban/projects", slug);
  mkdirSync(join(home, "app"), { recursive: true });
  mkdirSync(join(project, "memory"), { recursive: true });
  mkdirSync(join(project, "sessions"), { recursive: true });
  writeFileSync(join(home, "app/CLAUDE.md"), "- Use pnpm, never npm.\n".repeat(200));
  return { home, project, remove: () => rmSync(home, { recursive: true }) };
}
