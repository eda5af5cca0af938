import type { TunnelAnswer } from "@krug/contract/vpn/interfaces";
import { clearestQr, QR_MARGIN, QR_SCALE, READABLE_MODULES } from "@krug/domain/qr-code";
import type { Context } from "grammy";
import type { Words } from "./words.ts";

type File = { name: string; content: string; tunnel: TunnelAnswer };

const appOf = ({ tunnel }: File) => (tunnel.version === null ? "WireGuard" : `AmneziaWG (${tunnel.version})`);

/** Sends a config's file, with its QR code if it fits in one, to this chat. Neither is stored or logged. */
export async function sendFile(ctx: Context, file: File, say: Words): Promise<void> {
  const { InputFile } = await import("grammy");
  await ctx.replyWithDocument(new InputFile(Buffer.from(file.content), `${file.name}.conf`), {
    caption: say.file(file.name, appOf(file)),
  });
  const picture = await qrPicture(file.content);
  if (picture !== null)
    await ctx.replyWithPhoto(new InputFile(picture, `${file.name}.png`), {
      caption: say.fileQr(file.name, appOf(file)),
    });
}

/** PNG; null if the text is too long for a code that cameras read. */
async function qrPicture(text: string): Promise<Buffer | null> {
  const { default: QRCode } = await import("qrcode");
  const drawing = clearestQr((level) => {
    try {
      return { level, size: QRCode.create(text, { errorCorrectionLevel: level }).modules.size };
    } catch {
      return null;
    }
  });
  if (drawing === null || drawing.size > READABLE_MODULES) return null;
  return QRCode.toBuffer(text, { errorCorrectionLevel: drawing.level, margin: QR_MARGIN, scale: QR_SCALE });
}
