/** The key in a one-time link: in its fragment, which browsers do not send. "" without one. */
export const tokenInLink = (link: string | null | undefined): string =>
  new URLSearchParams(new URL(link ?? "about:blank").hash.slice(1)).get("token") ?? "";
