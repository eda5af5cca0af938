import { hostWithPrefix } from "./config-text.ts";
import { type ServerFile, ServerFileError } from "./server-file.ts";
import { asRecord, fromRows, isRecord, parseJson, scalarIn, type WgEasyClient } from "./wg-easy-file.ts";

/** wireguard-ui keeps each thing as a JSON file in its folder `db`: server/keypair, server/interfaces, clients/… */
export type WireguardUiPiece =
  | { is: "key"; privateKey: unknown }
  | { is: "interface"; addresses: readonly unknown[]; listenPort: unknown; commands: string[] }
  | { is: "settings"; mtu: unknown; dns: readonly unknown[] }
  | { is: "client"; client: WgEasyClient }
  /** Its own people, and checksums. */
  | { is: "other" };

const DNS_SHOWN = 80;

/** Null if the text is another program's. Throws ServerFileError if it is not JSON. */
export function pieceIn(text: string): WireguardUiPiece | null {
  const row = asRecord(parseJson(text));
  const has = (...fields: string[]) => fields.every((field) => field in row);
  if (has("public_key", "allocated_ips")) return { is: "client", client: clientOf(row) };
  if (has("addresses", "listen_port"))
    return {
      is: "interface",
      addresses: listOf(row.addresses),
      listenPort: row.listen_port,
      commands: COMMANDS.flatMap(([field, key]) => (row[field] ? [key] : [])),
    };
  if (has("private_key", "public_key")) return { is: "key", privateKey: row.private_key };
  if (has("endpoint_address", "dns_servers")) return { is: "settings", mtu: row.mtu, dns: listOf(row.dns_servers) };
  return has("username", "password_hash") || has("client", "server") ? otherUnlessWgEasy(row) : null;
}

/** Null without any. @throws ServerFileError */
export function joinPieces(pieces: readonly WireguardUiPiece[]): ServerFile | null {
  const first = <Is extends WireguardUiPiece["is"]>(is: Is) =>
    pieces.find((piece): piece is Extract<WireguardUiPiece, { is: Is }> => piece.is === is);
  const clients = pieces.flatMap((piece) => (piece.is === "client" ? piece.client : []));
  const [key, own, settings] = [first("key"), first("interface"), first("settings")];
  if (key === undefined && own === undefined && clients.length === 0) return null;
  if (key === undefined) throw new ServerFileError("missing", "server/keypair.json");
  if (own === undefined) throw new ServerFileError("missing", "server/interfaces.json");
  const [address, ...others] = own.addresses;
  const file = fromRows(
    {
      privateKey: key.privateKey,
      address,
      listenPort: own.listenPort,
      mtu: settings?.mtu,
      amnezia: {},
      mayBePlain: false,
    },
    clients,
  );
  const dns = (settings?.dns ?? []).filter((each) => typeof each === "string").join(", ");
  return {
    ...file,
    addresses: [...file.addresses, ...others.flatMap((each) => hostWithPrefix(scalarIn(each)) ?? [])],
    ignored: [...own.commands, ...(dns === "" ? [] : [`DNS = ${dns.slice(0, DNS_SHOWN)}`])],
  };
}

const COMMANDS = [
  ["post_up", "PostUp"],
  ["pre_down", "PreDown"],
  ["post_down", "PostDown"],
] as const;

const clientOf = (row: Record<string, unknown>): WgEasyClient => ({
  id: scalarIn(row.id),
  name: row.name,
  publicKey: row.public_key,
  privateKey: row.private_key,
  preSharedKey: row.preshared_key ?? "",
  addresses: [...listOf(row.allocated_ips), ...listOf(row.extra_allowed_ips).filter((each) => each !== "")],
  enabled: row.enabled !== false,
  endsAt: null,
});

/** wg-easy's file has a server and clients, as records. */
const otherUnlessWgEasy = (row: Record<string, unknown>): WireguardUiPiece | null =>
  isRecord(row.server) ? null : { is: "other" };

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
