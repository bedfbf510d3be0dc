export { servePage, type ServedPage, type ServePageInput } from "./serve-page.ts";
export { isPageError, PageError } from "./page-error.ts";
export { loadClient } from "./load-client.ts";
export { openBrowser } from "./open-browser.ts";
export { type RedirectFile, writeRedirectFile } from "./redirect-file.ts";
export { exportPage } from "./export-page.ts";
