import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Time } from "../fields.ts";

const Token = z.string().regex(/^[\w-]{43}$/);

/** Files for programs that save none from pages: Telegram's Mini App (ADR 184). Beyond the specifications. */
export const fileLinks = {
  make: endpoint("POST /vpn/configs/{id}/file-link", {
    access: "member",
    summary: "A link that gives your config's file, with its key, for two minutes, to a program without your session",
    body: z.strictObject({
      /** telegram: counts as given once Telegram also says that the person agreed; browser: once the file was sent. */
      opensIn: z.enum(["telegram", "browser"]),
    }),
    answer: z.object({ token: Token, fileName: z.string(), expiresAt: Time }),
    creation: true,
    refusals: ["config.not_found", "config.key_in_browser", "config.routes_unknown", "config.secret_lost"],
  }),
  accept: endpoint("PUT /vpn/configs/{id}/file-link", {
    access: "member",
    summary: "The person has agreed to the download by this link",
    body: z.strictObject({ token: Token }),
    answer: null,
    refusals: ["config.not_found"],
  }),
  open: endpoint("GET /vpn/files/{token}", {
    access: "public",
    summary: "The file that a link gives, until it was delivered once",
    params: z.object({ token: z.string().max(200) }),
    answer: { media: "application/octet-stream" },
    refusals: ["auth.link_invalid", "config.secret_lost"],
  }),
};
