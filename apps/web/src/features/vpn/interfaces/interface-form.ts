import type { Api } from "@krug/contract/api";
import { readEndpointHost } from "@krug/wireguard/endpoint";
import { DEFAULT_MTU, mtuForPath } from "@krug/wireguard/path-mtu";
import { readTunnelSubnet } from "@krug/wireguard/tunnel-subnet";
import type { Interface } from "../servers/index.ts";
import { changedKeys, type Entered, newFaults, silences, type Texts } from "./amnezia-form.ts";

export interface Form {
  name: string;
  port: string;
  subnet: string;
  ipv6: boolean;
  endpoint: string;
  mtu: string;
  isActive: boolean;
  takesNew: boolean;
  routing: Interface["routing"];
  restExit: Interface["restExit"];
  exitDown: Interface["exitDown"];
  exitLink: Interface["exitLink"];
  /** Keyed as in a config file; empty for a plain interface. */
  amneziawg: Texts;
}

type Change = Api["PUT /admin/wireguard/{serverId}/interfaces/{id}"]["body"];
export type Field = keyof NonNullable<Change["expected"]>;
/** With every field, none of them undefined. */
type Whole<Fields> = { [Field in keyof Fields]-?: Exclude<Fields[Field], undefined> };

export const formOf = (row: Interface): Form => ({
  name: row.name,
  port: String(row.listenPort),
  subnet: row.subnet,
  ipv6: row.subnetV6 !== null,
  endpoint: row.endpoint ?? "",
  mtu: row.mtu === null ? "" : String(row.mtu),
  isActive: row.isActive,
  takesNew: row.takesNew,
  routing: row.routing,
  restExit: row.restExit,
  exitDown: row.exitDown,
  exitLink: row.exitLink,
  amneziawg: row.amneziawg?.parameters ?? {},
});

/** Fields that cannot be sent as they are. */
export function wrongFields(form: Form, row: Pick<Interface, "amneziawg" | "mtu">): Set<keyof Form> {
  const wrong = new Set<keyof Form>();
  if (form.name.trim() === "") wrong.add("name");
  if (!isPort(form.port)) wrong.add("port");
  if (readTunnelSubnet(form.subnet.trim()) === null) wrong.add("subnet");
  if (form.endpoint.trim() !== "" && readEndpointHost(form.endpoint.trim()) === null) wrong.add("endpoint");
  if (!isMtu(form.mtu)) wrong.add("mtu");
  if (
    row.amneziawg !== null &&
    newFaults(row.amneziawg.version, enteredAt(row), { texts: form.amneziawg, mtu: mtuOf(form) }).size > 0
  )
    wrong.add("amneziawg");
  return wrong;
}

/** The panel's current values. */
export const enteredAt = ({ amneziawg, mtu }: Pick<Interface, "amneziawg" | "mtu">): Entered => ({
  texts: amneziawg?.parameters ?? {},
  mtu,
});

/** In bytes; null: the default. */
export const mtuOf = ({ mtu }: Pick<Form, "mtu">): number | null => (mtu.trim() === "" ? null : Number(mtu));

/** The fields of an interface that a change can name, with their current values. */
export const fieldsOf = (row: Interface): Whole<NonNullable<Change["expected"]>> => ({
  ...row,
  ipv6: row.subnetV6 !== null,
  amneziawg: row.amneziawg?.parameters ?? {},
});

/** Only the differences, with what was seen of them: the panel refuses if that has changed. */
export function changeOf(row: Interface, form: Form): Change {
  const seen = fieldsOf(row);
  const keys = changedKeys(seen.amneziawg, form.amneziawg);
  const wished: Whole<Omit<Change, "expected" | "cutsOff">> = {
    name: form.name.trim(),
    listenPort: Number(form.port),
    subnet: form.subnet.trim(),
    ipv6: form.ipv6,
    endpoint: form.endpoint.trim() === "" ? null : form.endpoint.trim(),
    mtu: mtuOf(form),
    isActive: form.isActive,
    takesNew: form.takesNew,
    routing: form.routing,
    restExit: form.restExit,
    exitDown: form.exitDown,
    exitLink: form.exitLink,
    amneziawg: Object.fromEntries(keys.map((key) => [key, form.amneziawg[key]?.trim() ?? ""])),
  };
  const fields = (Object.keys(wished) as Field[]).filter((field) =>
    field === "amneziawg" ? keys.length > 0 : wished[field] !== seen[field],
  );
  if (fields.length === 0) return {};
  const of = (values: Pick<typeof wished, Field>) => Object.fromEntries(fields.map((field) => [field, values[field]]));
  return { ...of(wished), ...(silences(keys) ? { cutsOff: row.toDownload } : {}), expected: of(seen) };
}

/** Empty is valid: the default. */
export const isMtu = (text: string) => text.trim() === "" || isWhole(text, 1_280, 1_500);

/** An interface's MTU while nobody sets it. */
export const usualMtu = ({ amneziawg }: Pick<Interface, "amneziawg">): number => amneziawg?.mtu ?? DEFAULT_MTU;

/** The MTU that would fit the server's path, if the interface's own is too large for it. */
export function fittingMtu(row: Pick<Interface, "amneziawg" | "mtu">, path: number | null): number | null {
  const fitting = mtuForPath(path, usualMtu(row));
  return fitting !== null && (row.mtu ?? usualMtu(row)) > fitting ? fitting : null;
}

export const isPort = (text: string) => isWhole(text, 1, 65_535);

const isWhole = (text: string, least: number, most: number) =>
  /^\d{1,6}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most;
