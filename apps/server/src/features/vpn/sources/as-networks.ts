import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { cidrsBetween } from "@krug/wireguard/addresses";
import { failure } from "../../../platform/failure.ts";
import { fileTrouble } from "../../../platform/file-trouble.ts";

/** As ip-location-db publishes them: 'first,last,number,holder' in each line. */
const FILES = ["asn-ipv4.csv", "asn-ipv6.csv"];
const KEPT_MS = 60_000;
/** Enough to see whether a file is one of these. */
const HEAD_BYTES = 1_000;

/**
 * Networks by the number of the autonomous system that announces them, from files that the operator puts into `folder`. They have
 * tens of megabytes, and are in memory only while they are being used.
 */
export function makeAsNetworks(folder: string | null) {
  let loading: Promise<Buffer[]> | null = null;
  const load = async (): Promise<Buffer[]> => {
    const read = FILES.map((name) => readTable(join(folder ?? "", name)));
    return (await Promise.all(read)).filter((file) => file !== null);
  };
  const forget = () => {
    loading = null;
  };
  /**
   * null: there are no such files.
   * @throws Failure if one is there but cannot be read
   */
  return async (number: number): Promise<string[] | null> => {
    if (folder === null) return null;
    loading ??= load().then(
      (tables) => {
        setTimeout(forget, tables.length === 0 ? 0 : KEPT_MS).unref();
        return tables;
      },
      (error: unknown) => {
        forget();
        throw error;
      },
    );
    const tables = await loading;
    return tables.length === 0 ? null : tables.flatMap((table) => networksIn(table, number));
  };
}

/**
 * null: it is not there. Without one that is there but cannot be read, part of the networks would be missing.
 * @throws Failure
 */
async function readTable(path: string): Promise<Buffer | null> {
  const table = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw fileTrouble({ ...error, path }) ?? error;
  });
  const [line = ""] = table?.toString("latin1", 0, HEAD_BYTES).split("\n", 1) ?? [];
  const [first = "", last = "", number = ""] = line.split(",");
  if (table !== null && (cidrsBetween(first, last) === null || !/^\d+$/.test(number)))
    throw failure("source.not_as_file", { path });
  return table;
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
