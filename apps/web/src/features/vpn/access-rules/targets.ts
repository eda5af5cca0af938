import { readNetworkList, type Unread } from "@krug/wireguard/network-list";

/** The addresses, networks and names of a paste in order, each once, and everything else. */
export function readTargets(text: string): { targets: string[]; wrong: Unread[] } {
  const { items, unread } = readNetworkList(text);
  const names = unread.filter(({ kind }) => kind === "name");
  const listed = [...items, ...names].sort((one, other) => (one.line ?? 0) - (other.line ?? 0));
  return {
    targets: [...new Set(listed.map((each) => each.text))],
    wrong: unread.filter(({ kind }) => kind !== "name"),
  };
}
