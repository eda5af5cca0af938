import {
  MOST_PICTURE_BYTES,
  MOST_PICTURE_PIXELS,
  MOST_UPLOADS_WAITING,
  type PictureMedia,
} from "@krug/domain/picture-rules";
import { LimitExceeded, type Limits, programAt, runConfined } from "./confined.ts";
import { makeFairLimiter } from "./limiter.ts";
import { refuse } from "./refusal.ts";

export interface Picture {
  readonly media: PictureMedia;
  readonly bytes: Buffer;
}

const PREFIX = /^data:[^,]{0,100};base64,/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** The bytes in a data URL; null if it isn't one, isn't base64, or exceeds `mostBytes`. The declared type is ignored. */
export function bytesOf(dataUrl: string, mostBytes = MOST_PICTURE_BYTES): Buffer | null {
  const prefix = PREFIX.exec(dataUrl)?.[0];
  if (prefix === undefined) return null;
  const text = dataUrl.slice(prefix.length);
  if (text.length > Math.ceil(mostBytes / 3) * 4 || text.length % 4 !== 0 || !BASE64.test(text)) return null;
  const bytes = Buffer.from(text, "base64");
  return bytes.length > mostBytes ? null : bytes;
}

/** By the first bytes: PNG 3rd edition, section 5.2; JPEG's SOI and the marker after it; RIFF's form type; GIF's signature. */
export function mediaOf(bytes: Buffer): PictureMedia | null {
  const text = (from: number, to: number) => bytes.toString("latin1", from, to);
  if (text(0, 8) === "\x89PNG\r\n\x1a\n") return "image/png";
  if (text(0, 3) === "\xff\xd8\xff") return "image/jpeg";
  if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return "image/webp";
  return ["GIF87a", "GIF89a"].includes(text(0, 6)) ? "image/gif" : null;
}

/** The result for a picture: redrawn, broken, or too detailed. */
export type Drawn = Picture | "broken" | "too_detailed";
export type Draw = (picture: Picture) => Promise<Drawn>;

/** A picture at the limit of pixels takes a second or two of one core, and 300 MB with the library. */
const LIMITS: Limits = { ms: 20_000, memoryBytes: 640 * 2 ** 20 };

/** In a separate process: a few kB can keep a decoder busy for hours, and a thread cannot be ended. */
export const drawConfined =
  (limits = LIMITS): Draw =>
  async ({ media, bytes }) => {
    try {
      const drawn = (await runConfined(programAt("platform/picture-drawer"), { media, bytes }, limits)) as Drawn;
      return typeof drawn === "string" ? drawn : { media: drawn.media, bytes: Buffer.from(drawn.bytes) };
    } catch (error) {
      if (error instanceof LimitExceeded) return "broken";
      throw error;
    }
  };

const DRAWN_AT_ONCE = 1;
/** The memory for waiting pictures is bounded where bodies are read. */
const MOST_WAITING = { waiting: 64, ofOne: MOST_UPLOADS_WAITING };
const turns = makeFairLimiter(DRAWN_AT_ONCE, MOST_WAITING);

/**
 * Redraws a member's picture: same looks, right way up, nothing else from the file, so no location or trailing data remains. Null
 * if it is not one of the four kinds, broken, or takes more than any real picture does. Members take turns, so one who sends many
 * large pictures does not block the others.
 * @throws Refusal picture.too_detailed before drawing anything; request.large_busy
 */
export async function drawnAnew(memberId: string, bytes: Buffer, draw: Draw): Promise<Picture | null> {
  const media = mediaOf(bytes);
  if (media === null || bytes.length > MOST_PICTURE_BYTES) return null;
  const turn = await turns(memberId, () => draw({ media, bytes }));
  const drawn = (turn ?? refuse("request.large_busy", { seconds: 5 })).result;
  if (drawn === "too_detailed") return refuse("picture.too_detailed", { megapixels: MOST_PICTURE_PIXELS / 1_000_000 });
  return drawn === "broken" ? null : drawn;
}
