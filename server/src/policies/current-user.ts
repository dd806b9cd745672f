import type { Permission } from './permissions.ts'

/** The person behind a session, as the database knows them now. */
export interface CurrentUser {
  readonly id: string
  readonly email: string
  readonly permissions: readonly Permission[]
}
