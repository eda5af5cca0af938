/** What a picture that a member sends may be: never SVG, which can hold scripts (decisions, sections 5 and 10). */
export const PICTURE_MEDIA = ["image/png", "image/jpeg", "image/webp", "image/gif"] as const;

export type PictureMedia = (typeof PICTURE_MEDIA)[number];

/** 5 MB. */
export const MOST_PICTURE_BYTES = 5 * 1024 * 1024;
