import type { Db } from '#server/db/client.ts'
import type { Leases } from '#server/db/leases.ts'
import type { Secrets } from '#server/db/secrets.ts'
import type { SecurityLog } from '#server/db/security-log.ts'
import type { Drive } from '#server/drives/port.ts'
import type { DriveWriter } from '#server/drives/writer.ts'
import type { HumanVerification } from '#server/human/port.ts'
import type { Queue } from '#server/jobs/port.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Mailer } from '#server/mail/port.ts'
import type { FaceSearch } from '#server/media/face-search.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import type { Measures } from '#server/media/measures.ts'
import type { Outgoing } from '#server/net/outgoing.ts'
import type { PushService } from '#server/push/port.ts'
import type { Copies } from '#server/object-store/copies.ts'
import type { ObjectStore } from '#server/object-store/port.ts'
import type { PaymentProvider } from '#server/payments/port.ts'
import type { Published } from './published.ts'
import type { Settings } from './env.ts'

/**
 * Everything an operation may need; made once in compose.ts and passed everywhere. An operation
 * receives it as its context (context.ts).
 */
export interface Deps {
  readonly db: Db
  readonly clock: () => Date
  /** UUIDv7. */
  readonly newId: () => string
  readonly settings: Settings
  readonly secrets: Secrets
  readonly log: Log
  readonly metrics: Metrics
  readonly security: SecurityLog
  readonly store: ObjectStore
  /** Files of the store, for programs that read a path. */
  readonly copies: Copies
  readonly queue: Queue
  readonly leases: Leases
  /** Fetches what people name by a link. */
  readonly outgoing: Outgoing
  /** Google Drive; null where its keys are not set. */
  readonly googleDrive: Drive | null
  /** Its writing side; null with it. */
  readonly driveWriter: DriveWriter | null
  readonly mailer: Mailer
  /** Messages to devices; null where the operator wants none. */
  readonly push: PushService | null
  readonly human: HumanVerification
  readonly payments: PaymentProvider
  readonly published: Published
  /** Null when no usable ffmpeg was found; then media edits are not offered. */
  readonly ffmpeg: Ffmpeg | null
  /** Null where none is installed; then edits that cover faces are not offered. */
  readonly faces: FaceSearch | null
  /** For prices before the check of an upload. */
  readonly measures: Measures
}
