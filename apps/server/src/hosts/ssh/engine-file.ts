import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type ReasonCode, reason } from "@krug/domain/reasons";
import { MachineFailure } from "../machine.ts";

/** The limit of the helper on servers. */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * An engine of the panel's, at this path on its own machine. A build puts the checksum next to it; an operator's own engine may
 * lack one. @throws MachineFailure
 */
export async function readEngine(path: string): Promise<{ bytes: Buffer; sum: string }> {
  const unusable = (code: ReasonCode, details = {}) =>
    new MachineFailure("refused", reason(code, { path, ...details }));
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw unusable("engine.unreadable", { code: error.code ?? "?" });
  });
  if (bytes.length === 0 || bytes.length > MOST_BYTES) throw unusable("engine.size", { bytes: bytes.length });
  const sum = createHash("sha256").update(bytes).digest("hex");
  const expected = await readFile(`${path}.sha256`, "utf8").catch(() => null);
  if (expected !== null && expected.slice(0, 64) !== sum) throw unusable("engine.checksum");
  return { bytes, sum };
}
