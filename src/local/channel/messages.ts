import * as v from 'valibot'

/**
 * Everything that contexts of this origin (tabs, dedicated worker, service worker) tell each other.
 * A message is an event; what must survive is in the database. Version 1; a changed meaning gets a
 * new type, never a new shape.
 */
const nullableNumber = v.nullable(v.number())

/** Why nothing is sent for a moment. */
const uploadPause = v.object({
  reason: v.picklist(['network', 'server', 'store', 'storage-write']),
  retryAtEpochMs: v.number(),
  attempt: v.number(),
})
/**
 * Worker that drives an upload, at most 4 a second per upload. `safeBytes` never goes back. A
 * worker of an older version leaves the optional ones out.
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
 * The context that signed in, out, or noticed the change of the readable cookie. `userId` null:
 * signed out.
 */
const sessionChanged = v.object({
  v: v.literal(1),
  type: v.literal('session-changed'),
  userId: v.nullable(v.string()),
})
/** Any context, at a 401. Pages check the cookie; workers park what they do. */
const sessionEnded = v.object({
  v: v.literal(1),
  type: v.literal('session-ended'),
  userId: v.nullable(v.string()),
})
/**
 * The page that signs out, before it deletes: everybody closes the account's database and stops
 * working for it.
 */
const accountWiping = v.object({
  v: v.literal(1),
  type: v.literal('account-wiping'),
  userId: v.string(),
})
/** Anybody who made the outbox worth a look (an upload got its id, the network came back). */
const outboxPoke = v.object({ v: v.literal(1), type: v.literal('outbox-poke') })
/** A dedicated worker, which can read no cookies, asks the pages for the anti-forgery value. */
const xsrfWanted = v.object({
  v: v.literal(1),
  type: v.literal('xsrf-wanted'),
  requestId: v.string(),
})
/** A page's answer; the first one counts. */
const xsrfToken = v.object({
  v: v.literal(1),
  type: v.literal('xsrf-token'),
  requestId: v.string(),
  token: v.nullable(v.string()),
})

/**
 * A page's upload worker that has opened; a service worker that sends for this account ends after
 * its present parts.
 */
const uploadsPageOpened = v.object({
  v: v.literal(1),
  type: v.literal('uploads-page-opened'),
  userId: v.string(),
})

/**
 * A service worker that was told to take over. The one before ends its uploads at once: browsers
 * let it go only when it has nothing to do.
 */
const versionAccepted = v.object({ v: v.literal(1), type: v.literal('version-accepted') })

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
])

export type ChannelMessage = v.InferOutput<typeof message>
export type MessageType = ChannelMessage['type']
export type MessageOf<T extends MessageType> = Extract<ChannelMessage, { type: T }>

/** The message, or null for anything this version does not know. */
export function parseMessage(data: unknown): ChannelMessage | null {
  const parsed = v.safeParse(message, data)
  return parsed.success ? parsed.output : null
}
