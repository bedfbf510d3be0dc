import { isPageError, loadClient } from "@caliban/page/node";
import { type CommandResult, type Invocation, textOption } from "../../command.ts";
import { EXIT } from "../../exit-code.ts";
import { openProject } from "../../project/project.ts";
import { UsageError } from "../../usage-error.ts";
import { listenForInterrupt } from "../interruption.ts";
import { outputPath, writeOutputFile } from "../output-file.ts";
import { settingsWarnings } from "../warnings.ts";
import { openPageProjects } from "./projects.ts";
import { startPage } from "./start-page.ts";

/** `caliban page`: shows the memory of a project in the browser until it is stopped or idle. */
export async function showPage(invocation: Invocation): Promise<CommandResult> {
  const file = textOption(invocation, "export");
  try {
    return file === undefined ? await serve(invocation) : await exportTo(invocation, file);
  } catch (error) {
    if (isPageError(error)) throw new UsageError(error.message);
    throw error;
  }
}

async function serve(invocation: Invocation): Promise<CommandResult> {
  const { host, options } = invocation;
  const interruption = listenForInterrupt(host);
  const opensBrowser = options["open"] !== false;
  const port = portOption(invocation);
  const isAll = options["all"] === true;
  const page = await startPage(invocation, { port, opensBrowser, isAll, report: host.report });
  if (page.address === undefined) host.report(`opened ${page.url} in your browser`);
  else {
    if (opensBrowser) host.report(`no browser could be opened; ${OPEN_YOURSELF}`);
    // On stdout and nowhere else: it contains the key to the memory.
    host.stdout(`${page.address}\n`);
  }
  host.report("Press Ctrl-C to stop.");
  const outcome = await Promise.race([
    page.idle.then(() => "idle" as const),
    interruption.ended.then(() => "interrupted" as const),
  ]);
  await page.close();
  interruption.stop();
  const stderr = outcome === "idle" ? ["stopped, because the page was not used for an hour"] : [];
  return { stdout: "", stderr, exitCode: interruption.exitCode() ?? EXIT.done };
}

const OPEN_YOURSELF = "open this address yourself, and share it with no one";

function portOption(invocation: Invocation): number {
  const text = textOption(invocation, "port");
  if (text === undefined) return 0;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Infinity;
  if (port <= 65_535) return port;
  throw new UsageError(`invalid port for --port: '${text}'; use 0 to 65535 (0 picks a free one)`);
}

/** `caliban page --export FILE`: one file that shows the same without a server. */
async function exportTo(invocation: Invocation, file: string): Promise<CommandResult> {
  const { host } = invocation;
  const output = { ...invocation, options: { ...invocation.options, output: file } };
  const project = await openProject(invocation);
  const path = outputPath(output, project.workspace) ?? file;
  const [{ exportPage }, { redactText }] = await Promise.all([
    import("@caliban/page/node"),
    import("./redact-text.ts"),
  ]);
  const isAll = invocation.options["all"] === true;
  const text = await exportPage({
    projects: await openPageProjects(invocation, { isAll, report: host.report }),
    client: await loadClient(),
    redact: redactText(host),
  });
  const stderr = settingsWarnings(host, project.settings.warnings);
  return await writeOutputFile(output, { path, text, stderr });
}
