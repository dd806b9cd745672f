import { randomBytes } from 'node:crypto'
import type { Db } from './client.ts'
import { serverSecrets } from './schema.ts'

/** Keys made at the first start and kept in the database; 32 random bytes each. */
export interface Secrets {
  readonly session: Uint8Array
  readonly xsrf: Uint8Array
  readonly partUrl: Uint8Array
  readonly human: Uint8Array
  readonly code: Uint8Array
  readonly testPayments: Uint8Array
  readonly mailbox: Uint8Array
}

const SECRET_BYTES = 32

/**
 * The server's keys, made at the first start; processes that start at once end up with the same
 * ones.
 */
export async function loadSecrets(db: Db, clock: () => Date): Promise<Secrets> {
  const names = [
    'session',
    'xsrf',
    'partUrl',
    'human',
    'code',
    'testPayments',
    'mailbox',
  ] as const satisfies readonly (keyof Secrets)[]
  const fresh = names.map((name) => ({
    name,
    value: randomBytes(SECRET_BYTES).toString('base64'),
    createdAt: clock(),
  }))
  await db.insert(serverSecrets).values(fresh).onConflictDoNothing()
  const kept = new Map(
    (await db.select().from(serverSecrets)).map(({ name, value }) => [name, value]),
  )
  const read = (name: (typeof names)[number]): Uint8Array => {
    const value = kept.get(name)
    if (value === undefined)
      throw new Error(`The secret ${name} is missing although it was just written`)
    return Buffer.from(value, 'base64')
  }
  return {
    session: read('session'),
    xsrf: read('xsrf'),
    partUrl: read('partUrl'),
    human: read('human'),
    code: read('code'),
    testPayments: read('testPayments'),
    mailbox: read('mailbox'),
  }
}
