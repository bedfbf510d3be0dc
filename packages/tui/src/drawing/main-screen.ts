import {
  type Component,
  CURSOR_MARKER,
  type Terminal,
  type TUI,
  TuiMainScreen,
  visibleWidth,
} from "@earendil-works/pi-tui";
import { drawFrame, emptyFrame, eraseBelow, type Frame } from "./frame.ts";
import type { Layout } from "./layout.ts";

/** The part of the screen that scrolls away. */
export interface TranscriptLayout extends Component {
  readonly layout: (width: number) => Omit<Layout, "transcriptCount">;
}

interface MainScreenInput {
  readonly terminal: Terminal;
  readonly transcript: TranscriptLayout;
}

/** Draws the transcript and, below it, the children of `tui`. What has scrolled off stays in the terminal. */
export interface MainScreen {
  readonly tui: TUI;
  /** Prints lines again that have scrolled off and that the next frame changes. */
  readonly reprint: () => void;
  /** Moves everything into the scrollback, so that another transcript starts on an empty screen. */
  readonly startOver: () => void;
  /** Forgets what is drawn, because something else wrote to the terminal. */
  readonly continueBelow: () => void;
}

/** While a window is dragged its size changes all the time, and each frame would be for nothing. */
const RESIZE_PAUSE_MS = 60;
const [BEGIN_UPDATE, END_UPDATE] = ["\u001B[?2026h", "\u001B[?2026l"];

/** Replaces how the library draws: its own way erases the scrollback whenever the size or an old line changes. */
export function createMainScreen({ terminal, transcript }: MainScreenInput): MainScreen {
  const tui = new TuiMainScreen(terminal);
  let frame: Frame = emptyFrame();
  let reprints = false;
  const resize = watchResize(terminal, () => tui.requestRender());
  const write = (output: string): void => terminal.write(`${BEGIN_UPDATE}${output}${END_UPDATE}`);
  const draw = (): void => {
    const size = { columns: terminal.columns, height: Math.max(1, terminal.rows) };
    const below = tui.children.flatMap((child) => child.render(size.columns));
    const above = transcript.layout(size.columns);
    const { lines, typing } = takeCursor([...above.lines, ...below], size.height);
    const layout = { ...above, lines, transcriptCount: above.lines.length };
    const wasResized = resize.take() || (frame.columns !== 0 && frame.columns !== size.columns);
    const drawing = drawFrame(frame, { ...size, layout, typing, wasResized, reprints });
    frame = drawing.frame;
    reprints = false;
    if (drawing.output !== "") write(drawing.output);
    terminal.hideCursor();
  };
  Object.assign(tui, {
    doRender: () => {
      if (!resize.isPending()) draw();
    },
    // Whatever else was on the terminal since, the next frame continues below it.
    resetRenderState: () => undefined,
    beforeTerminalStop: () => {
      if (frame.rows.length === 0 && frame.cursor.column === 0) return;
      resize.take();
      const kept = finalLines(frame);
      terminal.write(eraseBelow(frame, kept));
      frame = leaving(frame, kept);
    },
    invalidate: () => {
      transcript.invalidate();
      for (const child of tui.children) child.invalidate();
    },
  });
  return {
    tui,
    reprint: () => {
      reprints = true;
    },
    continueBelow: () => {
      // Lines of the last frame may be below the cursor.
      terminal.write("\r\u001B[J");
      frame = leaving(frame, frame.layout.transcriptCount);
    },
    startOver: () => {
      const isDrawn = frame.rows.length > 0;
      const height = Math.max(1, terminal.rows);
      if (isDrawn)
        write(
          `${eraseBelow(frame, frame.layout.transcriptCount)}\u001B[${height}B${"\n".repeat(height)}\u001B[H`,
        );
      frame = emptyFrame({ columns: frame.columns, height: frame.height });
    },
  };
}

/** Lines of the transcript that will not change; the others are drawn again once they are final. */
function finalLines({ layout: { stableCount, transcriptCount }, scrolledCount }: Frame): number {
  return Math.max(scrolledCount, Math.min(stableCount, transcriptCount));
}

/** Something else writes to the terminal below the first lines of the transcript, which stay there. */
function leaving(frame: Frame, lineCount: number): Frame {
  return emptyFrame({ ...frame, scrolledCount: lineCount, leftCount: lineCount });
}

interface ResizeWatch {
  /** Whether the size may change again in a moment. */
  readonly isPending: () => boolean;
  /** Whether it changed since the last call. */
  readonly take: () => boolean;
}

/** Notices each change of the size, also one that is undone before the next frame, and waits until it is settled. */
function watchResize(terminal: Terminal, onSettled: () => void): ResizeWatch {
  let hasChanged = false;
  let timer: NodeJS.Timeout | undefined;
  const start = terminal.start.bind(terminal);
  terminal.start = (onInput) =>
    start(onInput, () => {
      hasChanged = true;
      clearTimeout(timer);
      timer = setTimeout(() => {
        timer = undefined;
        onSettled();
      }, RESIZE_PAUSE_MS);
    });
  return {
    isPending: () => timer !== undefined,
    take: () => {
      const changed = hasChanged;
      hasChanged = false;
      clearTimeout(timer);
      timer = undefined;
      return changed;
    },
  };
}

/** Finds where the user types, and removes the mark. */
function takeCursor(
  lines: readonly string[],
  height: number,
): {
  readonly lines: readonly string[];
  readonly typing?: { readonly line: number; readonly column: number };
} {
  const from = Math.max(0, lines.length - height);
  const offset = lines.slice(from).findLastIndex((text) => text.includes(CURSOR_MARKER));
  if (offset === -1) return { lines };
  const line = from + offset;
  const text = lines[line] ?? "";
  const column = visibleWidth(text.slice(0, text.indexOf(CURSOR_MARKER)));
  return { lines: lines.with(line, text.replaceAll(CURSOR_MARKER, "")), typing: { line, column } };
}
