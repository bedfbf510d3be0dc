import type { Component } from "@earendil-works/pi-tui";

const PAUSE_MS = 500;

/** Lets no key through until there was a pause: who is typing a sentence has not read the question yet. */
export function afterPause(component: Component, now: () => number): Component {
  let lastAt = now();
  let isOpen = false;
  return {
    ...component,
    handleInput: (data) => {
      isOpen ||= now() - lastAt >= PAUSE_MS;
      lastAt = now();
      if (isOpen) component.handleInput?.(data);
    },
  };
}
