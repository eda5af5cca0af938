import { MOST_PICTURE_BYTES } from "@krug/domain/picture-rules";
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Id } from "../fields.ts";

/** Beyond the specifications: pictures are uploaded as raw bytes, one at a time, and a message or a claim then names them. */
export const pictures = {
  upload: endpoint("POST /pictures", {
    access: "member",
    scope: "support:write",
    summary:
      "Upload a picture of up to 5 MB and 16 million pixels, and send the returned id with a message or a claim within an hour; the same picture gets the same id. The panel redraws it, so metadata such as the location is not kept",
    picture: true,
    bodyLimit: MOST_PICTURE_BYTES,
    answer: z.object({ id: Id }),
    status: 201,
    creation: true,
    refusals: ["picture.invalid", "picture.too_detailed"],
  }),
};
