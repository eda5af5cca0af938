/** A text's lines, whichever system ended them: Linux by LF, Windows by CR LF, an old Mac by CR. */
export const linesOf = (text: string): string[] => text.split(/\r\n|[\n\r]/);
