import { wait } from "./wait.ts";

const READ_WITHIN_MS = 700;

/** Before a page moves on by itself, its last message stays visible for a moment. */
export const successIsRead = () => wait(READ_WITHIN_MS);
