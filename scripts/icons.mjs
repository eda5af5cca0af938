import { mkdirSync, readFileSync } from "node:fs";
import sharp from "sharp";
import { ROOT } from "./command.mjs";

/*
 * `node scripts/icons.mjs` draws the home screen's icons from the club's mark. They are checked in: run it after the mark or the
 * page's colour has changed.
 */
const PUBLIC = `${ROOT}apps/web/public/`;
/** The dark page's background (src/ui/page-tools.tsx). */
const GROUND = "#0C1915";
const mark = /<path.*>/.exec(readFileSync(`${PUBLIC}mark.svg`, "utf8"))?.[0].replace("</svg>", "");
const MARK_SIZE = 32;

/**
 * @param {string} name
 * @param {number} size  of the picture, in px
 * @param {{ share: number, corner: number }} look  the mark's share of the width, and the corners' radius as a share of it
 */
async function draw(name, size, { share, corner }) {
  const scale = (size * share) / MARK_SIZE;
  const margin = (size * (1 - share)) / 2;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">
    <rect width="${size}" height="${size}" rx="${size * corner}" fill="${GROUND}"/>
    <g transform="translate(${margin} ${margin}) scale(${scale})">${mark}</g>
  </svg>`;
  await sharp(Buffer.from(svg)).png({ compressionLevel: 9, palette: true }).toFile(`${PUBLIC}icons/${name}.png`);
}

mkdirSync(`${PUBLIC}icons`, { recursive: true });
await draw("icon-192", 192, { share: 0.66, corner: 0.22 });
await draw("icon-512", 512, { share: 0.66, corner: 0.22 });
// The system cuts its own shape out of these: only the inner 80 % are certain to be visible.
await draw("maskable-512", 512, { share: 0.54, corner: 0 });
await draw("apple-180", 180, { share: 0.62, corner: 0 });
