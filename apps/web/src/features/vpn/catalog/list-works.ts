import { closestCover } from "@krug/wireguard/closest-cover";
import { readList } from "./addresses.ts";

/** What takes a phone seconds for thousands of lines. */
export const WORKS = { read: readList, cover: closestCover };
export type Works = typeof WORKS;

/** One of them, as it is sent to a worker. */
export interface Work<Name extends keyof Works = keyof Works> {
  name: Name;
  args: Parameters<Works[Name]>;
}

export const doWork = ({ name, args }: Work): unknown => (WORKS[name] as (...args: unknown[]) => unknown)(...args);
