import { HOUR_MS } from "./moment.ts";

/** Which pictures a member may send: never SVG, which can hold scripts (decisions, sections 5 and 10). */
export const PICTURE_MEDIA = ["image/png", "image/jpeg", "image/webp", "image/gif"] as const;

export type PictureMedia = (typeof PICTURE_MEDIA)[number];

/** 5 MB. */
export const MOST_PICTURE_BYTES = 5 * 1024 * 1024;

/** Over all frames. A phone photo has 12 million; a few kB can declare billions, all of which the panel would have to draw. */
export const MOST_PICTURE_PIXELS = 16_000_000;
/** Pixels along a side: WebP's maximum. */
export const MOST_PICTURE_SIDE = 16_383;

/** A member's uploads that are not attached to anything yet. A message takes four. */
export const MOST_UPLOADS_WAITING = 8;
/** ms: uploads are normally sent within minutes. */
export const UPLOADS_KEPT_MS = HOUR_MS;
