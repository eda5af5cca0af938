export { ExitDownField, ExitField, ExitLinkField, useExitText } from "./exit-field.tsx";
export { ExitsNow } from "./exits-now.tsx";
export { exitsQuery } from "./queries.ts";
export { useExitsWords } from "./words.ts";
