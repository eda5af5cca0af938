import {
  MOST_PICTURE_BYTES,
  MOST_PICTURE_PIXELS,
  MOST_PICTURE_SIDE,
  MOST_UPLOADS_WAITING,
  type PictureMedia,
} from "@krug/domain/picture-rules";
import type { Sharp } from "sharp";
import { refuse } from "./refusal.ts";
import { makeFairTurns } from "./turns.ts";

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

type Library = typeof import("sharp").default;
let library: Promise<Library> | undefined;

/** Loaded with the first picture: it takes 20 MB of memory, and many a panel never draws one. */
function drawing(): Promise<Library> {
  library ??= import("sharp").then(({ default: sharp }) => {
    // Untrusted bytes reach only these four of the library's decoders.
    sharp.block({ operation: ["VipsForeignLoad"] });
    sharp.unblock({
      operation: ["VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadWebp", "VipsForeignLoadNsgif"],
    });
    sharp.cache(false);
    sharp.concurrency(1);
    return sharp;
  });
  return library;
}

/** A picture at the size limit takes about 200 MB and a second or two of one core to draw. */
const DRAWN_AT_ONCE = 1;
/** What waits in memory is bounded where bodies are read. */
const MOST_WAITING = { waiting: 64, ofOne: MOST_UPLOADS_WAITING };
const MOST_SECONDS = 10;
const turns = makeFairTurns(DRAWN_AT_ONCE, MOST_WAITING);

/**
 * Redraws a member's picture off the main thread: same looks, right way up, nothing else from the file, so neither the
 * location nor trailing data is kept. Null if it is not one of the four kinds, or broken. Members have their turns, so one who
 * sends many large ones keeps nobody else's from being drawn.
 * @throws Refusal picture.too_detailed before drawing anything; request.large_busy
 */
export async function drawnAnew(memberId: string, bytes: Buffer): Promise<Picture | null> {
  const media = mediaOf(bytes);
  if (media === null || bytes.length > MOST_PICTURE_BYTES) return null;
  const turn = await turns(memberId, () => draw(bytes, media));
  return (turn ?? refuse("request.large_busy", { seconds: 5 })).result;
}

async function draw(bytes: Buffer, media: PictureMedia): Promise<Picture | null> {
  const sharp = await drawing();
  const animated = media === "image/gif" || media === "image/webp";
  // Reads the header only.
  const about = await sharp(bytes, { animated, limitInputPixels: false, failOn: "error" })
    .metadata()
    .catch(() => null);
  if (about === null) return null;
  const { width, height, pages = 1, pageHeight = height } = about;
  if (width * height > MOST_PICTURE_PIXELS || Math.max(width, pageHeight) > MOST_PICTURE_SIDE)
    refuse("picture.too_detailed", { megapixels: MOST_PICTURE_PIXELS / 1_000_000 });
  const upright = () => {
    const drawn = sharp(bytes, { animated, limitInputPixels: MOST_PICTURE_PIXELS, failOn: "error" });
    return (pages > 1 ? drawn : drawn.autoOrient()).timeout({ seconds: MOST_SECONDS });
  };
  const written = await writtenOrNull(encoded[media](upright(), about.isPalette));
  if (written === null || written.length <= MOST_PICTURE_BYTES) return written && { media, bytes: written };
  // The original was compressed harder than we compress.
  const smaller = await writtenOrNull(upright().resize(SMALLER).webp({ quality: 75, effort: 2 }));
  return smaller === null || smaller.length > MOST_PICTURE_BYTES ? null : { media: "image/webp", bytes: smaller };
}

const SMALLER = { width: 2048, height: 2048, fit: "inside", withoutEnlargement: true } as const;

/** Null if the picture is broken, or takes longer to draw than any real picture does. */
const writtenOrNull = (picture: Sharp): Promise<Buffer | null> => picture.toBuffer().catch(() => null);

/** By default sharp drops metadata and converts colours to sRGB. */
const encoded: Record<PictureMedia, (picture: Sharp, isPalette: boolean) => Sharp> = {
  "image/jpeg": (picture) => picture.jpeg({ quality: 88 }),
  // A palette is kept as it is: more effort finds no better colours.
  "image/png": (picture, isPalette) => picture.png({ palette: isPalette, effort: 1, dither: 0 }),
  "image/webp": (picture) => picture.webp({ quality: 85, effort: 2 }),
  "image/gif": (picture) => picture.gif({ effort: 3 }),
};
