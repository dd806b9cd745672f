import type { AccountDb } from './account-db.ts'
import type { components } from '#openapi/schema.gen.ts'

type Schemas = components['schemas']

/** Keys of single facts; their values are what `FactValues` says, written by `sync` only. */
export const FACTS = {
  me: 'me',
  profile: 'profile',
  capabilities: 'capabilities',
  musicTracks: 'music-tracks',
  uploads: 'uploads',
} as const
export type FactKey = (typeof FACTS)[keyof typeof FACTS]

/** An upload as a list shows it, of whichever device. */
export interface UploadSummary {
  readonly uploadRequestId: string
  readonly name: string
  readonly sizeBytes: number
  /** The whole file has arrived. */
  readonly hasEnded: boolean
  readonly isValidated: boolean
  readonly isFailed: boolean
  readonly createdAt: string
}

export interface FactValues {
  readonly me: { readonly user: Schemas['User']; readonly flags: Schemas['UserFlags'] }
  readonly profile: Schemas['UserProfile']
  readonly capabilities: Schemas['Capabilities']
  readonly 'music-tracks': readonly Schemas['MusicTrack'][]
  /** The newest ones, as far as they were paged through on this device. */
  readonly uploads: readonly UploadSummary[]
}
export interface Fact<K extends FactKey> {
  readonly value: FactValues[K]
  readonly pulledAtEpochMs: number
}

/** A fact as last pulled, or null when it never was. Local read. */
export async function readFact<K extends FactKey>(db: AccountDb, key: K): Promise<Fact<K> | null> {
  const row = await db.facts.get(key)
  // The one cast: rows under these keys are written by writeFact only, which has the same types.
  return row === undefined
    ? null
    : { value: row.value as FactValues[K], pulledAtEpochMs: row.pulledAtEpochMs }
}

/** Writes a fact unless a younger answer already did. Local write. */
export async function writeFact<K extends FactKey>(
  db: AccountDb,
  key: K,
  value: FactValues[K],
  pulledAtEpochMs: number,
): Promise<void> {
  await db.transaction('rw', db.facts, async () => {
    const present = await db.facts.get(key)
    if ((present?.pulledAtEpochMs ?? -Infinity) <= pulledAtEpochMs)
      await db.facts.put({ key, value, pulledAtEpochMs })
  })
}
