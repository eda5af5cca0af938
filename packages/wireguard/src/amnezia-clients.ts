import { asPublicKey, type PublicKey } from "./key-text.ts";
import { shortName } from "./peer-name.ts";
import type { PeerTraffic } from "./server-file.ts";

/** What the table says of a device. */
interface AmneziaDevice {
  name: string;
  traffic?: PeerTraffic;
}

/**
 * AmneziaVPN's devices by public key. They are in `clientsTable`, next to the server's file in its container: a list of
 * `{clientId, userData: {clientName}}`, in older versions an object by key. Null if the text is not such a table.
 */
export function parseAmneziaClients(text: string): Map<PublicKey, AmneziaDevice> | null {
  let table: unknown;
  try {
    table = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof table !== "object" || table === null) return null;
  const rows = Array.isArray(table)
    ? table
    : Object.entries(table).map(([clientId, userData]) => ({ clientId, userData }));
  const devices = new Map<PublicKey, AmneziaDevice>();
  for (const row of rows) {
    const { clientId, userData } = (row ?? {}) as { clientId?: unknown; userData?: Record<string, unknown> };
    const key = typeof clientId === "string" ? asPublicKey(clientId) : null;
    const name = typeof userData?.clientName === "string" ? shortName(userData.clientName) : null;
    if (key === null || name === null) continue;
    const [received, sent] = [bytesIn(userData?.dataReceived), bytesIn(userData?.dataSent)];
    devices.set(key, received === null || sent === null ? { name } : { name, traffic: { received, sent } });
  }
  return devices.size > 0 ? devices : null;
}

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

/** As `wg show` writes amounts: '1.52 GiB'. */
function bytesIn(value: unknown): number | null {
  const [, amount = "", unit = ""] = /^(\d{1,12}(?:\.\d{1,3})?) ?([KMGT]?i?B)$/.exec(String(value)) ?? [];
  const power = UNITS.indexOf(unit);
  return power === -1 ? null : Math.round(Number(amount) * 1024 ** power);
}
