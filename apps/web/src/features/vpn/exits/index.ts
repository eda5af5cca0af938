export { ExitDownField, ExitField, useExitText } from "./exit-field.tsx";
