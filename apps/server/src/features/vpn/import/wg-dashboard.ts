import { canonicalNetwork } from "@krug/wireguard/addresses";
import { asPrivateKey, asPublicKey } from "@krug/wireguard/key-text";
import { publicKeyOf } from "@krug/wireguard/keys";
import type { PeerTable } from "@krug/wireguard/moved-files";
import { shortName } from "@krug/wireguard/peer-name";
import { presharedKeyIn, type ServerFilePeer } from "@krug/wireguard/server-file";

/** Rows of a query in the order of storage, without sorting, which would first load everything into memory. */
export type AllRows = (sql: string, ...values: string[]) => Record<string, unknown>[];

/** WGDashboard's database: its interfaces are in files of wg-quick. */
export interface WgDashboard {
  tables: PeerTable[];
  /** When devices are to be switched off or deleted, ISO 8601, by public key. */
  ends: Record<string, string>;
}

/** Of an interface; next to its table there is another for devices that are switched off. */
const INTERFACE = /^[A-Za-z0-9_.-]{1,15}$/;
const SWITCHED_OFF = "_restrict_access";
const MOST_INTERFACES = 32;
const JOBS = "PeerJobs";
/** Amounts are stored in these. */
const GIB = 1024 ** 3;

type ColumnsOf = (table: string) => ReadonlySet<unknown>;

/** Null if the file is another program's. `columnsOf` throws for anything but a plain table. */
export function readDashboard(all: AllRows, columnsOf: ColumnsOf): WgDashboard | null {
  const tables = new Set(all("select name from sqlite_schema where type = 'table'").map(({ name }) => String(name)));
  const names = [...tables].filter((name) => INTERFACE.test(name) && tables.has(name + SWITCHED_OFF));
  const hasJobs = tables.has(JOBS);
  if ((names.length === 0 && !hasJobs) || names.length > MOST_INTERFACES) return null;
  const peersIn = (table: string, isEnabled: boolean) => {
    const columns = columnsOf(table);
    const read = COLUMNS.filter((column) => columns.has(column));
    return all(`select ${read.join(", ")} from "${table}"`).flatMap((row) => peerOf(row, isEnabled));
  };
  return {
    tables: names.map((of) => ({ of, peers: [...peersIn(of, true), ...peersIn(of + SWITCHED_OFF, false)] })),
    ends: hasJobs ? endsIn(all, columnsOf) : {},
  };
}

const COLUMNS = [
  "id",
  "name",
  "private_key",
  "preshared_key",
  "allowed_ip",
  "total_receive",
  "total_sent",
  "cumu_receive",
  "cumu_sent",
] as const;
type Row = Partial<Record<(typeof COLUMNS)[number], unknown>>;

function peerOf(row: Row, isEnabled: boolean): ServerFilePeer[] {
  const publicKey = asPublicKey(textOf(row.id));
  if (publicKey === null) return [];
  const privateKey = asPrivateKey(textOf(row.private_key));
  const presharedKey = presharedKeyIn(textOf(row.preshared_key));
  const networks = textOf(row.allowed_ip)
    .split(",")
    .map((each) => canonicalNetwork(each.trim()));
  return [
    {
      name: shortName(textOf(row.name)),
      publicKey,
      presharedKey: presharedKey ?? null,
      // Another device's key would be written into its files.
      privateKey: privateKey !== null && publicKeyOf(privateKey) === publicKey ? privateKey : null,
      allowedIps: networks.filter((each) => each !== null),
      isBroken: presharedKey === undefined || networks.includes(null),
      isEnabled,
      endsAt: null,
      traffic: {
        received: bytesOf(row.total_receive) + bytesOf(row.cumu_receive),
        sent: bytesOf(row.total_sent) + bytesOf(row.cumu_sent),
      },
    },
  ];
}

/** Its jobs also watch traffic, and ended ones are kept. */
function endsIn(all: AllRows, columnsOf: ColumnsOf): Record<string, string> {
  columnsOf(JOBS);
  const ends: Record<string, string> = {};
  for (const row of all(`select Peer, Field, Operator, Value, ExpireDate, Action from "${JOBS}"`)) {
    const key = asPublicKey(textOf(row.Peer));
    // In the time of the machine that it runs on.
    const at = new Date(textOf(row.Value).replace(" ", "T"));
    const ending = row.Field === "date" && row.Operator === "lgt" && row.Action !== "reset_total_data_usage";
    if (key !== null && ending && row.ExpireDate === null && !Number.isNaN(at.getTime())) ends[key] = at.toISOString();
  }
  return ends;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value.trim() : "");
const bytesOf = (value: unknown): number =>
  typeof value === "number" && value > 0 && value < 1e9 ? Math.round(value * GIB) : 0;
