import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { cidrsBetween } from "@krug/wireguard/addresses";

/** As ip-location-db publishes them: 'first,last,number,holder' in each line. */
const FILES = ["asn-ipv4.csv", "asn-ipv6.csv"];
const KEPT_MS = 60_000;

/**
 * Networks by the number of the autonomous system that announces them, from files that the operator puts into `folder`. They have
 * tens of megabytes, and are in memory only while they are being used.
 */
export function makeAsNetworks(folder: string | null) {
  let loading: Promise<Buffer[]> | null = null;
  const load = async (): Promise<Buffer[]> => {
    const read = FILES.map((name) => readFile(join(folder ?? "", name)).catch(() => null));
    return (await Promise.all(read)).filter((file) => file !== null);
  };
  const forget = () => {
    loading = null;
  };
  /** null: there are no such files. */
  return async (number: number): Promise<string[] | null> => {
    if (folder === null) return null;
    loading ??= load().then((tables) => {
      setTimeout(forget, tables.length === 0 ? 0 : KEPT_MS).unref();
      return tables;
    });
    const tables = await loading;
    return tables.length === 0 ? null : tables.flatMap((table) => networksIn(table, number));
  };
}

function networksIn(table: Buffer, number: number): string[] {
  const cell = `,${number},`;
  const networks: string[] = [];
  for (let at = table.indexOf(cell); at !== -1; at = table.indexOf(cell, at + 1)) {
    const line = table.toString("latin1", table.lastIndexOf("\n", at) + 1, at + cell.length);
    const [first = "", last = "", third] = line.split(",");
    if (third === String(number)) networks.push(...(cidrsBetween(first, last) ?? []));
  }
  return networks;
}
