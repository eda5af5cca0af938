import { MOST_PICTURE_BYTES, PICTURE_MEDIA } from "@krug/domain/picture-rules";

/** A larger picture is scaled down before upload: on a phone's connection a photograph takes a minute. */
const SMALL_BYTES = 600_000;
const LONGEST_SIDE_PX = 1_600;
const JPEG_QUALITY = 0.82;

export type ReceiptProblem = "notPicture" | "tooLarge";

/** The picture as a data URL that the panel accepts, or why it cannot be one. */
export async function receiptOf(file: File): Promise<{ url: string } | { problem: ReceiptProblem }> {
  const isTaken = (PICTURE_MEDIA as readonly string[]).includes(file.type);
  if (isTaken && file.size <= SMALL_BYTES) return { url: await dataUrlOf(file) };
  const smaller = await madeSmaller(file);
  if (smaller !== null) return { url: await dataUrlOf(smaller) };
  if (!isTaken) return { problem: "notPicture" };
  return file.size > MOST_PICTURE_BYTES ? { problem: "tooLarge" } : { url: await dataUrlOf(file) };
}

/** As JPEG, which drops the location of a photograph; null if the browser can't read it. */
async function madeSmaller(file: File): Promise<Blob | null> {
  if (typeof createImageBitmap === "undefined") return null;
  const picture = await createImageBitmap(file).catch(() => null);
  if (picture === null) return null;
  const scale = Math.min(1, LONGEST_SIDE_PX / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  const pen = canvas.getContext("2d");
  if (pen === null) return null;
  // Transparent parts become white, like paper.
  pen.fillStyle = "#ffffff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", JPEG_QUALITY));
}

const dataUrlOf = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
