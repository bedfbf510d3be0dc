import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Screen } from "@caliban/tui";
import type { Host } from "../../../host.ts";
import { findEditor } from "../../memory/topics/edit.ts";

export interface EditPlanInput {
  readonly suspend: Screen["suspend"];
  readonly host: Host;
  /** Reports a problem to the user. */
  readonly report: (problem: string) => void;
}

/** Opens a plan in the user's editor. If that fails, the plan stays as it is, and the user is told. */
export async function editPlan(
  plan: string,
  { suspend, host, report }: EditPlanInput,
): Promise<string> {
  // A directory that no other user can read.
  const directory = mkdtempSync(join(tmpdir(), "caliban-plan-"));
  const path = join(directory, "plan.md");
  try {
    writeFileSync(path, plan, { mode: 0o600 });
    const openEditor = findEditor({ host }, "say what to change instead");
    const failure = await suspend(async () => await openEditor(path));
    if (failure === undefined) return readFileSync(path, "utf8");
    report(`The plan was not changed: ${failure}.`);
    return plan;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
