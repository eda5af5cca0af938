import { execFile } from "node:child_process";
import { promisify } from "node:util";

const WITHIN_MS = 60_000;

/** A program's output. @throws if it is missing or fails */
export const run = async (program: string, args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(program, args, { timeout: WITHIN_MS, maxBuffer: 16 * 2 ** 20 })).stdout;

/** The same; null if it is missing or fails. */
export const attempt = (program: string, args: readonly string[]): Promise<string | null> =>
  run(program, args).catch(() => null);
