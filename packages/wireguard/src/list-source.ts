/**
 * What networks can be found by, in canonical form: the https address of a list. null for anything else, and for an address with a
 * name and password in it, which would be shown to all who may change services.
 */
export function readSource(text: string): string | null {
  const url = /^https:\/\/\S+$/i.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.username !== "" || url.password !== "") return null;
  url.hash = "";
  return url.href;
}

/** For the audit log: an address may have a key in its query. */
export function shownSource(source: string): string {
  const { host, pathname } = new URL(source);
  return `${host}${pathname}`;
}
