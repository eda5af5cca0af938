import { answerConfined } from "./confined.ts";
import { drawPicture } from "./draw-picture.ts";
import type { Picture } from "./pictures.ts";

/* A process of its own (pictures.ts): redraws the picture that it is given. */
answerConfined(({ media, bytes }: Picture) => drawPicture({ media, bytes: Buffer.from(bytes) }));
