/** A test tool that has no build for some platforms. */
export type OptionalTool =
  | "workerd"
  | "postgres"
  | "chromium"
  | "bwrap"
  | "openssl"
  | "strace"
  | OptionalAgent;

/** Another coding agent. Most are too large to install with the tests, so they are looked for on PATH. */
export type OptionalAgent = "claude" | "codex" | "gemini" | "qwen" | "opencode" | "pi";

/**
 * Whether tests that need the tool can run. Without it they are skipped, unless `CALIBAN_REQUIRE` names the tool: then
 * the failure to load it is an error.
 */
export async function hasTool(
  tool: OptionalTool,
  load: () => Promise<unknown>,
  env: NodeJS.ProcessEnv = process.env,
): Promise<boolean> {
  try {
    await load();
    return true;
  } catch (error) {
    const required = (env["CALIBAN_REQUIRE"] ?? "").split(",").map((name) => name.trim());
    if (!required.includes(tool)) return false;
    throw new Error(`CALIBAN_REQUIRE names ${tool}, which cannot be loaded here`, { cause: error });
  }
}
