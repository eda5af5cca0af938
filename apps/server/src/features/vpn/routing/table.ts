export type RoutingTables = { routing_revision: { id: number; revision: number } };
