export { ExitDownField, ExitField, ExitLinkField, useExitText } from "./exit-field.tsx";
export { exitsQuery } from "./queries.ts";
