/** A text's lines with any line ending: LF (Linux), CR LF (Windows), CR (old Macs). */
export const linesOf = (text: string): string[] => text.split(/\r\n|[\n\r]/);
