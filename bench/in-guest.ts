import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import type { Vps } from "../lab/vps.ts";

const run = promisify(execFile);

/** The guest agent takes a bounded text at once. */
const PIECE_BYTES = 512 * 1024;

/** Writes a file that may be run into a virtual machine. */
export async function put(vps: Vps, path: string, content: Buffer): Promise<void> {
  const text = gzipSync(content).toString("base64");
  for (let from = 0; from < text.length; from += PIECE_BYTES)
    await vps.exec(`cat >> ${path}.packed`, { stdin: text.slice(from, from + PIECE_BYTES) });
  await vps.exec(`base64 -d ${path}.packed | gunzip > ${path} && chmod 755 ${path} && rm ${path}.packed`);
}

/** A program of this machine with its libraries, instead of its packages, which such a processor takes minutes to install. */
export async function putProgram(vps: Vps, path: string): Promise<void> {
  const { stdout } = await run("ldd", [path]);
  for (const [, library = ""] of stdout.matchAll(/=> (\/\S+)/g))
    if ((await vps.exec(`test -e ${library} || echo lacks`)) !== "") await put(vps, library, await readFile(library));
  await put(vps, path, await readFile(path));
}
