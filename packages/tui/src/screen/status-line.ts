import { bytesToTokens } from "@caliban/common";
import type { Component } from "@earendil-works/pi-tui";
import { truncateToWidth } from "@earendil-works/pi-tui";
import { fitLines } from "../fit-lines.ts";
import { renderFooter } from "./footer.ts";
import { renderWork } from "./render-status.ts";
import type { ScreenState } from "./screen-state.ts";
import type { Theme } from "../theme.ts";

interface LineViewInput {
  readonly theme: Theme;
  readonly state: () => ScreenState;
}

/** The spinner while the agent works, and what waits to be said. */
export function createStatusView({
  theme,
  state,
  now,
}: LineViewInput & { readonly now: () => number }): Component {
  return drawn((width) => {
    const { work, queued, isEnded } = state();
    // The library writes a blank where the cursor was last; this line is there to take it.
    if (isEnded) return [""];
    const lines = queued.map((text) => {
      const line = `  queued: ${text.replaceAll(/\s+/g, " ")}`;
      return theme.dim(truncateToWidth(line, width, "…"));
    });
    if (work === undefined) return ["", ...lines];
    const { startedAt, streamedCharacters, ...rest } = work;
    const outputTokens = rest.outputTokens + bytesToTokens(streamedCharacters);
    const elapsedMs = now() - startedAt;
    return ["", renderWork({ ...rest, outputTokens, elapsedMs }, { theme, width }), ...lines];
  });
}

/** Model, mode, directory and how full the window is. */
export function createFooterView({ theme, state }: LineViewInput): Component {
  return drawn((width) => {
    const facts = state();
    return facts.isEnded || facts.model === "" ? [] : [renderFooter(facts, { theme, width })];
  });
}

function drawn(render: (width: number) => readonly string[]): Component {
  return {
    render: (width) => fitLines(render(width), width),
    invalidate: () => undefined,
  };
}
