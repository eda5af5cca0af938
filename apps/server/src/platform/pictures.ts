import { MOST_PICTURE_BYTES, type PictureMedia } from "@krug/domain/picture-rules";

export interface Picture {
  readonly media: PictureMedia;
  readonly bytes: Buffer;
}

const PREFIX = /^data:[^,]{0,100};base64,/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * The picture in a data URL. What the URL says of itself counts for nothing: the media type is told by the bytes.
 * Null where it is none of the four by its own bytes, isn't base64, or is longer than `mostBytes`.
 */
export function pictureOf(dataUrl: string, mostBytes = MOST_PICTURE_BYTES): Picture | null {
  const prefix = PREFIX.exec(dataUrl)?.[0];
  if (prefix === undefined) return null;
  const text = dataUrl.slice(prefix.length);
  if (text.length > Math.ceil(mostBytes / 3) * 4 || text.length % 4 !== 0 || !BASE64.test(text)) return null;
  const bytes = Buffer.from(text, "base64");
  const media = bytes.length > mostBytes ? null : mediaOf(bytes);
  return media === null ? null : { media, bytes };
}

/** By the first bytes: PNG 3rd edition, section 5.2; JPEG's SOI and the marker after it; RIFF's form type; GIF's signature. */
function mediaOf(bytes: Buffer): PictureMedia | null {
  const text = (from: number, to: number) => bytes.toString("latin1", from, to);
  if (text(0, 8) === "\x89PNG\r\n\x1a\n") return "image/png";
  if (text(0, 3) === "\xff\xd8\xff") return "image/jpeg";
  if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return "image/webp";
  return ["GIF87a", "GIF89a"].includes(text(0, 6)) ? "image/gif" : null;
}
