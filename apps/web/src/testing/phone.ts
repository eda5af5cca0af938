import { vi } from "vitest";

/** The page is looked at on a phone, until the test ends. */
export function onPhone() {
  vi.stubGlobal("matchMedia", (media: string) => ({
    matches: media.includes("coarse"),
    media,
    addEventListener() {},
    removeEventListener() {},
    addListener() {},
    removeListener() {},
  }));
}
