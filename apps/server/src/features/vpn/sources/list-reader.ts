import { answerConfined } from "../../../platform/confined.ts";
import { readFound } from "./read-found.ts";

/* A separate process (find.ts): reads a long list that a stranger wrote. */
answerConfined(async (text: string) => readFound(text));
