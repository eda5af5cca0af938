import { MOST_PICTURE_BYTES } from "@krug/domain/picture-rules";
import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Id } from "./fields.ts";

/** Beyond the specifications: pictures travel as they are, one at a time, and a message or a claim then names them. */
export const pictures = {
  upload: endpoint({
    method: "POST",
    path: "/pictures",
    access: "member",
    summary:
      "Upload a picture of up to 5 MB and 16 million pixels, to be sent within an hour with a message or a claim by the id that this answers; the same picture has the same id. It is drawn anew: what a file says beside the picture, like where it was taken, is not kept",
    picture: true,
    bodyLimit: MOST_PICTURE_BYTES,
    answer: z.object({ id: Id }),
    status: 201,
    creation: true,
    refusals: ["picture.invalid", "picture.too_detailed"],
  }),
};
