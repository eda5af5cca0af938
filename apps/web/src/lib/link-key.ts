import { useLocation } from "@tanstack/react-router";

/** The token of a one-time link. It is in the fragment, so it is never sent or logged. */
export function useLinkKey(): { token: string | null; user: string | null } {
  const brought = new URLSearchParams(useLocation({ select: ({ hash }) => hash }));
  return { token: brought.get("token"), user: brought.get("user") };
}
