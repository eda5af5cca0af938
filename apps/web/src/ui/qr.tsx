import QRCode from "qrcode";
import { useMemo } from "react";
import { useMemberText } from "../lib/i18n/member.ts";
import { Banner } from "./banner.tsx";
import { Hint } from "./hint.tsx";
import classes from "./qr.module.css";

/** User-side, section 7: error correction H, margin 1, scale 8; decisions, section 6: down to L if H is too small. */
const LEVELS = ["H", "Q", "M", "L"] as const;
const MARGIN = 1;
const SCALE = 8;
/** More modules than this, on 320 px of a phone, are finer than cameras read well (2.4 px each). */
const READABLE_MODULES = 133;

interface Drawing {
  /** Modules on a side, without the margin. */
  size: number;
  path: string;
}

/** The most robust code that holds the text and stays readable; the least dense one if none does; null if none holds it. */
export function drawQr(text: string): Drawing | null {
  let densest: Drawing | null = null;
  for (const errorCorrectionLevel of LEVELS) {
    const drawing = attempt(text, errorCorrectionLevel);
    if (drawing && drawing.size <= READABLE_MODULES) return drawing;
    densest = drawing ?? densest;
  }
  return densest;
}

function attempt(text: string, errorCorrectionLevel: (typeof LEVELS)[number]): Drawing | null {
  try {
    const { modules } = QRCode.create(text, { errorCorrectionLevel });
    let path = "";
    for (let y = 0; y < modules.size; y += 1) {
      for (let x = 0; x < modules.size; x += 1) {
        if (modules.get(y, x)) path += `M${x + MARGIN},${y + MARGIN}h1v1h-1z`;
      }
    }
    return { size: modules.size, path };
  } catch {
    return null;
  }
}

/** The code on white in both themes, as large as there is room. */
export function Qr({ text, label }: { text: string; label: string }) {
  const { qr } = useMemberText();
  const drawing = useMemo(() => drawQr(text), [text]);
  if (!drawing) {
    return (
      <Banner tone="move" title={qr.impossible} live>
        {qr.impossibleMore}
      </Banner>
    );
  }
  const side = drawing.size + 2 * MARGIN;
  return (
    <>
      <svg
        className={classes.code}
        style={{ maxWidth: Math.max(side * SCALE, 320) }}
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
