const READ_WITHIN_MS = 700;

/** Before a page goes on by itself, its last word stands for a moment. */
export const successIsRead = () => new Promise<void>((resolve) => setTimeout(resolve, READ_WITHIN_MS));
