import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Id, Time } from "../fields.ts";

/** Far longer than the endpoints of known push services. */
const MOST_ENDPOINT = 2048;

/** A browser's subscription (Push API, section 8; RFC 8291): its address, and the keys to encrypt what is sent there. */
const Subscription = {
  endpoint: z
    .url({ protocol: /^https$/ })
    .max(MOST_ENDPOINT)
    .regex(/^https:\/\/[^/?#@\\]+(\/[!"$-~]*)?$/),
  keys: z.strictObject({
    /** A point of P-256, uncompressed, base64url. */
    p256dh: z.string().regex(/^B[\w-]{86}$/),
    /** 16 bytes, base64url. */
    auth: z.string().regex(/^[\w-]{22}$/),
  }),
};
/** The notifications' language. */
const Language = z.enum(["ru", "en"]);

const Browsers = z.object({
  /** Identifies the club to push services (RFC 8292), base64url; null: notices can't be sent to browsers. */
  publicKey: z.string().nullable(),
  browsers: z
    .array(
      z.object({
        id: Id,
        /** 'Chrome, Android'; null if unknown. */
        device: z.string().nullable(),
        createdAt: Time,
        /** Made in this session. */
        current: z.boolean(),
      }),
    )
    .max(10),
});

/** Notices shown by browsers, even while the panel is closed. */
export const push = {
  list: endpoint("GET /push", {
    access: "member",
    summary: "Browsers that show your notices, and the club's key for adding one",
    answer: Browsers,
  }),
  subscribe: endpoint("POST /push", {
    access: "member",
    summary: "Let this browser show your notices",
    body: z.strictObject({ ...Subscription, language: Language }),
    answer: Browsers,
    status: 201,
    creation: true,
    refusals: ["push.unavailable", "push.keys_invalid", "push.address_refused", "push.too_many"],
  }),
  keep: endpoint("PUT /push/current", {
    access: "member",
    summary: "This browser still shows notices, perhaps at a new address or in another language; `here`: yours",
    body: z.strictObject({ ...Subscription, language: Language.optional() }),
    answer: z.object({ here: z.boolean() }),
    refusals: ["push.unavailable", "push.keys_invalid", "push.address_refused"],
  }),
  remove: endpoint("DELETE /push/{id}", {
    access: "member",
    summary: "Stop a browser from showing your notices",
    refusals: ["push.not_found"],
  }),
};

export type PushAnswer = z.output<typeof Browsers>;
