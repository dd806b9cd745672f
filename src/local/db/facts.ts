import type { AccountDb } from './account-db.ts'
import type { components } from '#openapi/schema.gen.ts'

type Schemas = components['schemas']

/**
 * Keys of single facts; `FactValues` has the type of each value. `sync` writes them, but for what
 * this device alone knows.
 */
export const FACTS = {
  me: 'me',
  profile: 'profile',
  capabilities: 'capabilities',
  uploads: 'uploads',
  sessions: 'sessions',
  passkeys: 'passkeys',
  storage: 'storage',
  mediaAssetRoom: 'mediaAssetRoom',
  assetUploads: 'assetUploads',
  libraryReach: 'libraryReach',
  uploadsLetGo: 'uploadsLetGo',
  deviceEdits: 'deviceEdits',
  keeping: 'keeping',
  hiddenScenes: 'hiddenScenes',
} as const
export type FactKey = (typeof FACTS)[keyof typeof FACTS]

/** How this device keeps finished files. It leaves with them. */
export interface Keeping {
  /** Null until one was chosen. */
  readonly limitBytes: number | null
  /** The videos whose new results are kept. */
  readonly rules: readonly {
    readonly uploadRequestId: string
    /** Results that were there before the rule, or that a person has removed since. */
    readonly exceptOutputIds: readonly string[]
  }[]
}

/** An upload as lists show it, from any device. */
export interface UploadSummary {
  readonly uploadRequestId: string
  readonly name: string
  readonly sizeBytes: number
  /** The whole file has arrived. */
  readonly hasEnded: boolean
  readonly isValidated: boolean
  readonly isFailed: boolean
  /** The server fails at its check and goes on trying. */
  readonly isCheckLate?: boolean
  /** Its video was deleted from the server; absent in lists that an older version kept. */
  readonly isDeleted?: boolean
  readonly createdAt: string
  /** Null once it takes no parts any more; absent in lists that an older version kept. */
  readonly open?: OpenUpload | null
}

/** How far an upload is that still takes parts, as the server last said. */
export interface OpenUpload {
  readonly safeBytes: number
  /** Of the last whole part; this device's clock. Null while there is none, or not known when. */
  readonly lastReceivedAtEpochMs: number | null
  /** How the server fetches it; null when a device sends it, absent in older lists. */
  readonly fetching?: ServerImport | null
}

/** A file that the server fetches from a link, as it last said. Times by this device's clock. */
export interface ServerImport {
  /** How it was chosen; absent in what an older version kept, which was a link. */
  readonly provider?: Schemas['UploadProvider']
  /** Where it comes from, e.g. `dropbox.com`. */
  readonly host: string
  /**
   * Null while bytes come; `link`: a person must say again where the file is; `sign-in`: the drive
   * must be connected again.
   */
  readonly waitsFor: 'turn' | 'host' | 'space' | 'link' | 'sign-in' | null
  readonly nextAttemptAtEpochMs: number | null
  readonly askedAtEpochMs: number
}

/** A job's place in the list by time. */
interface Edge {
  readonly createdAt: string
  readonly _id: string
}

/**
 * How far this device has the library, newest first: everything that the server had between the two
 * ends when it was pulled. So a person who came 1,000 jobs far yesterday goes on from there today,
 * and does not load what the device has.
 */
export interface LibraryReach {
  readonly newest: Edge
  readonly oldest: Edge
  /** Where the server goes on behind `oldest`; null when there is nothing older. */
  readonly cursor: string | null
}

export interface FactValues {
  readonly me: { readonly user: Schemas['User']; readonly flags: Schemas['UserFlags'] }
  readonly profile: Schemas['UserProfile']
  readonly capabilities: Schemas['Capabilities']
  /** The newest uploads, as many as were pulled on this device. */
  readonly uploads: readonly UploadSummary[]
  /** The devices that are signed in, this one first. */
  readonly sessions: readonly Schemas['Session'][]
  /** The newest first. */
  readonly passkeys: readonly Schemas['Passkey'][]
  readonly storage: Schemas['Storage']
  /** What assets take at the server, and may take. */
  readonly mediaAssetRoom: Schemas['MediaAssetRoom'] & {
    /**
     * How many of the counted assets and files this device knew when it asked; absent in facts of
     * an older version.
     */
    readonly knownHere?: number
  }
  /** The newest files of assets, as one page has them. */
  readonly assetUploads: readonly UploadSummary[]
  readonly libraryReach: LibraryReach
  /** What this device knows alone ([Note: own uploads]). */
  readonly uploadsLetGo: readonly {
    readonly uploadRequestId: string
    readonly atEpochMs: number
  }[]
  /** Ids of the device edits that were finished here, also of removed ones. */
  readonly deviceEdits: readonly string[]
  /** What this device alone knows. */
  readonly keeping: Keeping
  /** What this device alone knows ([Note: hidden scenes]); it stays when a session ends. */
  readonly hiddenScenes: readonly {
    readonly uploadRequestId: string
    /** On this device, when it was hidden. */
    readonly uploadIds: readonly string[]
  }[]
}
export interface Fact<K extends FactKey> {
  readonly value: FactValues[K]
  readonly pulledAtEpochMs: number
}

/** A fact as last pulled; null when it was never pulled. Local read. */
export async function readFact<K extends FactKey>(db: AccountDb, key: K): Promise<Fact<K> | null> {
  const row = await db.facts.get(key)
  // The one cast: only `writeFact` writes rows under these keys, with the same types.
  return row === undefined
    ? null
    : { value: row.value as FactValues[K], pulledAtEpochMs: row.pulledAtEpochMs }
}

/** Writes a fact unless a newer answer wrote it already. Local write. */
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
