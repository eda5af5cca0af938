import type { Api } from "@krug/contract/api";
import type { DeviceType } from "@krug/domain/config-rules";
import type { Named } from "../users/index.ts";

export type Device = Api["POST /admin/servers/{id}/moving-in/preview"]["answer"]["devices"][number];

/** What becomes of a device of the file; without an owner it stays behind. */
export interface Wish {
  owner: Named | null;
  name: string;
  deviceType: DeviceType;
}

/** By public key; devices that cannot move in are absent. */
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
/** Bytes turned to text at once: more would be too many arguments. */
const SLICE = 32_768;

/** As the panel takes it: text as it is, wg-easy's database as a data URL. */
export async function contentsOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (new TextDecoder("latin1").decode(bytes.subarray(0, SQLITE.length)) !== SQLITE)
    return new TextDecoder().decode(bytes);
  let binary = "";
  for (let at = 0; at < bytes.length; at += SLICE) binary += String.fromCharCode(...bytes.subarray(at, at + SLICE));
  return `data:application/vnd.sqlite3;base64,${btoa(binary)}`;
}
