import { expect, test } from "vitest";
import { isMirrorAddress } from "./mirror-address.ts";

test.each(["https://mirror.example", "https://mirror.example:8443/", "https://203.0.113.5", "https://зеркало.рф/круг"])(
  "%s leads to a mirror",
  (text) => expect(isMirrorAddress(text)).toBe(true),
);

test.each([
  "",
  "mirror.example",
  "http://mirror.example",
  "javascript:alert(1)",
  "https://",
  "https://admin:secret@mirror.example",
  "https://@mirror.example",
  "https://mirror.example/?token=1",
  "https://mirror.example/#token=1",
  "https://mirror.example/ page",
  "https://mirror.example/<b>",
  ` https://mirror.example`,
  `https://mirror.example/${"a".repeat(200)}`,
])("%s is not a mirror's address", (text) => expect(isMirrorAddress(text)).toBe(false));
