/** 128 random bits in hex. Unlike crypto.randomUUID, it also works on a page without https. */
export function idempotencyKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
