import type { ActualInterface } from "./interface.ts";

declare function todo(...x: unknown[]): never;
/** The output of `wg show all dump`. Throws DumpError. */
export function parseDump(text: string): ActualInterface[] {
  return todo(text);
}
/** The output of `wg show IF dump`. Throws DumpError. */
export function parseInterfaceDump(name: string, text: string): ActualInterface {
  return todo(name, text);
}
