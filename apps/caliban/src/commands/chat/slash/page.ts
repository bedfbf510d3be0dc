import type { StartedPage } from "../../page/start-page.ts";
import type { SlashInput, SlashResult } from "./slash-command.ts";

/** `/page`: shows the memory of the conversation's project in the browser until the session ends, or the page is idle. */
export async function page({ invocation }: SlashInput): Promise<SlashResult> {
  const { host } = invocation;
  // Nothing of the page is loaded with the screen.
  const [{ startPage }, { isPageError }] = await Promise.all([
    import("../../page/start-page.ts"),
    import("@caliban/page/node"),
  ]);
  try {
    const started = await startPage(invocation, { port: 0, opensBrowser: true, report: ignore });
    // An open server would keep the process alive.
    host.onEnd(() => void started.close());
    void started.idle.then(started.close);
    return { kind: "text", text: describe(started) };
  } catch (error) {
    if (!isPageError(error)) throw error;
    return { kind: "error", text: error.message };
  }
}

/** The screen belongs to the conversation; the page itself says what failed. */
function ignore(): void {}

function describe({ url, address }: StartedPage): string {
  const where =
    address === undefined
      ? `Opened ${url} in your browser.`
      : `No browser could be opened here. Open this address, which contains the key to the page:\n${address}`;
  return `${where}\nThe page stops when this session ends, or when it was not used for an hour.`;
}
