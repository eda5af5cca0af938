const MOST_CHARACTERS = 200;
/** A host with an optional port, then a path: no login, no parameters. */
const ADDRESS = /^https:\/\/[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?(?::\d{1,5})?(?:\/[\p{L}\p{N}._~/-]*)?$/u;

/** Whether this is an HTTPS address that can serve as a mirror of the panel. */
export const isMirrorAddress = (text: string): boolean => text.length <= MOST_CHARACTERS && ADDRESS.test(text);
