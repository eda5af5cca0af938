import type { Api } from "@krug/contract/api";
import type { DeviceType } from "@krug/domain/config-rules";
import { textOfFile } from "../../../lib/text-of-file.ts";
import type { Named } from "../../members/member-field/index.ts";

export type Device = Api["POST /admin/servers/{id}/moving-in/preview"]["answer"]["devices"][number];

/** What to do with a device of the file. Without an owner, a member or somebody new, it stays behind. */
export interface Wish {
  owner: Named | null;
  /** The username of somebody who becomes a member by it. */
  newcomer: string | null;
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
        { owner: suggestedOwner, newcomer: null, name: suggestedName, deviceType: "computer" },
      ]),
  );

export const isWanted = ({ owner, newcomer }: Wish) => owner !== null || newcomer !== null;

/** As the call takes them; `devices` have the names that new members begin with. */
export const wanted = (wishes: Readonly<Record<string, Wish>>, devices: readonly Device[]) =>
  devices.flatMap(({ publicKey, name: before }) => {
    const wish = wishes[publicKey];
    if (wish === undefined || !isWanted(wish)) return [];
    const { owner, newcomer, deviceType } = wish;
    const displayName = before === null ? {} : { displayName: before };
    const whose =
      owner === null ? { newMember: { username: (newcomer ?? "").trim(), ...displayName } } : { userId: owner.id };
    return [{ publicKey, ...whose, name: wish.name.trim(), deviceType }];
  });

/** All devices that would stay behind become new members', each by a name derived from its own. */
export const withNewcomers = (
  wishes: Readonly<Record<string, Wish>>,
  devices: readonly Device[],
): Readonly<Record<string, Wish>> =>
  Object.fromEntries(
    devices.flatMap(({ publicKey, suggestedUsername }) => {
      const wish = wishes[publicKey];
      return wish === undefined ? [] : [[publicKey, isWanted(wish) ? wish : { ...wish, newcomer: suggestedUsername }]];
    }),
  );

const SQLITE = "SQLite format 3\0";
/** Bytes converted to text at once: more would be too many arguments. */
const SLICE = 32_768;

/** In the panel's format: text in any saved encoding, and wg-easy's database as a data URL. */
export async function contentsOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (new TextDecoder("latin1").decode(bytes.subarray(0, SQLITE.length)) !== SQLITE) return textOfFile(bytes);
  let binary = "";
  for (let at = 0; at < bytes.length; at += SLICE) binary += String.fromCharCode(...bytes.subarray(at, at + SLICE));
  return `data:application/vnd.sqlite3;base64,${btoa(binary)}`;
}

/** One file's content, or several of one interface by name, in any order. */
export interface ServerFiles {
  file: string | { name: string; content: string }[];
}

export async function filesOf(files: readonly File[]): Promise<ServerFiles | null> {
  const read = await Promise.all(
    files.map(async (file) => ({ name: file.webkitRelativePath || file.name, content: await contentsOf(file) })),
  );
  const [first, ...others] = read.filter(({ content }) => content !== "");
  if (first === undefined) return null;
  return { file: others.length === 0 ? first.content : [first, ...others] };
}
