import * as v from 'valibot'

/**
 * All messages between contexts of this origin (tabs, dedicated workers, service worker). A message
 * is an event; what must survive a crash is in the database. Tabs of two versions exchange them:
 * never rename a type or a field; a changed meaning gets a new type.
 */
const nullableNumber = v.nullable(v.number())

/** Why nothing is being sent at the moment; the reasons of `UploadWait`. */
const uploadPause = v.object({
  reason: v.picklist(['network', 'server', 'store', 'storage-write', 'no-space', 'refused']),
  code: v.exactOptional(v.string()),
  retryAtEpochMs: v.number(),
  attempt: v.number(),
})
/**
 * Sent by the worker that drives an upload, at most 4 a second for each upload. `safeBytes` never
 * decreases. Workers of older versions leave the optional fields out.
 */
const uploadProgress = v.object({
  v: v.literal(1),
  type: v.literal('upload-progress'),
  uploadId: v.string(),
  safeBytes: v.number(),
  inFlightBytes: v.number(),
  bytesPerSecond: nullableNumber,
  secondsLeft: nullableNumber,
  quietForMs: v.optional(v.number(), 0),
  pause: v.optional(v.nullable(uploadPause), null),
  isUnsaved: v.optional(v.boolean(), false),
})
/**
 * Sent by the context that signed in or out, or noticed a change of the readable cookie. `userId`
 * null: signed out.
 */
const sessionChanged = v.object({
  v: v.literal(1),
  type: v.literal('session-changed'),
  userId: v.nullable(v.string()),
})
/** Sent by any context after a 401. Pages check the cookie; workers suspend their work. */
const sessionEnded = v.object({
  v: v.literal(1),
  type: v.literal('session-ended'),
  userId: v.nullable(v.string()),
})
/**
 * Sent by the page that signs out, before it deletes data: every context closes the account's
 * database and stops working for it.
 */
const accountWiping = v.object({
  v: v.literal(1),
  type: v.literal('account-wiping'),
  userId: v.string(),
})
/** Sent when the outbox may have work (an upload got its id, the network came back). */
const outboxPoke = v.object({ v: v.literal(1), type: v.literal('outbox-poke') })
/**
 * Sent by a dedicated worker, which cannot read cookies, to ask the pages for the anti-forgery
 * token.
 */
const xsrfWanted = v.object({
  v: v.literal(1),
  type: v.literal('xsrf-wanted'),
  requestId: v.string(),
})
/** Sent by a page as the answer; the first answer counts. */
const xsrfToken = v.object({
  v: v.literal(1),
  type: v.literal('xsrf-token'),
  requestId: v.string(),
  token: v.nullable(v.string()),
})

/**
 * Sent by a page's upload worker when it has opened. A service worker that sends for this account
 * ends after its parts in flight.
 */
const uploadsPageOpened = v.object({
  v: v.literal(1),
  type: v.literal('uploads-page-opened'),
  userId: v.string(),
})

/**
 * Sent by a service worker that a page asked to take over. The previous one ends its uploads at
 * once: browsers replace it only when it has nothing to do.
 */
const versionAccepted = v.object({ v: v.literal(1), type: v.literal('version-accepted') })

/**
 * Sent by the service worker when the server told something that a page in sight shows: that page
 * says to the server that it was seen.
 */
const toldInSight = v.object({ v: v.literal(1), type: v.literal('told-in-sight') })

/**
 * Sent by a page that locks the app, or has changed the lock: every page locks ([Note: app lock] in
 * `src/local/db/app-lock.ts`).
 */
const appLocked = v.object({ v: v.literal(1), type: v.literal('app-locked') })

const message = v.variant('type', [
  uploadProgress,
  sessionChanged,
  sessionEnded,
  accountWiping,
  outboxPoke,
  xsrfWanted,
  xsrfToken,
  uploadsPageOpened,
  versionAccepted,
  toldInSight,
  appLocked,
])

export type ChannelMessage = v.InferOutput<typeof message>
export type MessageType = ChannelMessage['type']
export type MessageOf<T extends MessageType> = Extract<ChannelMessage, { type: T }>

/** The message, or null for anything this version does not know. */
export function parseMessage(data: unknown): ChannelMessage | null {
  const parsed = v.safeParse(message, data)
  return parsed.success ? parsed.output : null
}
