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
