/** What a picture that a member sends may be: never SVG, which can hold scripts (decisions, sections 5 and 10). */
export const PICTURE_MEDIA = ["image/png", "image/jpeg", "image/webp", "image/gif"] as const;

export type PictureMedia = (typeof PICTURE_MEDIA)[number];

/** 5 MB. */
export const MOST_PICTURE_BYTES = 5 * 1024 * 1024;

/** In all frames together. A phone's photograph has 12 million; a few kB can hold billions, which would have to be drawn. */
export const MOST_PICTURE_PIXELS = 16_000_000;
/** Pixels along a side: the most that WebP knows. */
export const MOST_PICTURE_SIDE = 16_383;

/** Of one member: what he uploaded and sent with nothing yet. A message takes four. */
export const MOST_UPLOADS_WAITING = 8;
/** ms: what is uploaded is sent within minutes. */
export const UPLOADS_KEPT_MS = 60 * 60_000;
