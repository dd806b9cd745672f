import { bigint, customType, timestamp } from 'drizzle-orm/pg-core'

/** Kinds of columns that tables share: see [Note: rows and time]. */
export const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
export const bytes = (name: string) => bigint(name, { mode: 'number' })
export const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })
