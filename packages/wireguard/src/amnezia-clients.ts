import { asPublicKey, type PublicKey } from "./keys.ts";
import { shortName } from "./peer-name.ts";

/**
 * The names of AmneziaVPN's devices by public key. They are in `clientsTable`, next to the server's file in its container: a list
 * of `{clientId, userData: {clientName}}`, in older versions an object by key. Null if the text is not such a table.
 */
export function parseAmneziaClients(text: string): Map<PublicKey, string> | null {
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
  const names = new Map<PublicKey, string>();
  for (const row of rows) {
    const { clientId, userData } = (row ?? {}) as { clientId?: unknown; userData?: { clientName?: unknown } };
    const key = typeof clientId === "string" ? asPublicKey(clientId) : null;
    const name = typeof userData?.clientName === "string" ? shortName(userData.clientName) : null;
    if (key !== null && name !== null) names.set(key, name);
  }
  return names.size > 0 ? names : null;
}
