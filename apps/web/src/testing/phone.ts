import { vi } from "vitest";

const lookedAt = (matches: (media: string) => boolean) =>
  vi.stubGlobal("matchMedia", (media: string) => ({
    matches: matches(media),
    media,
    addEventListener() {},
    removeEventListener() {},
    addListener() {},
    removeListener() {},
  }));

/** The page is looked at on a phone, until the test ends. */
export const onPhone = () => lookedAt((media) => media.includes("coarse"));

/** In a window of 1024 px, where a table is next to the sections. */
export const onNarrowDesk = () => lookedAt((media) => media.includes("max-width: 79.99em"));

/** In a window so narrow that lists are cards. */
export const inNarrowWindow = () => lookedAt((media) => media.includes("max-width: 47.99em"));
