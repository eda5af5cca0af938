import { Id } from "@krug/contract/fields";
import { UPLOADS_KEPT_MS } from "@krug/domain/picture-rules";
import type { Tx } from "../../../platform/database/database.ts";
import { bytesOf, type Draw, drawConfined, drawnAnew, type Picture } from "../../../platform/pictures.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import { memberDeleted } from "../members/index.ts";
import * as repository from "./repository.ts";

interface Parts extends Platform {
  /** Runs in a separate process by default; tests may replace it. */
  drawPicture?: Draw;
}

/** A picture that came with a call: redrawn, or uploaded before. */
export type SentPicture = Picture | { readonly uploadId: string };

export type Pictures = ReturnType<typeof makePictures>;

/** Pictures that members send, on their way to the message or claim they belong to (docs/adr/0020). */
export function makePictures({ transact, clock, events, drawPicture = drawConfined() }: Parts) {
  const redrawn = (memberId: string, bytes: Buffer) => drawnAnew(memberId, bytes, drawPicture);
  const nowMs = () => clock.now().getTime();
  events.on(memberDeleted, (tx, { memberId }) => repository.forgetOf(tx, memberId));

  return {
    /** Null if it is not a picture. */
    redrawn,

    /** Reads what a call names as a picture, before its transaction: drawing takes a while. Null if it is not a picture. */
    async sent(memberId: string, named: string): Promise<SentPicture | null> {
      if (Id.safeParse(named).success) return { uploadId: named };
      const bytes = bytesOf(named);
      return bytes === null ? null : redrawn(memberId, bytes);
    },

    /** Takes the pictures themselves. An upload serves one thing of its own member; it may appear there twice. */
    async take(tx: Tx, memberId: string, sent: readonly SentPicture[]): Promise<Picture[]> {
      const taken = new Map<string, Picture>();
      const pictures: Picture[] = [];
      for (const each of sent) {
        if (!("uploadId" in each)) {
          pictures.push(each);
          continue;
        }
        const upload = { id: each.uploadId, memberId, since: nowMs() - UPLOADS_KEPT_MS };
        const row = taken.get(each.uploadId) ?? (await repository.take(tx, upload)) ?? refuse("picture.upload_gone");
        const picture = { media: row.media, bytes: Buffer.from(row.bytes) };
        taken.set(each.uploadId, picture);
        pictures.push(picture);
      }
      return pictures;
    },

    /** Once an hour is often enough. */
    forgetOld: (): Promise<void> => transact((tx) => repository.forgetBefore(tx, nowMs() - UPLOADS_KEPT_MS)),
  };
}
