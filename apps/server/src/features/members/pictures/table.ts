import type { PictureMedia } from "@krug/domain/picture-rules";

export type PictureTables = {
  uploaded_pictures: {
    /** Derived from the member and the received bytes, so that a repeated upload has the same id. */
    id: string;
    member_id: string;
    media: PictureMedia;
    bytes: Uint8Array;
    uploaded_at: number;
  };
};

export type UploadRow = PictureTables["uploaded_pictures"];
