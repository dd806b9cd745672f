/**
 * Every table of the server, by area. A table is changed in the file of its area; then `npm run
 * db:generate` writes the migration.
 *
 * [Note: rows and time] Ids are UUIDv7 made by the application, so that lists by id are lists by
 * age. Times are `timestamptz`; amounts are whole tokens; sizes are bytes; durations are
 * milliseconds.
 */
export * from './schema/catalogue.ts'
export * from './schema/drive-saves.ts'
export * from './schema/drives.ts'
export * from './schema/mail.ts'
export * from './schema/money.ts'
export * from './schema/people.ts'
export * from './schema/referrals.ts'
export * from './schema/reports.ts'
export * from './schema/uploads.ts'
export * from './schema/work.ts'
