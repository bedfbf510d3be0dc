import { findSandbox } from "../../../packages/tools-builtin/src/node/sandbox/find-sandbox.ts";
import { ESCAPE_ATTEMPTS } from "../../../test/attack/sandbox-escapes.ts";
import { type Attempt, requireOrdinary, type Surface } from "../surface.ts";

/** Commands that try to write, read or reach something outside of the sandbox. */
export const sandboxEscapes: Surface = {
  name: "sandbox: escapes of a confined command",
  attack: async () => {
    const found = await findSandbox({
      env: process.env,
      platform: process.platform,
      untrustedDirectories: [],
      needsProxy: false,
    });
    if (found.kind === "bubblewrap") return await tryAll();
    // The attempts use what is found on Linux.
    return { skipped: found.kind === "none" ? found.reason : "the attempts are for bubblewrap" };
  },
};

async function tryAll(): Promise<readonly Attempt[]> {
  // Loaded late, because it tries bubblewrap when it is loaded.
  const { openSandboxHome } =
    await import("../../../packages/tools-builtin/test/support/sandbox-home.ts");
  const { tryEscape } = await import("../../../packages/tools-builtin/test/support/try-escape.ts");
  const home = await openSandboxHome({ mode: "on" });
  try {
    const ordinary = await home.run("echo ordinary > work/b.txt && cat work/b.txt");
    requireOrdinary(ordinary.text.includes("ordinary"), "a confined command cannot write");
    const attempts: Attempt[] = [];
    for (const each of ESCAPE_ATTEMPTS) {
      const { escaped } = await tryEscape(home, each, "accept-edits");
      attempts.push({ name: `${each.surface}: ${each.title}`, succeeded: escaped.length > 0 });
    }
    return attempts;
  } finally {
    home.dispose();
  }
}
