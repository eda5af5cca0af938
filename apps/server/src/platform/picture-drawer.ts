import { answerConfined } from "./confined.ts";
import { drawPicture } from "./draw-picture.ts";
import type { Picture } from "./pictures.ts";

/* A separate process (pictures.ts): redraws the picture it is given. */
answerConfined(({ media, bytes }: Picture) => drawPicture({ media, bytes: Buffer.from(bytes) }));
