import { useLocation } from "@tanstack/react-router";

/** What a one-time link brought: in the fragment, so that it is sent to nobody and stands in no log. */
export function useLinkKey(): { token: string | null; user: string | null } {
  const brought = new URLSearchParams(useLocation({ select: ({ hash }) => hash }));
  return { token: brought.get("token"), user: brought.get("user") };
}
