const KEY = "caliban-token";

/** Moves the token from the address to this tab, so that it is neither in the history nor in a bookmark. */
export function takeToken(): void {
  const given = /^#token=([\w-]+)$/.exec(location.hash)?.[1];
  if (given === undefined) return;
  sessionStorage.setItem(KEY, given);
  history.replaceState(undefined, "", `${location.pathname}#/`);
}

export function tokenHeader(): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${sessionStorage.getItem(KEY) ?? ""}` };
}
