import { NO_OPTIONS } from "./command.ts";
import type { ExitCode } from "./exit-code.ts";
import { type MainInput, main as start } from "./main.ts";
import { writeAtOnce } from "./process/startup.ts";

/** Longer than an answer may take. */
const MAX_MS = 4_000;

/** `caliban hook run AGENT` without the rest of the program. It opens no stream, which would take milliseconds. */
export async function main(input: Omit<MainInput, "loadProgram">): Promise<ExitCode> {
  const { machine } = input;
  // A database that does not answer would keep the process alive.
  setTimeout(() => machine.exit(0), MAX_MS).unref();
  const loadProgram: MainInput["loadProgram"] = async () => {
    const { runHook } = await import("./commands/hook/run.ts");
    return {
      run: async (host) => {
        const operands = host.argv.slice(2);
        const { stdout, stderr = [], exitCode } = await runHook({ ...NO_OPTIONS, host, operands });
        for (const message of stderr) host.report(message);
        if (stdout !== "") print(stdout, machine);
        return exitCode;
      },
    };
  };
  return await start({ ...input, loadProgram });
}

/** An agent that has stopped reading needs no answer. */
function print(text: string, machine: NodeJS.Process): void {
  const left = writeAtOnce(text, machine.getBuiltinModule("node:fs"));
  if (left.length === 0) return;
  machine.stdout.on("error", () => undefined);
  machine.stdout.write(left);
}
