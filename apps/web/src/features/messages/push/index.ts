export { PushPart } from "./push-part.tsx";
