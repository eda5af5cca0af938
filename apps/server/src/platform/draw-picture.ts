import {
  MOST_PICTURE_BYTES,
  MOST_PICTURE_PIXELS,
  MOST_PICTURE_SIDE,
  type PictureMedia,
} from "@krug/domain/picture-rules";
import sharp, { type Sharp } from "sharp";
import type { Draw } from "./pictures.ts";

// Untrusted bytes reach only these four of the library's decoders.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadWebp", "VipsForeignLoadNsgif"],
});
sharp.cache(false);
sharp.concurrency(1);

/** Redraws a picture in this process, however long that takes: strangers' pictures go to a separate process (pictures.ts). */
export const drawPicture: Draw = async ({ media, bytes }) => {
  const animated = media === "image/gif" || media === "image/webp";
  // Reads the header only.
  const about = await sharp(bytes, { animated, limitInputPixels: false, failOn: "error" })
    .metadata()
    .catch(() => null);
  if (about === null) return "broken";
  const { width, height, pages = 1, pageHeight = height } = about;
  if (width * height > MOST_PICTURE_PIXELS || Math.max(width, pageHeight) > MOST_PICTURE_SIDE) return "too_detailed";
  const upright = () => {
    const drawn = sharp(bytes, { animated, limitInputPixels: MOST_PICTURE_PIXELS, failOn: "error" });
    return pages > 1 ? drawn : drawn.autoOrient();
  };
  const written = await writtenOrNull(encoded[media](upright(), about.isPalette));
  if (written === null) return "broken";
  if (written.length <= MOST_PICTURE_BYTES) return { media, bytes: written };
  // The original was compressed harder than we compress.
  const smaller = await writtenOrNull(upright().resize(SMALLER).webp({ quality: 75, effort: 2 }));
  return smaller === null || smaller.length > MOST_PICTURE_BYTES ? "broken" : { media: "image/webp", bytes: smaller };
};

const SMALLER = { width: 2048, height: 2048, fit: "inside", withoutEnlargement: true } as const;

/** Null if the picture is broken. */
const writtenOrNull = (picture: Sharp): Promise<Buffer | null> => picture.toBuffer().catch(() => null);

/** By default sharp drops metadata and converts colours to sRGB. */
const encoded: Record<PictureMedia, (picture: Sharp, isPalette: boolean) => Sharp> = {
  "image/jpeg": (picture) => picture.jpeg({ quality: 88 }),
  // A palette is kept unchanged: more effort finds no better colours.
  "image/png": (picture, isPalette) => picture.png({ palette: isPalette, effort: 1, dither: 0 }),
  "image/webp": (picture) => picture.webp({ quality: 85, effort: 2 }),
  "image/gif": (picture) => picture.gif({ effort: 3 }),
};
