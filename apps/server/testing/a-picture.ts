import { PICTURE_MEDIA, type PictureMedia } from "@krug/domain/picture-rules";
import sharp from "sharp";

const formats = { "image/png": "png", "image/jpeg": "jpeg", "image/webp": "webp", "image/gif": "gif" } as const;

/** A real picture for a test: one colour, or noise, which does not compress. */
export function aPicture({
  media = PICTURE_MEDIA[0] as PictureMedia,
  width = 4,
  height = 4,
  colour = "#2a6",
  noise = false,
} = {}): Promise<Buffer> {
  const plain = { width, height, channels: 3 as const, background: colour };
  const create = noise ? { ...plain, noise: { type: "gaussian" as const, mean: 128, sigma: 60 } } : plain;
  return sharp({ create }).toFormat(formats[media]).toBuffer();
}

export const asDataUrl = (bytes: Buffer, media = "image/png") => `data:${media};base64,${bytes.toString("base64")}`;
