import type { SealedColumn } from "../../../platform/sealed-columns.ts";
import { opened, type Seal, type Sealing } from "../../../platform/sealing.ts";
import type { WebhookRow } from "./table.ts";

const SEALED = ["sealed_url", "sealed_secret", "sealed_former_secret"] as const;
type Sealed = (typeof SEALED)[number];

const placeOf = (column: Sealed, id: string) => `webhooks.${column}:${id}`;

const placeOfUsername = (eventId: string) => `webhook_events.sealed_username:${eventId}`;

export const sealedInWebhooks: SealedColumn[] = [
  ...SEALED.map((column) => ({
    table: "webhooks",
    column,
    key: ["id"],
    place: ({ id = "" }) => placeOf(column, id),
  })),
  { table: "webhook_events", column: "sealed_username", key: ["id"], place: ({ id = "" }) => placeOfUsername(id) },
];

export const sealedUsername = (seal: Seal, eventId: string, username: string): string =>
  seal(placeOfUsername(eventId), username);

export const usernameOf = (sealing: Pick<Sealing, "open">, eventId: string, sealed: string): string =>
  sealing.open(placeOfUsername(eventId), sealed);

export const sealed = (seal: Seal, column: Sealed, id: string, text: string): string => seal(placeOf(column, id), text);

type Opened = Pick<WebhookRow, "id" | "sealed_url" | "sealed_secret" | "sealed_former_secret" | "former_until">;

/** For an address that cannot be opened: nobody is there, and staff see which webhook needs a new one. */
const UNREADABLE = "https://unreadable.invalid";

export const urlOf = (sealing: Pick<Sealing, "open">, { id, sealed_url }: Pick<WebhookRow, "id" | "sealed_url">): URL =>
  new URL(opened(sealing, { place: placeOf("sealed_url", id), text: sealed_url }) ?? UNREADABLE);

/** The secrets that sign now, the new one first. */
export function secretsOf(sealing: Pick<Sealing, "open">, row: Opened, now: number): string[] {
  const { id, sealed_former_secret: former, former_until } = row;
  const open = (column: Sealed, text: string) => sealing.open(placeOf(column, id), text);
  const current = open("sealed_secret", row.sealed_secret);
  return former === null || (former_until ?? 0) <= now ? [current] : [current, open("sealed_former_secret", former)];
}

/** Re-seals the former secret for its own column: a sealed text is bound to its column. */
export const asFormer = (sealing: Pick<Sealing, "open">, seal: Seal, { id, sealed_secret }: WebhookRow): string =>
  sealed(seal, "sealed_former_secret", id, sealing.open(placeOf("sealed_secret", id), sealed_secret));
