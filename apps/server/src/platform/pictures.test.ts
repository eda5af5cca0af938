import { randomBytes } from "node:crypto";
import { MOST_PICTURE_BYTES, PICTURE_MEDIA } from "@krug/domain/picture-rules";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { aPicture, asDataUrl } from "../../testing/a-picture.ts";
import { drawPicture } from "./draw-picture.ts";
import { bytesOf, type Draw, drawConfined, drawnAnew as drawnAnewBy, mediaOf } from "./pictures.ts";

/** In this process, which is quicker: drawing strangers' pictures elsewhere is tested below. */
const drawnAnew = (memberId: string, bytes: Buffer, draw: Draw = drawPicture) => drawnAnewBy(memberId, bytes, draw);

const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

describe("the bytes of a data URL", () => {
  test("are read whatever type the URL claims", () => {
    expect(bytesOf(asDataUrl(png, "text/html"))).toEqual(png);
    expect(bytesOf(`data:;base64,${png.toString("base64")}`)).toEqual(png);
  });

  test.each([
    ["nothing at all", "data:image/png;base64,"],
    ["not a data URL", "https://club.example/receipt.png"],
    ["text that is not base64", `data:image/png,${encodeURIComponent(png.toString("latin1"))}`],
    ["base64 with invalid characters", `${asDataUrl(png).slice(0, -4)}@@@@`],
    ["base64 of a wrong length", `${asDataUrl(png)}A`],
    [
      "another alphabet of base64",
      asDataUrl(Buffer.concat([png, Buffer.from([0xfb, 0xff, 0xfe])])).replace(/[+/]/g, "_"),
    ],
  ])("are not read from %s", (_, address) => {
    expect(bytesOf(address)).toBeNull();
  });

  test("may reach the limit but not exceed it by one", () => {
    for (const most of [98, 99, 100]) {
      expect(bytesOf(asDataUrl(Buffer.alloc(most)), most)).toHaveLength(most);
      expect(bytesOf(asDataUrl(Buffer.alloc(most + 1)), most)).toBeNull();
    }
  });
});

/** Metadata that must not survive the panel. */
const SECRET = "secret-place-55.75";
const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description>${SECRET}</rdf:Description></rdf:RDF></x:xmpmeta>`;
const exif = { IFD0: { Copyright: SECRET }, IFD3: { GPSLatitude: "55/1 45/1 0/1", GPSLatitudeRef: "N" } };
/** A comment in the format's own syntax, after the header. */
const comments = {
  "image/jpeg": (bytes: Buffer) => {
    const text = Buffer.from(SECRET);
    return Buffer.concat([
      bytes.subarray(0, 2),
      Buffer.from([0xff, 0xfe, 0, text.length + 2]),
      text,
      bytes.subarray(2),
    ]);
  },
  "image/gif": (bytes: Buffer) =>
    Buffer.concat([
      bytes.subarray(0, -1),
      Buffer.from([0x21, 0xfe, SECRET.length]),
      Buffer.from(SECRET),
      Buffer.from([0, 0x3b]),
    ]),
};

describe("a picture keeps its looks and nothing else from its file", () => {
  test.each(PICTURE_MEDIA)("%s", async (media) => {
    const plain = await aPicture({ media, width: 30, height: 20, colour: "#c33" });
    const told =
      media === "image/gif"
        ? plain
        : await sharp(plain)
            .withExif(exif)
            .withXmp(xmp)
            .toFormat(media.slice(6) as "png")
            .toBuffer();
    const commented = media in comments ? comments[media as keyof typeof comments](told) : told;
    const sent = Buffer.concat([commented, Buffer.from(`<script>${SECRET}</script>PK\x03\x04`)]);
    expect(sent.includes(SECRET)).toBe(true);
    const kept = await drawnAnew("vera", sent);
    expect(kept?.media).toBe(media);
    expect(mediaOf(kept?.bytes ?? Buffer.of())).toBe(media);
    expect(kept?.bytes.includes(SECRET)).toBe(false);
    expect(kept?.bytes.includes("GPS")).toBe(false);
    const about = await sharp(kept?.bytes).metadata();
    expect([about.width, about.height, about.exif, about.xmp, about.comments]).toEqual([
      30,
      20,
      undefined,
      undefined,
      undefined,
    ]);
    const [r = 0, g = 0, b = 0] = await sharp(kept?.bytes).removeAlpha().raw().toBuffer();
    expect(Math.hypot(r - 0xcc, g - 0x33, b - 0x33)).toBeLessThan(12);
  });

  test("a photo taken with the phone held upright comes out upright", async () => {
    const [red, blue] = [
      { r: 255, g: 0, b: 0 },
      { r: 0, g: 0, b: 255 },
    ];
    const wide = sharp({ create: { width: 40, height: 20, channels: 3, background: red } }).composite([
      { input: { create: { width: 20, height: 20, channels: 3, background: blue } }, left: 20, top: 0 },
    ]);
    // 6: rotate a quarter to the right, so the left half ends up on top.
    const sent = await wide.jpeg({ quality: 100 }).withMetadata({ orientation: 6 }).toBuffer();
    const { data, info } = await sharp((await drawnAnew("vera", sent))?.bytes)
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([20, 40]);
    expect((data[0] ?? 0) > 200 && (data[2] ?? 0) < 60).toBe(true);
    const last = data.subarray(-3);
    expect((last[0] ?? 0) < 60 && (last[2] ?? 0) > 200).toBe(true);
  });

  test.each(["gif", "webp"] as const)("an animated %s still moves", async (format) => {
    const frames = await Promise.all(
      ["#f00", "#0f0", "#00f"].map((colour) => aPicture({ colour, width: 20, height: 10 })),
    );
    const sent = await sharp(frames, { join: { animated: true } })
      .toFormat(format, { delay: [100, 200, 300] })
      .toBuffer();
    const about = await sharp((await drawnAnew("vera", sent))?.bytes, { animated: true }).metadata();
    expect([about.pages, about.width, about.pageHeight, about.delay]).toEqual([3, 20, 10, [100, 200, 300]]);
  });

  test("a picture that would grow over the limit is made smaller", async () => {
    const size = 3_600;
    const noise = sharp(randomBytes(size * size * 3), { raw: { width: size, height: size, channels: 3 } });
    const sent = await noise.jpeg({ quality: 40 }).toBuffer();
    expect(sent.length).toBeLessThan(MOST_PICTURE_BYTES);
    const kept = await drawnAnew("vera", sent);
    expect(kept?.bytes.length).toBeLessThanOrEqual(MOST_PICTURE_BYTES);
    expect(await sharp(kept?.bytes).metadata()).toMatchObject({ format: "webp", width: 2_048, height: 2_048 });
  }, 60_000);
});

describe("anything but a single picture is refused", () => {
  test.each([
    ["SVG", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>")],
    ["a page", Buffer.from("<!doctype html><p>hello</p>")],
    ["RIFF of another kind", Buffer.from("RIFF....WAVEfmt ")],
    ["only the start of a signature", png.subarray(0, 5)],
    ["a head without a picture", png],
    ["nothing", Buffer.alloc(0)],
    ["a TIFF, which the library could read", Buffer.from("49492a00080000000000", "hex")],
  ])("%s", async (_, bytes) => {
    expect(await drawnAnew("vera", bytes)).toBeNull();
  });

  test("half a picture, and one format under another's header", async () => {
    const whole = await aPicture({ width: 200, height: 200, noise: true });
    expect(await drawnAnew("vera", whole.subarray(0, whole.length / 2))).toBeNull();
    const svg = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>");
    expect(await drawnAnew("vera", Buffer.concat([png.subarray(0, 8), svg]))).toBeNull();
  });

  test("a few kB that declare billions of pixels, before any is drawn", async () => {
    const bomb = await aPicture({ width: 1, height: 1 });
    // The width and height of a PNG's header, and its checksum.
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(60_000, 20);
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
    const began = process.memoryUsage().rss;
    await expect(drawnAnew("vera", bomb)).rejects.toMatchObject({
      code: "picture.too_detailed",
      details: { megapixels: 16 },
    });
    expect(process.memoryUsage().rss - began).toBeLessThan(100_000_000);
    const large = await sharp({ create: { width: 8_000, height: 2_001, channels: 3, background: "#fff" } })
      .png()
      .toBuffer();
    await expect(drawnAnew("vera", large)).rejects.toMatchObject({ code: "picture.too_detailed" });
    const long = await sharp({ create: { width: 1, height: 16_384, channels: 3, background: "#fff" } })
      .png()
      .toBuffer();
    await expect(drawnAnew("vera", long)).rejects.toMatchObject({ code: "picture.too_detailed" });
    const frames = await Promise.all(
      ["#f00", "#0f0", "#00f"].map((colour) => aPicture({ colour, width: 2_400, height: 2_400 })),
    );
    const moving = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    await expect(drawnAnew("vera", moving)).rejects.toMatchObject({ code: "picture.too_detailed" });
  });
});

/** As PNG defines it (3rd edition, annex D). */
function crc32(bytes: Buffer): number {
  let rest = 0xffffffff;
  for (const byte of bytes) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  }
  return (rest ^ 0xffffffff) >>> 0;
}

test("a member who sends more than wait of one is refused the rest, and another's picture does not wait for them all", async () => {
  const picture = await aPicture({ width: 300, height: 300, noise: true });
  const done: string[] = [];
  const draw = (memberId: string) =>
    drawnAnew(memberId, picture).then(
      () => done.push(memberId),
      (error: { code: string }) => error.code,
    );
  const all = [...Array.from({ length: 10 }, () => draw("vera")), draw("anton")];
  expect(await all[9]).toBe("request.large_busy");
  await Promise.all(all);
  expect(done).toHaveLength(10);
  expect(done.slice(0, 3)).toContain("anton");
});

/**
 * A grey JPEG whose every further scan says in 32 bytes that none of its 249,001 blocks changes; a decoder goes through them all.
 */
function jpegOfScans(count: number): Buffer {
  const side = 3_992;
  const blocks = (side / 8) ** 2;
  const segment = (marker: number, ...body: number[]) => [
    0xff,
    marker,
    (body.length + 2) >> 8,
    (body.length + 2) & 0xff,
    ...body,
  ];
  /** A code of one bit for the only symbol (ITU-T T.81, B.2.4.2). */
  const huffman = (table: number, symbol: number) => segment(0xc4, table << 4, 1, ...Array<number>(15).fill(0), symbol);
  const scanOf = (from: number, to: number) => segment(0xda, 1, 1, 0, from, to, 0);
  const head = [
    ...[0xff, 0xd8],
    ...segment(0xdb, 0, ...Array<number>(64).fill(1)),
    ...segment(0xc2, 8, side >> 8, side & 0xff, side >> 8, side & 0xff, 1, 1, 0x11, 0),
    ...huffman(0, 0),
    ...huffman(1, 0xe0),
    ...scanOf(0, 0),
  ];
  // End of band for 32,767 blocks: the code, and 14 bits of ones (T.81, G.1.2.2).
  const run = `0${"1".repeat(14)}`.repeat(Math.ceil(blocks / 32_767));
  const bytes = (run.padEnd(Math.ceil(run.length / 8) * 8, "1").match(/.{8}/g) ?? []).map((bits) =>
    Number.parseInt(bits, 2),
  );
  const scan = Buffer.from([...scanOf(1, 63), ...bytes.flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte]))]);
  return Buffer.concat([
    Buffer.from(head),
    Buffer.alloc(Math.ceil(blocks / 8)),
    ...Array<Buffer>(count).fill(scan),
    Buffer.from([0xff, 0xd9]),
  ]);
}

test("a picture that would keep the library busy for hours is given up with its process, and others are drawn there as here", async () => {
  const bomb = jpegOfScans(160_000);
  expect(bomb.length).toBeLessThan(MOST_PICTURE_BYTES);
  expect(await drawnAnew("vera", bomb, drawConfined({ ms: 1_000, memoryBytes: 2 ** 30 }))).toBeNull();
  expect(await drawnAnew("vera", jpegOfScans(1))).toMatchObject({ media: "image/jpeg" });
  const real = await aPicture({ media: "image/jpeg", width: 30, height: 20, noise: true });
  expect(await drawnAnew("vera", real, drawConfined())).toEqual(await drawnAnew("vera", real));
  const large = await sharp({ create: { width: 8_000, height: 2_001, channels: 3, background: "#fff" } })
    .png()
    .toBuffer();
  await expect(drawnAnew("vera", large, drawConfined())).rejects.toMatchObject({ code: "picture.too_detailed" });
}, 60_000);
