import { MOST_PICTURE_BYTES, PICTURE_MEDIA } from "@krug/domain/picture-rules";

/** File types offered by the file dialog. */
export const ACCEPTED = PICTURE_MEDIA.join(",");

/** A screenshot stays readable at this width or height, and a photograph is small enough for a message. */
const LONGEST_SIDE = 2048;
const SMALL_BYTES = 1024 * 1024;

/**
 * A file as the data URL to send, or null if it is not an image that support accepts. Photographs are scaled down, which also removes
 * their location.
 */
export async function imageOf(file: File): Promise<string | null> {
  const known = (PICTURE_MEDIA as readonly string[]).includes(file.type);
  // A GIF may be animated, which any other format would lose.
  const small = file.type === "image/gif" ? null : await madeSmall(file);
  const sent = small ?? (known ? file : null);
  return sent === null || sent.size > MOST_PICTURE_BYTES ? null : dataUrlOf(sent);
}

/** Null if the browser cannot read it as an image. */
async function madeSmall(file: File): Promise<Blob | null> {
  const bitmap = await decoded(file);
  if (bitmap === null) return null;
  const scale = Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height));
  const drawing = file.type === "image/png" || file.type === "image/webp";
  if (drawing && scale === 1 && file.size <= SMALL_BYTES) return file;
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  if (context === null) return null;
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.85));
}

async function decoded(file: File): Promise<ImageBitmap | null> {
  if (typeof createImageBitmap === "undefined") return null;
  return createImageBitmap(file).catch(() => null);
}

function dataUrlOf(blob: Blob): Promise<string | null> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => resolve(null);
    reader.readAsDataURL(blob);
  });
}
