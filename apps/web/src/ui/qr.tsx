import { clearestQr, QR_MARGIN, QR_SCALE, type QrLevel, READABLE_MODULES } from "@krug/domain/qr-code";
import QRCode from "qrcode";
import { useMemo } from "react";
import { useMemberText } from "../lib/i18n/member.ts";
import { withApp } from "../lib/i18n/typography.ts";
import { Banner } from "./banner.tsx";
import { Hint } from "./hint.tsx";
import classes from "./qr.module.css";

interface Drawing {
  /** Modules per side, without the margin. */
  size: number;
  path: string;
}

export const drawQr = (text: string): Drawing | null => clearestQr((level) => attempt(text, level));

function attempt(text: string, errorCorrectionLevel: QrLevel): Drawing | null {
  try {
    const { modules } = QRCode.create(text, { errorCorrectionLevel });
    let path = "";
    for (let y = 0; y < modules.size; y += 1) {
      for (let x = 0; x < modules.size; x += 1) {
        if (modules.get(y, x)) path += `M${x + QR_MARGIN},${y + QR_MARGIN}h1v1h-1z`;
      }
    }
    return { size: modules.size, path };
  } catch {
    return null;
  }
}

/** The code on white in both themes, as large as the room allows. `app`: the app that scans it, if it is a config. */
export function Qr({ text, label, app = "WireGuard" }: { text: string; label: string; app?: string }) {
  const { qr } = withApp(useMemberText(), app);
  const drawing = useMemo(() => drawQr(text), [text]);
  if (!drawing) {
    return (
      <Banner tone="move" title={qr.impossible} live>
        {qr.impossibleMore}
      </Banner>
    );
  }
  const side = drawing.size + 2 * QR_MARGIN;
  return (
    <>
      <svg
        className={classes.code}
        style={{ maxWidth: Math.max(side * QR_SCALE, 320) }}
        viewBox={`0 0 ${side} ${side}`}
        shapeRendering="crispEdges"
        role="img"
        aria-label={label}
      >
        <path d={drawing.path} fill="#0C1915" />
      </svg>
      {drawing.size > READABLE_MODULES && <Hint>{qr.dense}</Hint>}
    </>
  );
}
