import type { Environment } from "@caliban/common";
import { createDirectoryLister } from "./protection/directory-lister.ts";
import type { FindSandboxInput, FoundSandbox } from "./sandbox/find-sandbox.ts";
import { completeWorkspace, type WorkspaceInput } from "./tool-workspace.ts";

/** A program that runs until it is ended, such as a server. */
export interface ConfinableProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** Returns how to start a program in the sandbox, or unchanged if there is none; or why it must not be started. */
export type ConfineProgram = (
  program: ConfinableProgram,
) => Promise<ConfinableProgram | { readonly reason: string }>;

/** Looks for the sandbox of this machine and tries it. Nothing of it is loaded before. */
export async function probeSandbox(input: FindSandboxInput): Promise<FoundSandbox> {
  const { findSandbox } = await import("./sandbox/find-sandbox.ts");
  return await findSandbox(input);
}

/**
 * Confines programs that run for long. They can change nothing but a temporary directory and the paths that the settings
 * name: what a command in the workspace may change is checked when it ends, which is too late here.
 *
 * `isRequired` refuses what cannot be confined, whatever the settings say.
 */
export function createProgramSandbox(
  input: WorkspaceInput,
  { isRequired = false }: { readonly isRequired?: boolean } = {},
): ConfineProgram {
  const workspace = completeWorkspace(input);
  const { sandbox: settings } = workspace;
  if (settings === undefined || (settings.mode === "off" && !isRequired))
    return async (program) => (isRequired ? { reason: "there is no sandbox" } : program);
  const open = async (): Promise<ConfineProgram> => {
    const { createSessionSandbox } = await import("./sandbox/session-sandbox.ts");
    const session = createSessionSandbox({
      workspace,
      settings,
      protectedPaths: () => [],
      directories: createDirectoryLister(),
    });
    const sandbox = await session.open();
    if ("reason" in sandbox) {
      if (isRequired) return async () => ({ reason: `there is no sandbox: ${sandbox.reason}` });
      const refusal = {
        reason: `there is no sandbox (${sandbox.reason}), and [sandbox] mode is "on"`,
      };
      return async (program) => (settings.mode === "on" ? refusal : program);
    }
    return async ({ command, args, env, cwd }) => {
      const confined = sandbox.prepare({
        access: "read-only",
        env,
        readableFiles: [],
        directory: cwd,
        isLongRunning: true,
      });
      return {
        command: confined.file,
        args: [...confined.args, command, ...args],
        env: definedVariables(confined.env),
        cwd,
      };
    };
  };
  let opened: Promise<ConfineProgram> | undefined;
  return async (program) => await (await (opened ??= open()))(program);
}

function definedVariables(env: Environment): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
