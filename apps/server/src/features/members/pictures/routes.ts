import { createHash } from "node:crypto";
import type { Contract } from "@krug/contract/api";
import { MOST_UPLOADS_WAITING } from "@krug/domain/picture-rules";
import type { Handlers } from "../../../platform/http/call.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Pictures } from "./index.ts";
import * as repository from "./repository.ts";

interface Parts extends Platform {
  pictures: Pictures;
}

export const makePictureRoutes = ({ transact, clock, pictures }: Parts): Handlers<Contract["pictures"]> => ({
  async upload({ actor, body }) {
    const picture = (await pictures.redrawn(actor.memberId, Buffer.from(body))) ?? refuse("picture.invalid");
    const id = uploadIdOf(actor.memberId, body);
    const row = { id, member_id: actor.memberId, ...picture, uploaded_at: clock.now().getTime() };
    await transact(async (tx) => {
      await repository.insert(tx, row);
      await repository.keepNewest(tx, actor.memberId, MOST_UPLOADS_WAITING);
    });
    return { id };
  },
});

/** A UUID (RFC 9562, version 8). A client that missed the answer may upload again; the same id means the same picture. */
function uploadIdOf(memberId: string, bytes: Uint8Array): string {
  const hash = createHash("sha256").update(memberId).update(bytes).digest().subarray(0, 16);
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  return hash.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
