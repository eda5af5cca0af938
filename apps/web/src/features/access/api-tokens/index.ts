export { TokensPart } from "./tokens-part.tsx";
