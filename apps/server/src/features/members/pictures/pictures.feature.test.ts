import { randomBytes } from "node:crypto";
import { MOST_PICTURE_BYTES, MOST_UPLOADS_WAITING, UPLOADS_KEPT_MS } from "@krug/domain/picture-rules";
import sharp from "sharp";
import { expect, onTestFinished, test } from "vitest";
import { aPicture, asDataUrl } from "../../../../testing/a-picture.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

async function aClub() {
  const club = await startClub({ localServer: "off" });
  onTestFinished(() => club.stop());
  return club;
}

const upload = async (club: Club, who: Person, bytes: Uint8Array, headers: Record<string, string> = {}) => {
  const answer = await club.as(who).send("POST", "/api/pictures", bytes, { "content-type": "image/jpeg", ...headers });
  return { ...answer, id: (answer.body as { id?: string }).id ?? "" };
};
const says = (club: Club, who: Person, attachments: string[], key?: string) =>
  club.as(who).call("POST /support/messages", {
    body: { attachments },
    ...(key === undefined ? {} : { headers: { "idempotency-key": key } }),
  });
const imagesOf = async (club: Club, who: Person, paths: readonly string[]) =>
  Promise.all(
    paths.map(async (path) => {
      const answer = await fetch(`${club.origin}${path}`, { headers: { authorization: `Bearer ${who.token}` } });
      return Buffer.from(await answer.arrayBuffer());
    }),
  );
const waiting = (club: Club) =>
  club.db
    .selectFrom("uploaded_pictures" as never)
    .selectAll()
    .execute();

test("a picture is uploaded as raw bytes, recognised by its content, and sent with the message that names it, in order", async () => {
  const club = await aClub();
  const boris = await club.member();
  const [red, blue] = [await aPicture({ colour: "#f00" }), await aPicture({ colour: "#00f", media: "image/webp" })];
  const [first, second] = [await upload(club, boris, red), await upload(club, boris, blue)];
  expect([first.status, second.status]).toEqual([201, 201]);
  const { status, body } = await says(club, boris, [second.id, asDataUrl(red), first.id, second.id]);
  expect(status).toBe(201);
  const images = await imagesOf(club, boris, body.attachments);
  const formats = await Promise.all(images.map(async (image) => (await sharp(image).metadata()).format));
  expect(formats).toEqual(["webp", "png", "png", "webp"]);
  expect(await waiting(club)).toEqual([]);
});

test("a receipt is uploaded in the same way", async () => {
  const club = await aClub();
  const [boris, admin] = [await club.member(), await club.admin()];
  await club.as(admin).call("PUT /admin/payments/settings", { body: { price: "300", details: "Карта" } });
  const { id } = await upload(club, boris, await aPicture({ media: "image/gif" }));
  const { body } = await club.as(boris).call("POST /payments/claim", { body: { receipt: id } });
  expect(body.claim?.receipt).toEqual(expect.any(String));
  const [receipt] = await imagesOf(club, boris, ["/api/payments/claim/receipt"]);
  expect(receipt?.toString("latin1", 0, 6)).toBe("GIF89a");
  expect((await club.as(boris).call("POST /payments/claim", { body: { receipt: id } })).code).toBe(
    "picture.upload_gone",
  );
});

test("an upload belongs to its member only, serves one message, and is deleted after an hour", async () => {
  const club = await aClub();
  const [boris, vera, admin] = [await club.member(), await club.member(), await club.admin()];
  const bytes = await aPicture();
  const { id } = await upload(club, boris, bytes);
  for (const other of [vera, admin]) expect((await says(club, other, [id])).code).toBe("picture.upload_gone");
  expect((await upload(club, vera, bytes)).id).not.toBe(id);
  expect((await says(club, boris, [id])).status).toBe(201);
  expect((await says(club, boris, [id])).code).toBe("picture.upload_gone");
  await upload(club, boris, bytes);
  club.clock.advance(UPLOADS_KEPT_MS + 1);
  expect((await says(club, boris, [id])).code).toBe("picture.upload_gone");
  await club.app.forgetOld();
  expect(await waiting(club)).toEqual([]);
});

test("a refused message leaves its uploads, and a message whose answer was lost is not written twice", async () => {
  const club = await aClub();
  const boris = await club.member();
  const bytes = await aPicture();
  const { id } = await upload(club, boris, bytes);
  const unknown = "00000000-0000-4000-8000-000000000000";
  expect((await says(club, boris, [id, unknown])).code).toBe("picture.upload_gone");
  const sent = await says(club, boris, [id], "key-1");
  expect(sent.status).toBe(201);
  // Resent from the start by a page that got neither answer: the same picture has the same id.
  expect((await upload(club, boris, bytes)).id).toBe(id);
  expect((await says(club, boris, [id], "key-1")).body.id).toBe(sent.body.id);
  expect((await club.as(boris).call("GET /support/messages")).body).toHaveLength(1);
});

test("a member who uploads more than they send keeps the newest, and deleting a member deletes their uploads", async () => {
  const club = await aClub();
  const [boris, admin] = [await club.member(), await club.admin()];
  const ids: string[] = [];
  for (let n = 0; n <= MOST_UPLOADS_WAITING; n++) {
    club.clock.advance(1_000);
    ids.push((await upload(club, boris, await aPicture({ width: n + 1 }))).id);
  }
  expect(await waiting(club)).toHaveLength(MOST_UPLOADS_WAITING);
  expect((await says(club, boris, ids.slice(0, 1))).code).toBe("picture.upload_gone");
  expect((await says(club, boris, ids.slice(-4))).status).toBe(201);
  await club.as(admin).call("DELETE /users/{id}", { params: { id: boris.id } });
  expect(await waiting(club)).toEqual([]);
});

test("a file that is not a picture, too long or of another media type is refused with the reason, and not stored", async () => {
  const club = await aClub();
  const boris = await club.member();
  const bytes = await aPicture();
  const refusals = [
    await upload(club, boris, Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), {
      "content-type": "image/svg+xml",
    }),
    await upload(club, boris, Buffer.alloc(0)),
    await upload(club, boris, randomBytes(10_000)),
    await upload(club, boris, Buffer.concat([bytes, Buffer.alloc(MOST_PICTURE_BYTES - bytes.length + 1)])),
    await upload(club, boris, Buffer.from('{"a":1}'), { "content-type": "application/json" }),
    await club.as(boris).send("POST", "/api/support/messages", bytes, { "content-type": "image/png" }),
    await club.as(boris).send("POST", "/api/pictures"),
    await club.guest.send("POST", "/api/pictures", bytes, { "content-type": "image/png" }),
  ];
  expect(refusals.map(({ status, code }) => [status, code])).toEqual([
    [400, "picture.invalid"],
    [400, "picture.invalid"],
    [400, "picture.invalid"],
    [413, "request.too_large"],
    [415, "request.media_type"],
    [415, "request.media_type"],
    [400, "picture.invalid"],
    [401, "auth.required"],
  ]);
  expect(refusals[4]?.message).toContain("image/png, image/jpeg, image/webp, image/gif");
  expect(await waiting(club)).toEqual([]);
});

test("a member's photograph does not reveal where it was taken", async () => {
  const club = await aClub();
  const boris = await club.member();
  const gps = { IFD0: { Copyright: "Boris" }, IFD3: { GPSLatitude: "55/1 45/1 0/1", GPSLatitudeRef: "N" } };
  const photograph = await sharp(await aPicture({ media: "image/jpeg" }))
    .jpeg()
    .withExif(gps)
    .toBuffer();
  expect((await sharp(photograph).metadata()).exif).toBeDefined();
  const { id } = await upload(club, boris, photograph);
  const { body } = await says(club, boris, [id, asDataUrl(photograph)]);
  for (const image of await imagesOf(club, boris, body.attachments)) {
    expect((await sharp(image).metadata()).exif).toBeUndefined();
    expect(image.includes("Boris")).toBe(false);
  }
});

test("pictures are accepted from many members at a time, and one at a time from each", async () => {
  const club = await aClub();
  const members = await Promise.all(Array.from({ length: 6 }, () => club.member()));
  const large = Buffer.concat([await aPicture(), Buffer.alloc(400_000)]);
  const answers = await Promise.all(members.map((member) => upload(club, member, large)));
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
});
