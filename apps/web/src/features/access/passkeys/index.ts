export { PasskeysPart } from "./passkeys-part.tsx";
