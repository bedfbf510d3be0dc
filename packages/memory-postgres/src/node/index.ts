export type { ConnectionInput, PostgresClient, PostgresPool } from "./pool.ts";
export {
  createPostgresBackend,
  type PostgresBackend,
  type PostgresBackendInput,
} from "./create-postgres-backend.ts";
export { migrate, type MigrateInput } from "./migrate.ts";
