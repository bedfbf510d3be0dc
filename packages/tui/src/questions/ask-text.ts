import { Input, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { fitLines } from "../fit-lines.ts";
import type { Screen } from "../screen/screen.ts";

/** Asks for a line of text. Returns `undefined` if the user enters none. */
export async function askText(screen: Screen, question: string): Promise<string | undefined> {
  const { theme } = screen;
  return await screen.open<string | undefined>({
    cancel: undefined,
    create: (onAnswer, onChange) => {
      const input = new Input();
      input.onSubmit = (text) => onAnswer(text.trim() === "" ? undefined : text.trim());
      input.onEscape = () => onAnswer(undefined);
      return {
        takesText: true,
        render: (width) => {
          input.focused = true;
          const title = wrapTextWithAnsi(theme.bold(question), width);
          const help = theme.dim("Enter sends it · Esc: no");
          return fitLines([...title, ...input.render(width), help], width);
        },
        handleInput: (data) => {
          input.handleInput(data);
          onChange();
        },
        invalidate: () => input.invalidate(),
      };
    },
  });
}
