export { Guide } from "./guide.tsx";
