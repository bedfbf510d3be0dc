const KEY = "caliban-token";

/** Moves the token from the address to this tab, so that it is neither in the history nor in a bookmark. False if there is none. */
export function takeToken(): boolean {
  const given = /^#token=([\w-]+)$/.exec(location.hash)?.[1];
  if (given === undefined) return false;
  sessionStorage.setItem(KEY, given);
  history.replaceState(undefined, "", `${location.pathname}#/`);
  return true;
}

/** The address of a new start on the same port, opened in this tab, only changes the fragment: the tab has to begin again. */
export function followNewToken(): void {
  addEventListener("hashchange", () => {
    if (takeToken()) location.reload();
  });
}

export function tokenHeader(): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${sessionStorage.getItem(KEY) ?? ""}` };
}
