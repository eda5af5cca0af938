import type { speed as ru } from "../ru/speed.ts";

export const speed: typeof ru = {
  label: "Speed limit, Mbit/s",
  hint: "In each direction, for all devices of the member together. Applies on each server separately.",
  none: "No speed limit",
  wrong: "Enter a whole number from 1 to 10,000",
  slow: "Speed after that, Mbit/s",
  upTo: (mbit) => `Up to ${mbit} Mbit/s for all devices together`,
};
