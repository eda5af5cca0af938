export { MemberField, type Named } from "./member-field.tsx";
