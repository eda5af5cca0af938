import { describe, expect, test } from "vitest";
import { pictureOf } from "./pictures.ts";

const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
const jpeg = Buffer.from("ffd8ffe000104a46494600", "hex");
const webp = Buffer.concat([Buffer.from("RIFF"), Buffer.from([4, 0, 0, 0]), Buffer.from("WEBPVP8 ")]);
const gif = Buffer.from("GIF89a\x01\x00\x01\x00", "latin1");
const url = (bytes: Buffer, media = "image/png") => `data:${media};base64,${bytes.toString("base64")}`;

describe("a picture is known by its own bytes", () => {
  test.each([
    ["image/png", png],
    ["image/jpeg", jpeg],
    ["image/webp", webp],
    ["image/gif", gif],
    ["image/gif", Buffer.from("GIF87a....")],
  ])("%s", (media, bytes) => {
    expect(pictureOf(url(bytes, media))).toEqual({ media, bytes });
  });

  test("whatever the address says it is", () => {
    expect(pictureOf(url(jpeg, "image/png"))?.media).toBe("image/jpeg");
    expect(pictureOf(url(gif, "text/html"))?.media).toBe("image/gif");
    expect(pictureOf(`data:;base64,${png.toString("base64")}`)?.media).toBe("image/png");
  });
});

test.each([
  ["SVG", url(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>"), "image/svg+xml")],
  ["a page that calls itself a picture", url(Buffer.from("<!doctype html><p>hello</p>"), "image/png")],
  ["RIFF of another kind", url(Buffer.from("RIFF....WAVEfmt "), "image/webp")],
  ["nothing at all", "data:image/png;base64,"],
  ["only the start of a signature", url(png.subarray(0, 5))],
  ["no data address", "https://club.example/receipt.png"],
  ["text that is not base64", `data:image/png,${encodeURIComponent(png.toString("latin1"))}`],
  ["base64 with strange signs", `${url(png).slice(0, -4)}@@@@`],
  ["base64 of a wrong length", `${url(png)}A`],
  ["another alphabet of base64", url(Buffer.concat([png, Buffer.from([0xfb, 0xff, 0xfe])])).replace(/[+/]/g, "_")],
])("%s is no picture", (_, address) => {
  expect(pictureOf(address)).toBeNull();
});

test("a picture may be as long as the limit and not a byte longer", () => {
  const padded = (length: number) => Buffer.concat([png, Buffer.alloc(length - png.length)]);
  for (const most of [98, 99, 100]) {
    expect(pictureOf(url(padded(most)), most)?.bytes).toHaveLength(most);
    expect(pictureOf(url(padded(most + 1)), most)).toBeNull();
  }
});
