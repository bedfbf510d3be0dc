import { probeSandbox } from "@caliban/tools-builtin/node";
import type { Project } from "../../project/project.ts";
import { type Check, note, ok, problem } from "./check.ts";

/** Checks whether commands can be confined here, by trying it. */
export async function checkSandbox({ host, settings, workspace }: Project): Promise<Check> {
  const mode = settings.trusted["sandbox.mode"];
  const hosts = settings.trusted["sandbox.allowed_hosts"];
  if (mode === "off") return note("sandbox", "off: commands are not confined, and ask first");
  const { env, platform } = host;
  const found = await probeSandbox({
    env,
    platform,
    untrustedDirectories: [workspace.root],
    needsProxy: hosts.length > 0,
  });
  if (found.kind !== "none") {
    const network = hosts.length === 0 ? "no network" : `network: ${hosts.join(", ")}`;
    return ok("sandbox", `${found.version}, ${network}`);
  }
  const { reason, remedy } = found;
  return mode === "on"
    ? problem("sandbox", `${reason}, so commands do not run (sandbox.mode is on)`, remedy)
    : note("sandbox", `${reason}, so commands are not confined, and ask first`, remedy);
}
