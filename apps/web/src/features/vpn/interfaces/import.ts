import type { Api } from "@krug/contract/api";
import type { DeviceType } from "@krug/domain/config-rules";
import type { Named } from "../../members/member-field/index.ts";

export type Device = Api["POST /admin/servers/{id}/moving-in/preview"]["answer"]["devices"][number];

/** What to do with a device of the file. Without an owner it stays behind. */
export interface Wish {
  owner: Named | null;
  name: string;
  deviceType: DeviceType;
}

/** By public key. Devices that cannot move in are absent. */
export const firstWishes = (devices: readonly Device[]): Readonly<Record<string, Wish>> =>
  Object.fromEntries(
    devices
      .filter(({ strange }) => strange === null)
      .map(({ publicKey, suggestedOwner, suggestedName }) => [
        publicKey,
        { owner: suggestedOwner, name: suggestedName, deviceType: "computer" },
      ]),
  );

export const wanted = (wishes: Readonly<Record<string, Wish>>) =>
  Object.entries(wishes).flatMap(([publicKey, { owner, ...wish }]) =>
    owner === null ? [] : [{ publicKey, owner, ...wish }],
  );

const SQLITE = "SQLite format 3\0";
/** Bytes converted to text at once: more would be too many arguments. */
const SLICE = 32_768;

/** In the panel's format: text in any saved encoding, and wg-easy's database as a data URL. */
export async function contentsOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (new TextDecoder("latin1").decode(bytes.subarray(0, SQLITE.length)) !== SQLITE) return textIn(bytes);
  let binary = "";
  for (let at = 0; at < bytes.length; at += SLICE) binary += String.fromCharCode(...bytes.subarray(at, at + SLICE));
  return `data:application/vnd.sqlite3;base64,${btoa(binary)}`;
}

/** Notepad and PowerShell save UTF-16, nearly always with a byte order mark, older editors Windows-1251. */
function textIn(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0))
    return new TextDecoder("utf-16le").decode(bytes);
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0))
    return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1251").decode(bytes);
  }
}

/** A server's file, and AmneziaVPN's table of names if it was chosen too. */
export interface ServerFiles {
  file: string;
  clientsTable?: string;
}

/** Files chosen together, in any order: the table is a list or an object, and no server's file is. */
export async function filesOf(files: readonly File[]): Promise<ServerFiles | null> {
  const [first, second] = await Promise.all(files.slice(0, 2).map(contentsOf));
  if (first === undefined) return null;
  if (second === undefined) return { file: first };
  return isTable(first) ? { file: second, clientsTable: first } : { file: first, clientsTable: second };
}

function isTable(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text)) || !("server" in JSON.parse(text));
  } catch {
    return false;
  }
}
