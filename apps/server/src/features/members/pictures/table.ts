import type { PictureMedia } from "@krug/domain/picture-rules";

export type PictureTables = {
  uploaded_pictures: {
    /** Made from the member and the bytes as they came, so that an upload that is repeated is the same. */
    id: string;
    member_id: string;
    media: PictureMedia;
    bytes: Uint8Array;
    uploaded_at: number;
  };
};

export type UploadRow = PictureTables["uploaded_pictures"];
